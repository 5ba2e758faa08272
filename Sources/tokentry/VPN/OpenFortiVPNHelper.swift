import LoginCore
import Platform
import SoupNetwork

/// Options of openfortivpn-webview, and so of its link.
struct FortinetWishes: WishGroup {
  var realm: String?
  /// The SHA-256 digest of the certificate that is trusted.
  var digest: String?

  static let rows = [
    text(\.realm, "realm", .text("REALM"), "the gateway's realm"),
    value(
      \.digest, "trusted-cert", .text("SHA256"), "the same as --trust with the gateway's host",
      wanting: "the SHA-256 fingerprint of a certificate in hexadecimal"
    ) { TrustedCertificate(digest: "sha256:" + $0)?.sha256 },
  ]
}

/// The session cookie of a FortiGate, as `openfortivpn --cookie-on-stdin` reads it. The link speaks the command line of
/// openfortivpn-webview, which does the same.
struct OpenFortiVPNHelper: HelperProtocol {
  static let name = "openfortivpn"
  static let link: String? = "openfortivpn-webview"
  static let callers = "openfortivpn"
  static let setUp = [
    "tokentry helper openfortivpn vpn.example | sudo openfortivpn vpn.example --cookie-on-stdin"
  ]
  static let leavesRoot = true
  static var arguments: [Option] { FortinetWishes.options }
  static var loginOptions: [Option] { PageWishes.options("url") }

  static func mayAsk(_ environment: Environment) -> Bool { true }

  private let gateway: VPNGateway
  private let url: String

  private static let cookie = "SVPNCOOKIE"

  init(_ broker: TokenBroker) throws(Failure) {
    let (realm, url) = (broker.wishes[FortinetWishes.self].realm, broker.wishes[PageWishes.self].url)
    if url != nil, realm != nil {
      throw .contradiction(PageWishes.flag("url"), FortinetWishes.flag("realm"))
    }
    gateway = try VPNGateway(broker)
    let query = realm.map { "?" + FormEncoding.encode([Parameter("realm", $0)]) } ?? ""
    self.url = url ?? gateway.endpoint.origin + "/remote/saml/start" + query
  }

  func text() async throws(Failure) -> String {
    let values = try await gateway.visitor().values(at: url, namedBy: gateway.endpoint, cookie: Self.cookie)
    let cookie = try GatewayVisitor.sessionCookie(values.cookie(Self.cookie) ?? "", of: gateway.endpoint)
    return "\(Self.cookie)=\(cookie)\n"
  }
}
