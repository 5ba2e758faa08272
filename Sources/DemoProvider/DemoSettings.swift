import LoginCore
import SoupNetwork

/// How the provider behaves towards the application under development. The provider's home page changes it while it runs,
/// and so does a POST by a script: `curl -d access=deny http://127.0.0.1:8414/`.
package struct DemoSettings: Sendable, Equatable {
  /// The answer to an application that asks for access.
  enum Access: String, CaseIterable { case ask, allow, deny }
  /// The lifetime of access tokens and id_tokens, in seconds.
  enum TokenLife: String, CaseIterable { case hour = "3600", minute = "60", seconds = "10" }
  /// A refresh token that is used again ends all tokens of its sign-in if it was replaced (RFC 9700 section 4.14.2).
  enum Refresh: String, CaseIterable { case replaced, kept, refused }
  /// Who has to prove possession of a key (RFC 9449).
  enum Proof: String, CaseIterable { case optional, required }

  var access = Access.ask
  var tokenLife = TokenLife.hour
  var refresh = Refresh.refused
  var proof = Proof.optional
  /// A redirect URI besides those on this machine. Empty if there is no other.
  var redirectURI = DemoClient.fixedRedirect
  package var client = DemoClient()
  /// The user who signs in where no person does.
  var user = DemoProvider.userName
  package var faults = Faults()

  package init() {}

  /// The settings of a provider that keeps running, so that tokens can be refreshed.
  package static var serving: DemoSettings {
    var settings = DemoSettings()
    settings.refresh = .replaced
    return settings
  }

  /// Signs this user in without a page.
  package mutating func signIn(_ name: String) { (access, user) = (.allow, name) }

  var life: Int64 { Int64(tokenLife.rawValue) ?? 0 }

  /// Changes the settings that a form names, and leaves the others.
  mutating func change(_ form: ParameterList) throws(OAuthError) {
    try OAuthError.refuseRepeated(in: form)
    func choose<Choice: RawRepresentable<String>>(_ name: String, _ choice: inout Choice) throws(OAuthError) {
      guard let text = form[name] else { return }
      guard let wanted = Choice(rawValue: text) else {
        throw OAuthError(.invalidRequest, "\(name) cannot be \(text.forDisplay(limit: 40)).")
      }
      choice = wanted
    }
    var changed = self
    try choose("access", &changed.access)
    try choose("token_life", &changed.tokenLife)
    try choose("refresh", &changed.refresh)
    try choose("proof", &changed.proof)
    if let uri = form["redirect_uri"] { changed.redirectURI = uri }
    for name in form.parameters.map(\.name) where !Self.names.contains(where: { $0.isIdentical(to: name) }) {
      throw OAuthError(.invalidRequest, "There is no setting \(name.forDisplay(limit: 40)).")
    }
    self = changed
  }

  private static let names = ["access", "token_life", "refresh", "proof", "redirect_uri"]
}

extension DemoServer {
  /// Answers the form of the home page.
  mutating func changeSettings(
    _ request: HTTPServerRequest, _ form: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkOrigin(request)
    try settings.change(form)
    return .redirect(to: Route.home.rawValue)
  }

  /// Refuses forms of other sites: a browser says that they sent it, in either field. The page itself sends no referrer, and
  /// so an opaque origin.
  func checkOrigin(_ request: HTTPServerRequest) throws(OAuthError) {
    let site = request[header: "Sec-Fetch-Site"]
    let own = site == "same-origin" ? [issuer, "null"] : [issuer]
    let origins = request.headers.filter { $0.name.lowercased() == "origin" }.map(\.value)
    guard site == nil || site == "same-origin" || site == "none", origins.allSatisfy(own.contains) else {
      throw OAuthError(.invalidRequest, "Only the page of the provider itself can change its settings.")
    }
  }
}

extension Pages {
  /// Tells developers what they need to know, and lets them change the settings.
  func home(issuer: String, _ settings: DemoSettings) -> HTTPServerResponse {
    page(
      "A practice provider",
      """
      <p>Applications can practise signing people in here.</p>
      <p>Its issuer is <code>\(issuer)</code>, its client <code>\(settings.client.identifier)</code>. See also
       <a href="\(Route.openIDConfiguration.rawValue)">its metadata</a>, and
       <a href="\(Route.log.rawValue)">what it has seen</a>.</p>
      <form method="post" action="/">
      \(choice("access", "Who asks for access", settings.access) {
        switch $0 {
        case .ask: "asks the user"
        case .allow: "gets it, without a page"
        case .deny: "is refused, without a page"
        }
      })
      \(choice("token_life", "Tokens are valid for", settings.tokenLife) {
        switch $0 {
        case .hour: "an hour"
        case .minute: "a minute"
        case .seconds: "10 seconds"
        }
      })
      \(choice("refresh", "Refresh tokens", settings.refresh) {
        switch $0 {
        case .replaced: "are replaced at each use"
        case .kept: "stay valid"
        case .refused: "are neither issued nor accepted"
        }
      })
      \(choice("proof", "Binding tokens to a key (DPoP) is", settings.proof) {
        switch $0 {
        case .optional: "up to the application"
        case .required: "required"
        }
      })
      <label for="redirect_uri">Redirect URI besides those on this machine</label>
      <input id="redirect_uri" name="redirect_uri" value="\(settings.redirectURI)" autocomplete="off"
       spellcheck="false">
      <button class="yes">Change</button>
      </form>
      \(switches(settings.faults))
      """)
  }

  private func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ label: String, _ current: Choice, _ words: (Choice) -> String
  ) -> HTML {
    let options = Choice.allCases.map { choice -> HTML in
      let selected: HTML? = choice.rawValue == current.rawValue ? " selected" : nil
      return "<option value=\"\(choice.rawValue)\"\(selected)>\(words(choice))</option>"
    }
    return """
      <label for="\(name)">\(label)</label>
      <select id="\(name)" name="\(name)">\(HTML(options))</select>
      """
  }
}
