import LoginCore
import SoupNetwork

/// The demo provider without a socket: an OpenID provider (OpenID Connect Core) with one client and any user,
/// which turns requests into answers. Time and chance come from outside.
struct AuthorizationServer: Sendable {
  let mint: Mint
  let clock: any WallClock
  let pages: Pages
  var codes = ExpiringTable<IssuedCode>(capacity: 1_000)
  var accessTokens = ExpiringTable<Grant>(capacity: 10_000)
  var devices = DeviceStore()
  var interactions = ExpiringTable<Interaction>(capacity: 200)

  /// Codes are exchanged at once (RFC 6749 section 4.1.2 allows ten minutes at most).
  static let codeLife: Int64 = 60

  /// A conversation with one browser, from a request that needs somebody to what they decided.
  struct Interaction: Sendable {
    let purpose: Purpose
    /// The cookie of the browser in which it began; no other may go on with it.
    var browser: String
    var session: Session?
  }

  /// What a conversation is about.
  enum Purpose: Sendable {
    case authorization(AuthorizationQuery)
    case device(code: String, scope: [DemoScope])
  }

  init(
    issuer: String, signer: any SigningKey, cryptography: any Cryptography, clock: any WallClock
  ) throws(Failure) {
    mint = Mint(issuer: issuer, signer: signer, cryptography: cryptography)
    self.clock = clock
    pages = Pages(
      styleHash: Base64.encode(try cryptography.digest(.sha256, of: Array(Style.sheet.markup.utf8))))
  }

  var issuer: String { mint.issuer }

  mutating func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
    guard let route = Route(path: request.path) else { return pages.notFound() }
    guard route.methods.contains(where: { $0.isIdentical(to: request.method) }) else {
      return HTTPServerResponse.text("This is not done here.", status: 405)
        .adding("Allow", route.methods.joined(separator: ", "))
    }
    do throws(OAuthError) {
      let isPost = request.method.isIdentical(to: "POST")
      guard let parameters = isPost ? request.formParameters : request.queryParameters else {
        throw OAuthError(.invalidRequest, "The body is no form, or it has too many fields.")
      }
      return try respond(to: request, at: route, with: parameters, isPost: isPost)
    } catch {
      return route.isPage ? pages.refusal(error.description, status: error.status) : error.response
    }
  }

  private mutating func respond(
    to request: HTTPServerRequest, at route: Route, with parameters: ParameterList, isPost: Bool
  ) throws(OAuthError) -> HTTPServerResponse {
    switch route {
    case .home: pages.home(issuer: issuer)
    case .openIDConfiguration, .serverMetadata: .json(metadata)
    case .keys: .json(["keys": [.object(mint.signer.publicKey)]])
    case .authorize: try authorize(request, parameters)
    case .login: try login(request, parameters)
    case .consent: try isPost ? decide(request, parameters) : askConsent(request, parameters)
    case .token: try exchange(request, parameters)
    case .userinfo: try userinfo(request)
    case .deviceAuthorization: try authorizeDevice(request, parameters)
    case .device:
      try isPost
        ? enterUserCode(request, parameters) : pages.userCode(prefilled: parameters["user_code"])
    }
  }
}
