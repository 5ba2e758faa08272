import CGLib
import Glibc

extension HTTPServerRequest {
  /// The query with its beginning as `own` is written, if it begins with that.
  public func query(beginningWith own: String?) -> String? {
    guard let own, let query, let uri = g_uri_parse("http://h/?\(own)", G_URI_FLAGS_ENCODED_QUERY, nil) else {
      return query
    }
    defer { g_uri_unref(uri) }
    let received = g_uri_get_query(uri).map { String(cString: $0) } ?? ""
    return query.utf8.starts(with: received.utf8)
      ? own + String(decoding: query.utf8.dropFirst(received.utf8.count), as: UTF8.self) : query
  }

  /// Whether it comes from a process of this user, as far as Linux tells that of the other end of the connection.
  public var isOwn: Bool {
    guard let ports else { return true }
    return Self.isOwn(ports, of: geteuid(), in: ["/proc/net/tcp", "/proc/net/tcp6"].map(Self.contents))
  }

  /// The same by the kernel's tables of connections.
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

  /// Whose the connections are that lead from one port to another (proc_net_tcp.txt of Linux).
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
