import CGLib
import Glibc
import LoginCore

/// A request from a client on this machine. It may carry a code or a password, so printing it shows only method and
/// path.
package struct HTTPServerRequest: Sendable {
  package let method: String
  /// The decoded path, without dot segments. It is only compared with names, and never part of a file's path.
  package let path: String
  /// The text between `?` and `#`. Libsoup decodes only characters that need no encoding.
  package let query: String?
  package let headers: ParameterList
  package let body: [UInt8]
  /// Nil if the client was gone before the request was handled.
  var connection: TCPConnection?

  /// More than any request of OAuth has.
  private static let mostParameters = 256

  package init(
    method: String = "GET", path: String, query: String? = nil, headers: ParameterList = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The path and the query.
  package var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// The parameters of the query, or nil if there are too many.
  package var queryParameters: ParameterList? {
    ParameterList(form: Array((query ?? "").utf8), upTo: Self.mostParameters)
  }

  /// The parameters of the body, or nil if it is not a form or there are too many.
  package var formParameters: ParameterList? {
    guard mediaType == "application/x-www-form-urlencoded" else { return nil }
    return ParameterList(form: body, upTo: Self.mostParameters)
  }

  private var mediaType: String? {
    self[header: "Content-Type"].map { field in
      field.splitOnce(at: ";").0.lowercased().filter { $0 != " " && $0 != "\t" }
    }
  }

  /// The value of a header field, or nil if it is missing or repeated. Names are not case-sensitive.
  package subscript(header name: String) -> String? {
    let values = headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values.first?.value : nil
  }

  /// The value of the first cookie with this name (RFC 6265 section 4.2).
  package func cookie(_ name: String) -> String? {
    for pair in (self[header: "Cookie"] ?? "").parts(at: ";") {
      let (left, value) = pair.splitOnce(at: "=")
      if String(left.drop { $0 == " " }).isIdentical(to: name) { return value }
    }
    return nil
  }

  /// Returns the query. If it begins with `own` as libsoup would have decoded it, it begins with `own` as it is.
  package func query(beginningWith own: String?) -> String? {
    guard let own, let query, let uri = g_uri_parse("http://h/?\(own)", G_URI_FLAGS_ENCODED_QUERY, nil) else {
      return query
    }
    defer { g_uri_unref(uri) }
    let received = g_uri_get_query(uri).map { String(cString: $0) } ?? ""
    return query.utf8.starts(with: received.utf8)
      ? own + String(decoding: query.utf8.dropFirst(received.utf8.count), as: UTF8.self) : query
  }
}

extension HTTPServerRequest: CustomStringConvertible, CustomReflectable {
  /// Method and path; the rest may hold a secret.
  package var description: String { "\(method) \(path)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The user who sent the request.
extension HTTPServerRequest {
  /// True if the client belongs to this user, or if the system does not tell to whom it belongs.
  package var isOwn: Bool {
    guard let connection else { return false }
    return Self.isOwn(connection, of: geteuid(), in: ["/proc/net/tcp", "/proc/net/tcp6"].map(Self.contents))
  }

  /// Decides by the kernel's tables of connections, each of which is nil if it cannot be read. A client that is missing
  /// from all of them has closed its connection.
  static func isOwn(_ connection: TCPConnection, of user: uid_t, in tables: [String?]) -> Bool {
    let readable = tables.compactMap(\.self)
    return readable.isEmpty
      || readable.contains { table in
        // The program that brings requests from the browser of Windows into WSL runs as root.
        connection.owners(in: table).contains { $0 == user || $0 == 0 }
      }
  }

  fileprivate static func contents(of file: String) -> String? {
    var contents: UnsafeMutablePointer<CChar>?
    guard g_file_get_contents(file, &contents, nil, nil) != 0, let contents else { return nil }
    defer { g_free(contents) }
    return String(cString: contents)
  }
}

/// A socket at which a program on this machine listens.
package struct ListeningSocket: Hashable, Sendable {
  package let user: uid_t
  /// The kernel's number, which no other socket has.
  private let inode: Substring

  /// Returns the sockets that a client here can reach at a port of this host. nil if the system does not tell.
  package static func all(at host: RedirectURI.LoopbackHost, _ port: UInt16) -> Set<ListeningSocket>? {
    all(at: host, port, in: ["/proc/net/tcp", "/proc/net/tcp6"].map(HTTPServerRequest.contents))
  }

  /// Reads the kernel's tables of connections, each of which is nil if it cannot be read.
  static func all(
    at host: RedirectURI.LoopbackHost, _ port: UInt16, in tables: [String?]
  ) -> Set<ListeningSocket>? {
    let readable = tables.compactMap(\.self)
    if readable.isEmpty { return nil }
    let sockets = readable.flatMap { $0.split(separator: "\n") }.compactMap { line -> ListeningSocket? in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", let end = SocketEnd(field: fields[1]), end.port == port,
        end.isReached(at: host), let user = uid_t(fields[7])
      else { return nil }
      return ListeningSocket(user: user, inode: fields[9])
    }
    return Set(sockets)
  }
}

/// A connection to a client on this machine.
struct TCPConnection: Sendable {
  let client, server: SocketEnd

  /// Returns the users to whom a table lists the client's end (proc_net_tcp.txt of Linux).
  fileprivate func owners(in table: String) -> [uid_t] {
    table.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, SocketEnd(field: fields[1]) == client, SocketEnd(field: fields[2]) == server
      else { return nil }
      // Without an inode this end is closed, and the kernel names root in place of its user.
      return fields[9] == "0" ? nil : uid_t(fields[7])
    }
  }
}

extension SocketEnd {
  /// True if a connection to this host can lead here: for the host's address, and for those that stand for all. Every user
  /// can listen at the other addresses of 127.0.0.0/8, which no connection to 127.0.0.1 reaches.
  fileprivate func isReached(at host: RedirectURI.LoopbackHost) -> Bool {
    let zeros = [UInt8](repeating: 0, count: 10)
    let ipv4 = [[127, 0, 0, 1], [0, 0, 0, 0]].map { zeros + [0xFF, 0xFF] + $0 }
    let (ipv6, all) = (zeros + [0, 0, 0, 0, 0, 1], zeros + [0, 0, 0, 0, 0, 0])
    return switch host {
    case .ipv4: ipv4.contains(address) || address == all
    case .ipv6: address == ipv6 || address == all
    case .name: ipv4.contains(address) || address == ipv6 || address == all
    }
  }

  /// Reads an end as the kernel writes it: the address in words of 32 bits in the processor's order, a colon, the port.
  fileprivate init?(field: Substring) {
    let parts = field.split(separator: ":")
    guard parts.count == 2, [8, 32].contains(parts[0].utf8.count), let port = UInt16(parts[1], radix: 16)
    else {
      return nil
    }
    var (address, rest): ([UInt8], Substring) = ([], parts[0])
    while !rest.isEmpty {
      guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
      address += withUnsafeBytes(of: word, Array.init)
      rest = rest.dropFirst(8)
    }
    self.init(address, port)
  }
}
