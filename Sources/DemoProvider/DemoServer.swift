import LoginCore
import SoupNetwork

/// The demo provider without its socket: turns requests into answers. It is an OpenID provider (OpenID Connect Core) with
/// one client and any user.
struct DemoServer: Sendable {
  var mint: Mint
  let clock: any WallClock
  let pages: Pages
  var codes = ExpiringTable<IssuedCode>(capacity: 1_000)
  var settings: DemoSettings
  var accessTokens = ExpiringTable<Grant>(capacity: 10_000)
  var refreshTokens = ExpiringTable<RefreshGrant>(capacity: 10_000)
  /// The refresh tokens that were replaced, with the name of their sign-in.
  var usedSecrets = ExpiringTable<String>(capacity: 10_000)
  /// The proofs of possession that were used.
  var proofs = ExpiringTable<Void>(capacity: 10_000)
  var devices = DeviceStore()
  var interactions = ExpiringTable<Interaction>(capacity: 200)
  var log = DemoLog()
  /// The faults that the current request has met.
  var met: [Fault] = []
  /// The end of the time in which requests for tokens are refused with HTTP 429.
  var openAgain: UTCDate?
  /// The settings at the start.
  let initial: DemoSettings

  /// RFC 6749 section 4.1.2 allows ten minutes, but our client exchanges codes at once.
  static let codeLife: Int64 = 60

  /// A conversation with one browser, from the request to the user's decision.
  struct Interaction: Sendable {
    let purpose: Purpose
    /// The cookie of the browser in which the conversation began. Other browsers may not continue it.
    var browser: String
    var session: Session?
  }

  enum Purpose: Sendable {
    case authorization(AuthorizationQuery)
    case device(code: String, scope: [DemoScope])
  }

  init(
    issuer: String, signer: any SigningKey, cryptography: any Cryptography, clock: any WallClock,
    settings: DemoSettings = DemoSettings()
  ) throws(Failure) {
    let styleHash = Base64.encode(try cryptography.digest(.sha256, of: Array(Style.sheet.markup.utf8)))
    self.init(
      mint: Mint(issuer: issuer, signer: signer, cryptography: cryptography), clock: clock,
      pages: Pages(styleHash: styleHash), settings: settings)
  }

  init(mint: Mint, clock: any WallClock, pages: Pages, settings: DemoSettings) {
    (self.mint, self.clock, self.pages, self.settings, initial) = (mint, clock, pages, settings, settings)
  }

  var issuer: String { mint.issuer }

  mutating func respond(to request: HTTPServerRequest) -> DemoAnswer {
    met = []
    let route = Route(path: request.path)
    let answer = route.map { self.answer(to: request, at: $0) } ?? DemoAnswer(response: pages.notFound())
    if route?.isForDeveloper != true { note(request, answer) }
    return answer
  }

  private mutating func answer(to request: HTTPServerRequest, at route: Route) -> DemoAnswer {
    guard route.methods.contains(where: { $0.isIdentical(to: request.method) }) else {
      return DemoAnswer(
        response: .text("This method is not allowed here.", status: 405)
          .adding("Allow", route.methods.joined(separator: ", ")))
    }
    do throws(OAuthError) {
      let isPost = request.method.isIdentical(to: "POST")
      // The API takes any body, and a reset needs none.
      let isForm = isPost && !route.isAPI && route != .reset
      guard let parameters = isForm ? request.formParameters : request.queryParameters else {
        throw OAuthError(.invalidRequest, "The body is not a form, or it has too many fields.")
      }
      if let answer = try answerInstead(request, at: route, with: parameters) { return answer }
      let response = try respond(to: request, at: route, with: parameters, isPost: isPost)
      return delivered(response, at: route, isRefresh: parameters["grant_type"] == "refresh_token")
    } catch {
      return DemoAnswer(
        response: route.isPage ? pages.refusal(error.description, status: error.status) : error.response)
    }
  }

