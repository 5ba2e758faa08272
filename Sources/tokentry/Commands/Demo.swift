import DemoProvider
import GnuTLSCrypto
import LoginCore
import UserAgents

extension CommandRun {
  /// `tokentry demo`, and a headless test of nothing in particular: a complete login against the embedded
  /// provider, with discovery, PKCE, consent and an id_token. It listens on this machine while it lasts.
  func demo(_ settings: Settings) async throws(Failure) -> String {
    let clock = SystemClock()
    let cryptography = GnuTLSCryptography()
    let format = OutputFormat(settings)
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: cryptography, clock: clock)
    messages.info("the demo provider listens on \(provider.issuer)")
    let request = try Self.demoRequest(settings, issuer: provider.issuer)
    try format.checkResponseType(request.responseType)
    let token = try await demoToken(for: request, settings)
    await provider.close()
    return try format.text(of: token, at: clock.now(), user: DemoProvider.userName)
  }

  private func demoToken(for wanted: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    if settings.askedWay == .device, !settings.has(.headlessTest) {
      messages.tell("sign in as \(DemoProvider.userName), with the password \(DemoProvider.password)")
      return try await deviceToken(for: wanted, settings)
    }
    let route = try await demoRoute(settings, for: wanted)
    var request = wanted
    request.redirectURI = route.redirectURI
    let session = LoginSession(agent: route.agent, try await means(settings))
    return try await session.token(for: request)
  }

  private static func demoRequest(_ settings: Settings, issuer: String) throws(Failure) -> LoginRequest {
    var request: LoginRequest
    do throws(AddressFault) {
      var provider = Provider()
      provider.name = "Demo"
      provider.issuer = try Issuer(issuer)
      provider.scope = "openid profile"
      request = LoginRequest(
        provider: provider, clientID: DemoClient.identifier,
        redirectURI: try RedirectURI(DemoClient.fixedRedirect))
      request.parameters = [Parameter("login_hint", DemoProvider.userName)]
    } catch {
      throw .defect("the demo provider's address is \(error)")
    }
    try request.applyResponse(settings)
    return request
  }

  /// The window where there can be one, from which the user may change over to the browser, and else nobody is
  /// asked; whoever has not chosen that is told.
  private func demoRoute(_ settings: Settings, for request: LoginRequest) async throws(Failure) -> Route {
    let formFiller = HeadlessAgent(
      loader: TransportPageLoader(try await transport(settings, keepsCookies: true)),
      values: [
        Parameter("username", DemoProvider.userName), Parameter("password", DemoProvider.password),
        Parameter("decision", "allow"),
      ], observe: observer)
    let nobody = Route(agent: formFiller, redirectURI: request.redirectURI)
    if settings.has(.headlessTest) { return nobody }
    var question = WayChoice.Question(settings, for: request)
    question.preset = hasDisplay ? [.window, .browser] : [.window]
    if question.responseMode == .query { question.redirectURI = try .ofThisMachine() }
    let tell: @Sendable (Failure) -> Void = { [messages] failure in
      messages.tell("\(failure.message), so a headless agent signs in as \(DemoProvider.userName)")
    }
    do throws(Failure) {
      let route = try await route(settings, question)
      let place = question.asked == .browser ? "your browser" : "the window that opens"
      messages.tell(
        "sign in as \(DemoProvider.userName), with the password \(DemoProvider.password), in \(place)")
      if question.asked != nil { return route }
      let agent = WindowOrNobody(window: route.agent, formFiller: formFiller, tell: tell)
      return Route(agent: agent, redirectURI: route.redirectURI)
    } catch {
      guard question.asked == nil, case .display = error else { throw error }
      tell(error)
      return nobody
    }
  }
}

/// Takes the user to a page in a window; where none can be shown, forms are filled in without anybody.
private struct WindowOrNobody: UserAgent {
  let window: any UserAgent
  let formFiller: HeadlessAgent
  let tell: @Sendable (Failure) -> Void

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    do throws(Failure) {
      return try await window.visit(visit)
    } catch {
      guard case .display = error else { throw error }
      tell(error)
      return try await formFiller.visit(visit)
    }
  }

  func dismiss() async { await window.dismiss() }
}
