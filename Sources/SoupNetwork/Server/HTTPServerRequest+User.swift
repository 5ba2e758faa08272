import CGLib
import Glibc

extension HTTPServerRequest {
  /// Whether it comes from a process of this user, as far as Linux tells that of the other end of the connection.
  public var isOwn: Bool {
    guard let ports else { return true }
    let users = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.users(of: ports, in: $0) }
    return users.isEmpty || users.contains(geteuid())
  }

  /// Whose the connections are that lead from one port to another (proc_net_tcp.txt of Linux).
  private static func users(of ports: (client: UInt16, server: UInt16), in file: String) -> [uid_t] {
    var contents: UnsafeMutablePointer<CChar>?
    guard g_file_get_contents(file, &contents, nil, nil) != 0, let contents else { return [] }
    defer { g_free(contents) }
    return String(cString: contents).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      func port(_ field: Int) -> UInt16? {
        fields[field].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
      }
      guard fields.count > 7, port(1) == ports.client, port(2) == ports.server else { return nil }
      return uid_t(fields[7])
    }
  }
}
