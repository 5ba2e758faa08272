import LoginCore
import Platform

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

  static func mayAsk(_ environment: Environment) -> Bool { true }

  private let gateway: VPNGateway
  private let url: String

  private static let cookie = "SVPNCOOKIE"

  init(_ broker: TokenBroker) throws(Failure) {
    let options = broker.options.gateway
    gateway = try VPNGateway(broker)
    let realm = options.realm.map { "?" + FormEncoding.encode([Parameter("realm", $0)]) } ?? ""
    url = options.url ?? gateway.endpoint.origin + "/remote/saml/start" + realm
  }

  func text() async throws(Failure) -> String {
    let values = try await gateway.visitor().values(at: url, namedBy: gateway.endpoint, cookie: Self.cookie)
    let cookie = try GatewayVisitor.sessionCookie(values.cookie(Self.cookie) ?? "", of: gateway.endpoint)
    return "\(Self.cookie)=\(cookie)\n"
  }
}
