import LoginCore
import SoupNetwork

/// The conversation with a person. Each form carries the secret name of the interaction, and is accepted only from the
/// browser in which the interaction began. Another site can neither guess the name nor send the browser's cookie.
extension DemoServer {
  private static let interactionLife: Int64 = 600

  /// All ports of a host share their cookies, so the name contains the port.
  var cookieName: String { "demo-\(issuer.parts(at: ":").last ?? "")" }

  /// Begins a conversation, with the login page.
  mutating func begin(
    _ purpose: Purpose, in request: HTTPServerRequest, nameHint: String? = nil
  ) throws(OAuthError) -> HTTPServerResponse {
    let known = request.cookie(cookieName)
    let browser = if let known { known } else { try mint.secret() }
    let identifier = try mint.secret()
    let now = clock.now()
    interactions.insert(
      Interaction(purpose: purpose, browser: browser), for: identifier,
      until: now.later(Self.interactionLife), now: now)
    let page = pages.login(identifier, name: nameHint, opensWindow: meets(.pagePopup))
    return known == nil ? page.adding("Set-Cookie", cookie(browser)) : page
  }

  /// Answers the form of the login page.
  mutating func login(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    let (identifier, _) = try interaction(request, parameters)
    let name = parameters["username"] ?? ""
    guard let user = try DemoUser(name: name, mint: mint) else {
      return pages.login(
        identifier, name: name, error: "Please enter a name of up to 64 characters.", status: 403)
    }
    guard parameters["password"]?.isIdentical(to: DemoUser.password) == true else {
      return pages.login(
        identifier, name: name, error: "That is not the password.", status: 403)
    }
    let session = Session(user: user, signedInAt: clock.now())
    let browser = try mint.secret()  // not the old cookie, which an attacker may have set
    interactions.update(identifier) {
      $0.browser = browser
      $0.session = session
    }
    return HTTPServerResponse.redirect(to: "\(Route.consent.rawValue)?interaction=\(identifier)")
      .adding("Set-Cookie", cookie(browser))
  }

  /// Shows the consent page, however often it is loaded.
  mutating func askConsent(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    let (identifier, interaction) = try interaction(request, parameters)
    return page(for: interaction, identifier)
  }

  /// Answers the form of the consent page.
  mutating func decide(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    let (identifier, interaction) = try interaction(request, parameters)
    guard let decision = parameters["decision"].flatMap(Decision.init) else {
      return page(for: interaction, identifier)
    }
    if decision == .change {
      interactions.update(identifier) { $0.session = nil }
      return pages.login(identifier)
    }
    guard let session = interaction.session else { return page(for: interaction, identifier) }
    _ = interactions.take(identifier, at: clock.now())
    switch interaction.purpose {
    case .authorization(let query):
      if decision == .deny {
        return .redirect(to: query.address.callback(OAuthError.denied))
      }
      return .redirect(to: try callback(to: query, in: session))
    case .device(let code, let scope):
      return finishDevice(code, scope, in: session, decision)
    }
  }

  /// The buttons.
  enum Decision: String {
    case allow, deny, change
  }

  /// Returns the conversation that a form or a link belongs to.
  private func interaction(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> (String, Interaction) {
    try OAuthError.refuseRepeated(in: parameters)
    guard let identifier = parameters["interaction"],
      let interaction = interactions.value(for: identifier, at: clock.now()),
      request.cookie(cookieName)?.isIdentical(to: interaction.browser) == true
    else {
      throw OAuthError(
        .invalidRequest, "This page is no longer valid. Please start again from the application.")
    }
    return (identifier, interaction)
  }

  /// Returns the next page of the conversation.
  private func page(
    for interaction: Interaction, _ identifier: String
  ) -> HTTPServerResponse {
    guard let session = interaction.session else { return pages.login(identifier) }
    return switch interaction.purpose {
    case .authorization(let query): pages.consent(identifier, session.user, query.scope)
    case .device(_, let scope): pages.consent(identifier, session.user, scope, isDevice: true)
    }
  }

  private func cookie(_ value: String) -> String {
    "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Lax"
  }
}

/// A user of the demo provider. Any name is accepted.
struct DemoUser: Sendable, Equatable {
  /// The password of all users. The login page shows it.
  static let password = "demo"
  /// The limit for names, since they are printed on pages.
  private static let longestName = 64

  let name: String
  /// An identifier in ASCII that is the same at each login with this name (OpenID Connect Core section 2).
  let subject: String

  /// Returns nil if the name is empty, too long, or not one line of text.
  init?(name: String, mint: Mint) throws(OAuthError) {
    guard !name.isEmpty, name.unicodeScalars.count <= Self.longestName,
      name.forDisplay().isIdentical(to: name)
    else { return nil }
    self.name = name
    subject = "user-" + Base64.encodeURLSafe(try mint.digest("demo user \(name)").prefix(12))
  }

  /// Returns the claims that the scopes grant (OpenID Connect Core section 5.4).
  func claims(for scope: [DemoScope]) -> JSONObject {
    var claims: JSONObject = ["sub": .string(subject)]
    if scope.contains(.profile) {
      claims["name"] = .string(name)
      claims["preferred_username"] = .string(name)
    }
    return claims
  }
}

/// A scope of the demo provider.
enum DemoScope: String, CaseIterable, Sendable {
  case openid, profile, admin

  /// The text on the consent page.
  var explanation: String {
    switch self {
    case .openid: "Recognise you when you come back"
    case .profile: "Read your name"
    case .admin: "Use the part of the demo's API that needs a fresh sign-in"
    }
  }

  /// Returns the requested scopes that are known. The answer tells the client if others were left out (RFC 6749
  /// section 3.3).
  static func list(_ text: String?) throws(OAuthError) -> [DemoScope] {
    guard let text else { return [.profile] }
    let words = text.parts(at: " ")
    let known = allCases.filter { scope in words.contains { $0.isIdentical(to: scope.rawValue) } }
    if known.isEmpty { throw OAuthError(.invalidScope, "None of these scopes is known here.") }
    return known
  }
}

extension [DemoScope] {
  /// The list as a `scope` parameter.
  var text: String { map(\.rawValue).joined(separator: " ") }
}
