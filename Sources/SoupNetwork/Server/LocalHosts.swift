import LoginCore

/// The names under which a server on this machine is asked. A page elsewhere whose own name was made to point
/// here (DNS rebinding) comes with that name.
struct LocalHosts: Sendable {
  private let port: UInt16
  private static let names = ["127.0.0.1", "localhost", "[::1]"]

  init(port: UInt16) { self.port = port }

  /// Whether a `Host` field names this server.
  func includes(field: String) -> Bool {
    let host = field.lowercased()
    // The usual port goes without saying.
    return Self.names.contains {
      "\($0):\(port)".isIdentical(to: host) || port == 80 && $0.isIdentical(to: host)
    }
  }

  /// Whether the host and the port of a request's own URI are this server's.
  func includes(host: String, port: Int) -> Bool {
    port == Int(self.port) && (Self.names + ["::1"]).contains { $0.isIdentical(to: host.lowercased()) }
  }
}
