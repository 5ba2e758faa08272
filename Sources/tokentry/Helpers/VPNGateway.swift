import GLibSupport
import GnuTLSCrypto
import HTMLForms
import Language
import LoginCore
import SoupNetwork
import WindowProtocol

/// The gateway of a VPN. Its login is in a window of the user; the tunnel is another program's.
struct VPNGateway: Sendable {
  /// The address that the caller has given.
  let endpoint: Endpoint
  private let run: Composition
  private let digest: String?

  /// Reads the only argument, `HOST[:PORT][/PATH]`, or takes the given address in its place.
  init(_ broker: TokenBroker, at address: String? = nil) throws(Failure) {
    let (given, command) = (broker.given, Command.helper)
    for option in [Option.account, .store, .minValid] where given.has(option) {
      throw Failure(
        .invalidOption, "\(option.flag) is not an option of \(command)",
        hint: "see `tokentry \(command) --help`")
    }
    // No browser hands a cookie back. This is refused before the gateway is asked for anything.
    if let agent = given[.agent], !["auto", AgentKind.window.rawValue].contains(agent) {
      throw .contradiction("\(command) \(given.helperProtocol?.name ?? "")", "\(Option.agent.flag) \(agent)")
    }
    guard broker.arguments.count <= (address == nil ? 1 : 0), let text = address ?? broker.arguments.first
    else {
      let missing: Message = "the address of a gateway"
      throw Failure(.invalidOption, "\("\(command) \(given.helperProtocol?.name ?? "")") needs \(missing)")
    }
    let complete = text.hasPrefix("https://") ? text : "https://" + text
    endpoint = try failing(Endpoint(address ?? complete)) { (reason: Message) in
      Failure(.invalidOption, "\"\(Redaction.given(text), upTo: 100)\" is \(reason)")
    }
    digest = try given.value(
      of: .trustedCertificate, wanting: "the SHA-256 fingerprint of a certificate in hexadecimal", Self.digest
    )
    run = broker.run
  }

  /// Returns the 64 digits of a fingerprint, which may be in pairs with colons between them.
  private static func digest(_ text: String) -> String? {
    let digits = text.lowercased().filter { $0 != ":" }
    return digits.utf8.count == 64 && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      ? digits : nil
  }

  /// Scheme, host and port.
  var origin: String { Self.origin(of: endpoint) }

  static func origin(of endpoint: Endpoint) -> String {
    let text = endpoint.description
    guard let start = text.startOfAuthority else { return text }
    return String(text[..<(text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex)])
  }

  /// Returns the objects of this run, with the trust in the gateway's certificate.
  @GLibActor
  func trusted() async throws(Failure) -> Composition {
    guard let digest else { return run }
    let certificate = try await run.network.certificate(shownBy: endpoint)
    guard certificate.sha256 == digest else {
      throw .untrustedCertificate(
        endpoint.host, "it is not the one that is trusted for this host", fingerprint: certificate.fingerprint
      )
    }
    return run.trusting(certificate, of: endpoint.host)
  }

  /// Takes the user to the page in the settings. Returns the cookies and header fields that they name.
  @GLibActor
  func values(_ settings: Settings) async throws(Failure) -> PageValues {
    try await NavigateCommand(settings, try await trusted()).values()
  }
}

/// A session at a gateway.
struct GatewaySession: Sendable {
  let cookie: String
  /// The gateway to which the tunnel goes.
  let endpoint: Endpoint
}

/// Sends the requests of a login to a gateway, which share their cookies, and takes the user to its pages.
@GLibActor
final class GatewayVisitor {
  private let run: Composition
  private let settings: Settings
  private let pages: SoupTransport
  /// The certificate of the last answer.
  private var certificate: TrustedCertificate?

  /// The operating system, by the gateways' names.
  nonisolated static let system = "linux-64"

  init(_ run: Composition, _ settings: Settings) {
    (self.run, self.settings, pages) = (run, settings, run.pages())
  }

  /// Sends a request. Returns the answer, and its XML if it is some.
  func send(_ request: HTTPRequest) async throws(Failure) -> (HTTPResponse, XMLElement?) {
    let transport = HidingTransport(inner: pages, interruption: run.interruption)
    let response = try await transport.send(request)
    certificate = response.certificate.map(TrustedCertificate.init(der:)) ?? certificate
    return (response, XMLElement(response.body))
  }

  /// Returns a cookie that the gateway has set.
  func cookie(_ name: String, for endpoint: Endpoint) -> String? {
    pages.cookies(for: endpoint.description, onAnyPath: false).first { $0.name == name }?.value
  }

  /// Takes the user to a page, and returns what the final page has.
  func values(
    at url: String, endingAt final: String, cookie: String? = nil, headers: [String] = [],
    posting form: PostedForm? = nil
  ) async throws(Failure) -> PageValues {
    var visit = settings
    visit.postedForm = form
    do throws(Failure) {
      try visit.set(.url, url, as: Option.url.flag)
      try visit.set(.redirectURI, final, as: Option.redirectURI.flag)
      if let cookie { try visit.set(.cookie, cookie, as: Option.cookie.flag) }
      for header in headers { try visit.set(.responseHeader, header, as: Option.responseHeader.flag) }
      // The addresses are the gateway's, so it is to blame for them.
      let command = try NavigateCommand(visit, run)
      return try await command.values()
    } catch {
      throw error.code == .invalidOption ? Failure(.badResponse, error.message) : error
    }
  }

  /// The digest of the gateway's public key, as `openconnect --servercert` takes it.
  func fingerprint() throws(Failure) -> String {
    guard let certificate else { throw .defect() }
    return "pin-sha256:" + Base64.encode(try run.cryptography.publicKeyDigest(ofCertificate: certificate.der))
  }

  /// Hides a secret of the gateway in messages, and returns it.
  nonisolated static func hidden(_ secret: String) -> String {
    Messages.hide(secret)
    return secret
  }
}