  private mutating func respond(
    to request: HTTPServerRequest, at route: Route, with parameters: ParameterList, isPost: Bool
  ) throws(OAuthError) -> HTTPServerResponse {
    switch route {
    case .faults: isPost ? try changeFaults(request, parameters) : .json(settings.faults.json)
    case .log: .json(log.json)
    case .reset: try reset(request)
    case .echo, .admin: try callAPI(request, at: route)
    case .resourceMetadata: .json(resourceMetadata)
    case .home:
      try isPost ? changeSettings(request, parameters) : pages.home(issuer: issuer, settings)
    case .openIDConfiguration, .serverMetadata: .json(metadata)
    case .keys: .json(["keys": [.object(mint.signer.publicKey)]])
    case .authorize: try authorize(request, parameters)
    case .login: try login(request, parameters)
    case .consent: try isPost ? decide(request, parameters) : askConsent(request, parameters)
    case .token: try exchange(request, parameters)
    case .revocation: try revoke(request, parameters)
    case .userinfo: try userinfo(request)
    case .deviceAuthorization: try authorizeDevice(request, parameters)
    case .device:
      try isPost
        ? enterUserCode(request, parameters) : pages.userCode(prefilled: parameters["user_code"])
    }
  }
}

/// The pages and endpoints.
enum Route: String, CaseIterable {
  case home = "/"
  case openIDConfiguration = "/.well-known/openid-configuration"
  case serverMetadata = "/.well-known/oauth-authorization-server"
  case keys = "/jwks"
  case authorize = "/authorize"
  case login = "/login"
  case consent = "/consent"
  case token = "/token"
  case revocation = "/revoke"
  case userinfo = "/userinfo"
  case deviceAuthorization = "/device_authorization"
  case device = "/device"
  case echo = "/api/echo"
  case admin = "/api/admin"
  case resourceMetadata = "/.well-known/oauth-protected-resource/api"
  case faults = "/faults"
  case log = "/log"
  case reset = "/reset"

  init?(path: String) {
    guard let route = Self.allCases.first(where: { $0.rawValue.isIdentical(to: path) }) else { return nil }
    self = route
  }

  /// The methods that are allowed.
  var methods: [String] {
    switch self {
    case .openIDConfiguration, .serverMetadata, .keys, .resourceMetadata, .log: ["GET", "HEAD"]
    case .token, .revocation, .deviceAuthorization, .login, .reset: ["POST"]
    case .home, .authorize, .consent, .userinfo, .device, .faults: ["GET", "HEAD", "POST"]
    case .echo, .admin: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    }
  }

  var isAPI: Bool { self == .echo || self == .admin }

  /// True for what the developer uses, and the application under development does not. The log does not have it, and other
  /// users of this machine may not see it.
  var isForDeveloper: Bool { [.home, .faults, .log, .reset].contains(self) }

  /// True if the answer is for a person.
  var isPage: Bool {
    switch self {
    case .home, .authorize, .login, .consent, .device: true
    default: false
    }
  }
}

extension DemoServer {
  /// The provider's metadata (RFC 8414 section 2, OpenID Connect Discovery section 3).
  var metadata: JSONObject {
    var metadata: JSONObject = ["issuer": .string(issuer)]
    let endpoints: [(String, Route)] = [
      ("authorization_endpoint", .authorize), ("token_endpoint", .token), ("jwks_uri", .keys),
      ("userinfo_endpoint", .userinfo), ("device_authorization_endpoint", .deviceAuthorization),
      ("revocation_endpoint", .revocation),
    ]
    for (name, route) in endpoints { metadata[name] = .string(issuer + route.rawValue) }
    metadata["scopes_supported"] = .array(DemoScope.allCases.map { .string($0.rawValue) })
    metadata["response_types_supported"] = [
      "code", "token", "id_token", "id_token token", "code token", "code id_token", "code id_token token",
    ]
    metadata["response_modes_supported"] = ["query", "fragment"]
    metadata["grant_types_supported"] = [
      "authorization_code", "refresh_token", "implicit", .string(Self.deviceGrant),
    ]
    metadata["code_challenge_methods_supported"] = ["S256"]
    let methods: JSONValue =
      settings.client.secret == nil ? ["none"] : ["client_secret_basic", "client_secret_post"]
    metadata["token_endpoint_auth_methods_supported"] = methods
    metadata["revocation_endpoint_auth_methods_supported"] = methods
    metadata["dpop_signing_alg_values_supported"] = ["ES256"]
    metadata["subject_types_supported"] = ["public"]
    metadata["id_token_signing_alg_values_supported"] = [.string(mint.signer.algorithm.rawValue)]
    metadata["claims_supported"] = [
      "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "c_hash", "name",
      "preferred_username",
    ]
    metadata["authorization_response_iss_parameter_supported"] = true  // RFC 9207 section 3
    metadata["request_parameter_supported"] = false
    metadata["request_uri_parameter_supported"] = false
    return metadata
  }
}
