import GLibSupport
import LoginCore
import SoupNetwork

/// An authorization server on this machine for demonstrations and tests. It listens on 127.0.0.1 for as long
/// as it lives, remembers everything in memory, and knows one client and any user.
@GLibActor
public final class DemoProvider {
  private let server: HTTPServer
  /// Its identifier: scheme, address and port.
  public let issuer: String

  /// The name under which a program signs in.
  public nonisolated static let userName = "ada"
  /// The password of everybody.
  public nonisolated static var password: String { DemoUser.password }

  /// Begins to listen.
  public init(
    signer: any SigningKey, cryptography: any Cryptography, clock: any WallClock
  ) throws(Failure) {
    let host = Host()
    server = try failing(HTTPServer { request in host.respond(to: request) }) { (error: GLibError) in
      .network(.connection(host: "127.0.0.1", .system(error.message)))
    }
    issuer = server.origin
    host.provider = try AuthorizationServer(
      issuer: issuer, signer: signer, cryptography: cryptography, clock: clock)
  }

  /// Lets the last answers reach their readers.
  public func close() async { await server.close() }

  /// The provider, which knows its name only when the server listens.
  @GLibActor
  private final class Host {
    var provider: AuthorizationServer?

    func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
      provider?.respond(to: request) ?? .text("Not yet.", status: 503)
    }
  }
}
