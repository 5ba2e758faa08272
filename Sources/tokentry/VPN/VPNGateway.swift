import GLibSupport
import GnuTLSCrypto
import HTMLForms
import Language
import LoginCore
import SignIn
import SoupNetwork
import WindowProtocol

/// The gateway of a VPN. Its login is in a window of the user; the tunnel is another program's.
final class VPNGateway: Sendable {
  /// The address that the caller has given.
  let endpoint: Endpoint
  private let host: Host
  private let options: SignInOptions
  private let digest: String?

  /// Reads the only argument, `HOST[:PORT][/PATH]`, or takes the given address in its place.
  init(_ broker: TokenBroker) throws(Failure) {
    // No browser hands a cookie back. This is refused before the gateway is asked for anything.
    if let way = broker.wishes.asking.way, way != .window {
      throw .contradiction(broker.command, "\(AskingWishes.flag("way")) \(way.rawValue)")
    }
    // The page with which the login begins, in place of the gateway's address.
    let address = broker.wishes[PageWishes.self].url
    guard broker.arguments.count <= (address == nil ? 1 : 0), let text = address ?? broker.arguments.first
    else { throw broker.lacks("the address of a gateway") }
    let complete = text.hasPrefix("https://") ? text : "https://" + text
    endpoint = try failing(Endpoint(parsing: address ?? complete)) { (reason: Message) in
      Failure(.invalidOption, "\"\(Redaction.given(text), upTo: 100)\" is \(reason)")
    }
    (host, options) = (broker.shared.host, broker.signIn)
    let trusted = host.network.trusted(for: endpoint.host).flatMap { $0.isDigest ? $0.sha256 : nil }
    digest = broker.wishes[FortinetWishes.self].digest ?? trusted
  }

  /// Returns the visitor for the gateway, which trusts its certificate if the caller does.
  @GLibActor
  func visitor() async throws(Failure) -> GatewayVisitor {
    guard let digest else { return GatewayVisitor(host, options) }
    let certificate = try await host.network.apis.certificate(shownBy: endpoint)
    guard certificate.sha256 == digest else {
      throw .untrustedCertificate(
        endpoint.host, "it is not the one that is trusted for this host", fingerprint: certificate.fingerprint
      )
    }
    return GatewayVisitor(host.trusting(certificate, of: endpoint.host), options)
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
  private let signIn: SignIn
  private let pages: CookieTransport
  /// The certificate of the last answer.
  private var certificate: TrustedCertificate?

  /// The operating system, by the gateways' names.
  nonisolated static let system = "linux-64"

  init(_ host: Host, _ options: SignInOptions) {
    (signIn, pages) = (SignIn(host, options), host.network.pages())
  }

  /// Sends a request. Returns the answer, and its XML if it is some.
  func send(_ request: HTTPRequest) async throws(Failure) -> (HTTPResponse, XMLElement?) {
    let response = try await signIn.host.network.watched(pages, signIn.host.run).send(request)
    certificate = response.certificate.map(TrustedCertificate.init(der:)) ?? certificate
    return (response, XMLElement(response.body))
  }

  /// Returns a cookie that the gateway has set.
  func cookie(_ name: String, for endpoint: Endpoint) -> String? {
    pages.cookies(for: endpoint.description, onAnyPath: false).first { $0.name == name }?.value
  }

  /// Takes the user to a page, and returns what the final page has. Without a final page, the cookie alone ends the visit.
  func values(
    at url: String, namedBy gateway: Endpoint, endingAt final: String? = nil, cookie: String? = nil,
    headers: [String] = [], posting form: PostedForm? = nil
  ) async throws(Failure) -> PageValues {
    var end = PageVisit.End()
    // The addresses are the gateway's, so it is to blame for them.
    if let final {
      end.redirectURI = try failing(RedirectURI(parsing: final)) { (reason: Message) in
        .badAddress(final, reason)
      }
    }
    (end.cookies, end.headers) = (cookie.map { [$0] } ?? [], headers)
    let page: PageVisit
    do throws(PageVisit.Flaw) {
      page = try PageVisit(to: url, posting: form, until: end, namedBy: gateway)
    } catch {
      switch error {
      case .url(let text, let reason), .form(let text, let reason), .redirectURI(let text, let reason):
        throw .badAddress(text, reason)
      case .cookieName, .headerName, .setCookie: throw .noGateway(PageAddress(url).host)
      }
    }
    // The cookie of another server is the user's session there, which is none of the gateway's business.
    if let final, (try? Endpoint(final))?.host != gateway.host { throw .foreignEnd(final) }
    guard let final = page.visit.finalPage else { throw .defect() }
    let values = try final.values(of: try await signIn.visit(page))
    for value in values.cookies + values.headers { Messages.hide(value.value) }
    return values
  }

  /// The digest of the gateway's public key, as `openconnect --servercert` takes it.
  func fingerprint() throws(Failure) -> String {
    guard let certificate else { throw .defect() }
    return "pin-sha256:"
      + Base64.encode(try GnuTLSCryptography().publicKeyDigest(ofCertificate: certificate.der))
  }

  /// Returns a session's cookie, hidden in messages. Refuses one that is not a single word of visible ASCII: the program that
  /// reads it runs as root, and would take a second line for an answer to a question of its own.
  nonisolated static func sessionCookie(_ text: String, of gateway: Endpoint) throws(Failure) -> String {
    Messages.hide(text)
    guard !text.isEmpty, text.utf8.allSatisfy(\.isVisible) else { throw .unusableSession(of: gateway.host) }
    return text
  }
}

extension Failure {
  /// The gateway's session cannot be handed to a VPN client.
  fileprivate static func unusableSession(of host: String) -> Failure {
    Failure(
      .badResponse, "the session of \(host, upTo: 100) has characters that are not allowed in a cookie")
  }

  /// The gateway wants the cookie of a page of another server.
  fileprivate static func foreignEnd(_ address: String) -> Failure {
    badAddress(address, "at another host")
      .with(hint: "if the gateway has that name, too, use it in place of the one that you gave")
  }

  /// The gateway names an address that is none, or that it must not name.
  static func badAddress(_ text: String, _ reason: Message) -> Failure {
    Failure(
      .badResponse, "the gateway's address \"\(Redaction.given(text).forDisplay(limit: 100))\" is \(reason)")
  }
}
