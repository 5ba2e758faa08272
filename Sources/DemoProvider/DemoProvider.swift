import GLibSupport
import LoginCore
import SoupNetwork

/// An authorization server on this machine for demonstrations and tests. It listens on 127.0.0.1 for as long as it lives,
/// keeps its state in memory, and has one client and any user.
@GLibActor
package final class DemoProvider {
  private let server: HTTPServer
  /// Scheme, address and port.
  package let issuer: String

  /// The user name for programs that sign in.
  package nonisolated static let userName = "ada"
  /// The password of all users.
  package nonisolated static var password: String { DemoUser.password }

  /// Starts to listen on `port`, or on a free port if another program has it. `log` is called with each answer.
  package init(
    signer: any SigningKey, cryptography: any Cryptography, clock: any WallClock, port: UInt16 = 0,
    settings: DemoSettings = DemoSettings(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(Failure) {
    let host = Host(log)
    server = try failing(Self.server(port) { request in host.respond(to: request) }) { (error: GLibError) in
      .unreachable("127.0.0.1", Message(verbatim: error.message.forDisplay(limit: 200)))
    }
    issuer = server.origin
    host.provider = try DemoServer(
      issuer: issuer, signer: signer, cryptography: cryptography, clock: clock, settings: settings)
  }

  private static func server(
    _ port: UInt16, _ handler: @escaping HTTPServer.Handler
  ) throws(GLibError) -> HTTPServer {
    do throws(GLibError) {
      return try HTTPServer(port: port, handler: handler)
    } catch {
      guard port != 0, error.isAddressInUse else { throw error }
      return try HTTPServer(handler: handler)
    }
  }

  /// Gives the last answers time to reach their readers.
  package func close() async { await server.close() }

  /// Holds the provider, which can be made only when the server listens and its port is known.
  @GLibActor
  private final class Host {
    var provider: DemoServer?
    private let log: @Sendable (String) -> Void

    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

    func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
      let response = provider?.respond(to: request) ?? .text("Not yet.", status: 503)
      let answer = try? JSONReader.read(response.body).object
      let refusal = [answer?["error"], answer?["error_description"]].compactMap { $0?.string }
      log((["\(request.method) \(request.path)", "\(response.status)"] + refusal).joined(separator: ": "))
      return response
    }
  }
}

/// The application that is registered at the demo provider. It is public, and has two of the kinds of redirect URI that
/// native applications use (RFC 8252 section 7).
package enum DemoClient {
  package static let identifier = "tokentry-demo"
  /// The name on the consent page.
  static let name = "The Tokentry demo"
  /// A redirect URI that is not on this machine.
  package static let fixedRedirect = "https://demo.example/callback"

  private static let loopbackHosts = ["127.0.0.1", "[::1]", "localhost"]

  /// Returns true for an address on this machine, with any port and any path (RFC 8252 section 7.3).
  static func isOnThisMachine(_ uri: String) -> Bool {
    for host in loopbackHosts where uri.utf8.starts(with: "http://\(host)".utf8) {
      let rest = String(decoding: uri.utf8.dropFirst("http://\(host)".utf8.count), as: UTF8.self)
      let (authority, path) = rest.splitOnce(at: "/")
      guard path?.utf8.allSatisfy({ $0.isUnreserved || "/%:".utf8.contains($0) }) ?? true else {
        return false
      }
      if authority.isEmpty { return true }
      let (before, port) = authority.splitOnce(at: ":")
      guard before.isEmpty, let port, let number = UInt16(port), number > 0 else { return false }
      return String(number).isIdentical(to: port)
    }
    return false
  }
}

extension DemoServer {
  /// Returns true if the URI is registered. One that is not on this machine is compared byte for byte.
  func mayRedirect(to uri: String) -> Bool {
    !settings.redirectURI.isEmpty && uri.isIdentical(to: settings.redirectURI)
      || DemoClient.isOnThisMachine(uri)
  }
}
