import CGLib
import Glibc
import LoginCore

/// A request from a client on this machine. It may carry a code or a password, so printing it shows only method and
/// path.
public struct HTTPServerRequest: Sendable {
  public let method: String
  /// The decoded path, without dot segments. It is only compared with names, and never part of a file's path.
  public let path: String
  /// The text between `?` and `#`. Libsoup decodes only characters that need no encoding.
  public let query: String?
  public let headers: [Parameter]
  public let body: [UInt8]
  /// The ports of the connection.
  var ports: (client: UInt16, server: UInt16)?

  /// More than any request of OAuth has.
  private static let mostParameters = 256

  public init(
    method: String = "GET", path: String, query: String? = nil, headers: [Parameter] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The path and the query.
  public var target: String { path + (query.map { "?\($0)" } ?? "") }

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
  public subscript(header name: String) -> String? {
    let values = headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values.first?.value : nil
  }

  /// The value of the first cookie with this name (RFC 6265 section 4.2).
  public func cookie(_ name: String) -> String? {
    for pair in (self[header: "Cookie"] ?? "").parts(at: ";") {
      let (left, value) = pair.splitOnce(at: "=")
      if String(left.drop { $0 == " " }).isIdentical(to: name) { return value }
    }
    return nil
  }

  /// Returns the query. If it begins with `own` as libsoup would have decoded it, it begins with `own` as it is.
  public func query(beginningWith own: String?) -> String? {
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
  public var description: String { "\(method) \(path)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The user who sent the request.
extension HTTPServerRequest {
  /// False if Linux knows that the other end of the connection belongs to another user.
  public var isOwn: Bool {
    guard let ports else { return true }
    return Self.isOwn(ports, of: geteuid(), in: ["/proc/net/tcp", "/proc/net/tcp6"].map(Self.contents))
  }

  /// Decides by the contents of the kernel's tables of connections.
  static func isOwn(_ ports: (client: UInt16, server: UInt16), of user: uid_t, in tables: [String]) -> Bool {
    let users = tables.flatMap { Self.users(of: ports, in: $0) }
    return users.isEmpty || users.contains(user)
  }

  private static func contents(of file: String) -> String {
    var contents: UnsafeMutablePointer<CChar>?
    guard g_file_get_contents(file, &contents, nil, nil) != 0, let contents else { return "" }
    defer { g_free(contents) }
    return String(cString: contents)
  }

  /// Returns the users with connections between the two ports (proc_net_tcp.txt of Linux).
  private static func users(of ports: (client: UInt16, server: UInt16), in table: String) -> [uid_t] {
    table.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      func port(_ field: Int) -> UInt16? {
        fields[field].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
      }
      guard fields.count > 7, port(1) == ports.client, port(2) == ports.server else { return nil }
      return uid_t(fields[7])
    }
  }
}
