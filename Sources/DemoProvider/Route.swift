import LoginCore

/// The pages and endpoints there are.
enum Route: String, CaseIterable {
  case home = "/"
  case openIDConfiguration = "/.well-known/openid-configuration"
  case serverMetadata = "/.well-known/oauth-authorization-server"
  case keys = "/jwks"
  case authorize = "/authorize"
  case login = "/login"
  case consent = "/consent"
  case token = "/token"
  case userinfo = "/userinfo"
  case deviceAuthorization = "/device_authorization"
  case device = "/device"

  /// Nothing for another path.
  init?(path: String) {
    guard let route = Self.allCases.first(where: { $0.rawValue.isIdentical(to: path) }) else { return nil }
    self = route
  }

  /// What may be done there.
  var methods: [String] {
    switch self {
    case .home, .openIDConfiguration, .serverMetadata, .keys: ["GET", "HEAD"]
    case .token, .deviceAuthorization, .login: ["POST"]
    case .authorize, .consent, .userinfo, .device: ["GET", "HEAD", "POST"]
    }
  }

  /// Whether a person reads the answer.
  var isPage: Bool {
    switch self {
    case .home, .authorize, .login, .consent, .device: true
    default: false
    }
  }
}
