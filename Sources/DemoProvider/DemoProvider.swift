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

  /// Starts to listen on `port`. If another program has it, takes a free one, or fails if that `isFixed`. `log` is called with
  /// each answer.
  package init(
    signer: any SigningKey, cryptography: any Cryptography, clock: any WallClock, port: UInt16 = 0,
    isFixed: Bool = false, settings: DemoSettings = DemoSettings(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(Failure) {
    let host = Host(log)
    server = try failing(Self.server(port, isFixed) { await host.respond(to: $0) }) { (error: GLibError) in
      error.isAddressInUse
        ? Failure(.invalidConfiguration, "another program has port \("\(port)", upTo: 5)")
        : .unreachable("127.0.0.1", Message(verbatim: error.message.forDisplay(limit: 200)))
    }
    issuer = server.origin
    host.provider = try DemoServer(
      issuer: issuer, signer: signer, cryptography: cryptography, clock: clock, settings: settings)
  }

  private static func server(
    _ port: UInt16, _ isFixed: Bool, _ handler: @escaping HTTPServer.Handler
  ) throws(GLibError) -> HTTPServer {
    do throws(GLibError) {
      return try HTTPServer(port: port, handler: handler)
    } catch {
      guard port != 0, !isFixed, error.isAddressInUse else { throw error }
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

    /// Returns nil if the connection is to be reset.
    func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
      if Route(path: request.path)?.isForDeveloper == true, !request.isOwn { return .bare(status: 403) }
      let answer = provider?.respond(to: request) ?? DemoAnswer(response: .text("Not yet.", status: 503))
      if answer.delay > 0 { try? await pause(for: .seconds(answer.delay)) }
      let refusal = answer.response.flatMap(Self.refusal) ?? []
      let status = answer.response.map { "\($0.status)" } ?? "no answer"
      log((["\(request.method) \(request.path)", status] + refusal).joined(separator: ": "))
      return answer.response
    }

    private static func refusal(_ response: HTTPServerResponse) -> [String]? {
      guard response.status >= 400, let answer = try? JSONReader.read(response.body).object else {
        return nil
      }
      return [answer["error"], answer["error_description"]].compactMap { $0?.string }
    }
  }
}

/// The application that is registered at the demo provider. It is public unless it has a secret, and has two of the kinds of
/// redirect URI that native applications use (RFC 8252 section 7).
package struct DemoClient: Sendable, Equatable {
  package static let identifier = "tokentry-demo"
  package var identifier = Self.identifier
  package var secret: String?

  package init() {}

  /// Reads `ID` or `ID:SECRET`. Returns nil if one of them is empty.
  package init?(_ text: String) {
    let (identifier, secret) = text.splitOnce(at: ":")
    if identifier.isEmpty || secret?.isEmpty == true { return nil }
    (self.identifier, self.secret) = (identifier, secret)
  }

  /// Reads how a client names itself: in the body, or with its secret in the header (RFC 6749 section 2.3.1). Returns nil if
  /// it does not, or in both ways.
  init?(_ request: HTTPServerRequest, _ parameters: ParameterList) {
    guard let field = request[header: "Authorization"] else {
      guard let identifier = parameters["client_id"] else { return nil }
      (self.identifier, secret) = (identifier, parameters["client_secret"])
      return
    }
    let (scheme, credentials) = field.splitOnce(at: " ")
    let standard = (credentials ?? "").replacingAll("+", with: "-").replacingAll("/", with: "_")
    guard scheme.lowercased() == "basic", parameters["client_secret"] == nil,
      let bytes = Base64.decodeURLSafe(standard.replacingAll("=", with: ""))
    else { return nil }
    let (identifier, secret) = String(decoding: bytes, as: UTF8.self).splitOnce(at: ":")
    // The form encoding of the two, as names without values.
    let words = ParameterList(form: Array("\(identifier)&\(secret ?? "")".utf8), upTo: 2)?.parameters ?? []
    guard words.count == 2 else { return nil }
    (self.identifier, self.secret) = (words[0].name, words[1].name)
  }

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
