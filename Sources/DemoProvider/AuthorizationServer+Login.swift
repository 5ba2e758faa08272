import LoginCore
import SoupNetwork

/// The conversation with a person. Each of its forms carries the secret name of the interaction, and counts
/// only from the browser in which the interaction began: another site can neither guess the one nor send the
/// other.
extension AuthorizationServer {
  private static let interactionLife: Int64 = 600

  /// Cookies are shared by all ports of a host, so their name tells the port.
  var cookieName: String { "demo-\(issuer.parts(at: ":").last ?? "")" }

  /// Begins a conversation with the first page that is needed.
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
    let page = pages.login(identifier, name: nameHint)
    return known == nil ? page.adding("Set-Cookie", cookie(browser)) : page
  }

  /// The login page was sent back.
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
    let browser = try mint.secret()  // never the cookie that somebody else may have set
    interactions.update(identifier) {
      $0.browser = browser
      $0.session = session
    }
    return HTTPServerResponse.redirect(to: "\(Route.consent.rawValue)?interaction=\(identifier)")
      .adding("Set-Cookie", cookie(browser))
  }

  /// The page that asks, as often as it is loaded.
  mutating func askConsent(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    let (identifier, interaction) = try interaction(request, parameters)
    return page(for: interaction, identifier)
  }

  /// The consent page was sent back.
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
        return .redirect(to: query.address.callback(OAuthError(.accessDenied, "The user said no.")))
      }
      return .redirect(to: try callback(to: query, in: session))
    case .device(let code, let scope):
      return finishDevice(code, scope, in: session, decision)
    }
  }

  /// The buttons there are.
  enum Decision: String {
    case allow, deny, change
  }

  /// The conversation that a form or a link belongs to.
  private func interaction(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> (String, Interaction) {
    try OAuthError.refuseRepeated(in: parameters)
    guard let identifier = parameters["interaction"],
      let interaction = interactions.value(for: identifier, at: clock.now()),
      request.cookie(cookieName)?.isIdentical(to: interaction.browser) == true
    else {
      throw OAuthError(
        .invalidRequest, "This page is no longer good. Please start again from the application.")
    }
    return (identifier, interaction)
  }

  /// What has to be asked next.
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
