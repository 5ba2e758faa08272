import GLibSupport
import LoginCore
import SoupNetwork

/// An authorization server on this machine for demonstrations and tests. It listens on 127.0.0.1 for as long as it lives,
/// keeps its state in memory, and has one client and any user.
@GLibActor
public final class DemoProvider {
  private let server: HTTPServer
  /// Scheme, address and port.
  public let issuer: String

  /// The user name for programs that sign in.
  public nonisolated static let userName = "ada"
  /// The password of all users.
  public nonisolated static var password: String { DemoUser.password }

  /// Starts to listen.
  public init(
    signer: any SigningKey, cryptography: any Cryptography, clock: any WallClock
  ) throws(Failure) {
    let host = Host()
    server = try failing(HTTPServer { request in host.respond(to: request) }) { (error: GLibError) in
      .unreachable("127.0.0.1", Message(verbatim: error.message.forDisplay(limit: 200)))
    }
    issuer = server.origin
    host.provider = try AuthorizationServer(
      issuer: issuer, signer: signer, cryptography: cryptography, clock: clock)
  }

  /// Gives the last answers time to reach their readers.
  public func close() async { await server.close() }

  /// Holds the provider, which can be made only when the server listens and its port is known.
  @GLibActor
  private final class Host {
    var provider: AuthorizationServer?

    func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
      provider?.respond(to: request) ?? .text("Not yet.", status: 503)
    }
  }
}

/// The application that is registered at the demo provider. It is public, and has two of the kinds of redirect URI that
/// native applications use (RFC 8252 section 7).
public enum DemoClient {
  public static let identifier = "tokentry-demo"
  /// The name on the consent page.
  static let name = "The Tokentry demo"
  /// A redirect URI that is not on this machine.
  public static let fixedRedirect = "https://demo.example/callback"

  private static let loopbackHosts = ["http://127.0.0.1", "http://[::1]"]
  private static let loopbackPaths = ["/callback", "/"]

  /// Returns true if the URI is registered. It is compared byte for byte, except for the port of loopback addresses (RFC
  /// 8252 section 7.3).
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
