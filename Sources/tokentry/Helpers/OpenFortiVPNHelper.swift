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
  static let options: [Option] = [.realm, .url, .trustedCertificate]

  static let leavesRoot = true

  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool { true }

  private let gateway: VPNGateway
  private let settings: Settings

  private static let cookie = "SVPNCOOKIE"

  init(_ broker: TokenBroker) throws(Failure) {
    gateway = try VPNGateway(broker, at: broker.given[.url])
    var settings = broker.settings
    if settings[.url] == nil {
      let realm = settings[.realm].map { "?" + FormEncoding.encode([Parameter("realm", $0)]) } ?? ""
      try settings.set(.url, gateway.origin + "/remote/saml/start" + realm, as: Option.url.flag)
    } else if settings.has(.realm) {
      throw .contradiction(Option.url.flag, Option.realm.flag)
    }
    try settings.set(.cookie, Self.cookie, as: Option.cookie.flag)
    self.settings = settings
  }

  func text() async throws(Failure) -> String {
    let values = try await gateway.values(settings)
    return "\(Self.cookie)=\(values.cookie(Self.cookie) ?? "")\n"
  }
}
