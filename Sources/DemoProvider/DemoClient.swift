import LoginCore

/// The application that is registered at the demo provider: public, with two of the kinds of redirect URI that
/// native applications have (RFC 8252 section 7).
public enum DemoClient {
  /// Its identifier.
  public static let identifier = "tokentry-demo"
  /// Its name on the consent page.
  static let name = "The Tokentry demo"
  /// A redirect to a page of its own.
  public static let fixedRedirect = "https://demo.example/callback"

  private static let loopbackHosts = ["http://127.0.0.1", "http://[::1]"]
  private static let loopbackPaths = ["/callback", "/"]

  /// Whether answers may be sent there: the registered URI byte for byte, but on this machine with any port
  /// (RFC 8252 section 7.3).
  static func mayRedirect(to uri: String) -> Bool {
    if uri.isIdentical(to: fixedRedirect) { return true }
    for host in loopbackHosts {
      for path in loopbackPaths {
        if uri.isIdentical(to: host + path) { return true }
        let bytes = uri.utf8
        guard bytes.starts(with: "\(host):".utf8), bytes.suffix(path.utf8.count).elementsEqual(path.utf8)
        else { continue }
        let middle = bytes.dropFirst(host.utf8.count + 1).dropLast(path.utf8.count)
        let port = String(decoding: middle, as: UTF8.self)
        if let number = UInt16(port), number > 0, String(number).isIdentical(to: port) { return true }
      }
    }
    return false
  }
}
