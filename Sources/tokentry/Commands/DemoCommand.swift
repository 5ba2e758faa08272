import DemoProvider
import GLibSupport
import GnuTLSCrypto
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// `tokentry demo`, and a headless test without a provider: a complete login with discovery, PKCE, consent and an
/// id_token. Its provider is part of this program and listens on this machine until the login ends.
struct DemoCommand: Action {
  private let run: Composition
  private let options: SignInOptions
  private let settings: Settings

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    (self.run, self.settings) = (run, settings)
    options = try SignInOptions(settings, run)
  }

  func text() async throws(Failure) -> String {
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: run.cryptography, clock: run.clock)
    run.messages.info("the demo provider listens on \(provider.issuer)")
    let request = try request(to: provider.issuer)
    try settings.output.check(request)
    let token = try await token(for: request)
    await provider.close()
    return try settings.output.text(of: token, at: run.clock.now(), user: DemoProvider.userName)
  }

  private func request(to issuer: String) throws(Failure) -> LoginRequest {
    var request: LoginRequest
    do throws(Message) {
      var provider = Provider()
      provider.name = "Demo"
      provider.issuer = try Issuer(issuer)
      provider.scope = "openid profile"
      request = LoginRequest(
        provider: provider, clientID: DemoClient.identifier,
        redirectURI: try RedirectURI(DemoClient.fixedRedirect))
      request.parameters = [Parameter("login_hint", DemoProvider.userName)]
    } catch {
      throw .defect(error.description)
    }
    try request.applyResponse(settings)
    return request
  }

  @GLibActor
  private func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    let (name, password) = (DemoProvider.userName, DemoProvider.password)
    if options.way == .device, !options.replacesAgents {
      run.messages.tell("sign in as \(name), with the password \(password)")
      return try await SignIn(run.host, options).deviceToken(for: wanted)
    }
    let route = try await route(for: wanted)
    var request = wanted
    request.redirectURI = route.redirectURI
    return try await LoginSession(agent: route.agent, run.dependencies).token(for: request)
  }

  /// The window, from which the user may change over to the browser. If neither can be shown, and the user has not asked
  /// for a way, a headless agent signs in.
  @GLibActor
  private func route(for request: LoginRequest) async throws(Failure) -> Route {
    let (name, password) = (DemoProvider.userName, DemoProvider.password)
    let router = Router(run.host, options)
    let formFiller = router.formFiller([
      Parameter("username", name), Parameter("password", password), Parameter("decision", "allow"),
    ])
    let headless = Route(agent: formFiller, redirectURI: request.redirectURI)
    if options.replacesAgents { return headless }
    var question = router.question(for: request)
    question.preset = run.environment.hasDisplay ? [.window, .browser] : [.window]
    if question.responseMode == .query { question.redirectURI = try .ofThisMachine() }
    let tell: @Sendable (Failure) -> Void = { [messages = run.messages] failure in
      messages.tell("\(failure.message), so a headless agent signs in as \(name)")
    }
    do throws(Failure) {
      let route = try await router.route(question)
      let place: Message = question.asked == .browser ? "your browser" : "the window that opens"
      run.messages.tell("sign in as \(name), with the password \(password), in \(place)")
      if question.asked != nil { return route }
      let agent = WindowOrHeadless(window: route.agent, formFiller: formFiller, tell: tell)
      return Route(agent: agent, redirectURI: route.redirectURI)
    } catch {
      guard question.asked == nil, error.showsNoPage else { throw error }
      tell(error)
      return headless
    }
  }
}

/// `tokentry demo --serve`: a provider for applications under development. It prints its issuer and its client, and stays
/// until a signal ends it, even if the shell that started it has ended.
struct ServeCommand: Action {
  /// A port of its own, so that the settings of an application stay true. RFC 8414 is about a provider's metadata.
  private static let port: UInt16 = 8_414

  private let run: Composition
  private let settings: Settings

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    (self.run, self.settings) = (run, settings)
    let ofLogins: [Option] = [.responseType, .way, .title, .application, .output]
    if let option = ofLogins.first(where: settings.has) {
      throw .contradiction(Option.serve.flag, option.flag)
    }
  }

  func text() async throws(Failure) -> String {
    let messages = run.messages
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: run.cryptography, clock: run.clock,
      port: Self.port, settings: .serving
    ) { answer in messages.info(Message(verbatim: answer)) }
    if !provider.issuer.hasSuffix(":\(Self.port)") {
      messages.tell("another program has port \(Self.port), so the provider listens at \(provider.issuer)")
    }
    let answer: JSONObject = [
      "issuer": .string(provider.issuer), "client_id": .string(DemoClient.identifier),
    ]
    let output = StreamedOutput()
    try await output.write(Array("\(answer.text)\n".utf8))
    CrashAnswer.silence()
    try output.finish()
    let (name, password) = (DemoProvider.userName, DemoProvider.password)
    messages.note(
      """
      sign in as \(name), with the password \(password); \(provider.issuer) shows what can be changed; \
      Ctrl+C ends it
      """)
    run.time.pauseDeadline()
    let end = FirstResult<Void, Never>()
    let isLimited = settings.has(.timeout) && settings.timeout > 0
    let timer = isLimited ? Source.timer(every: .seconds(settings.timeout)) { end.finish(.success(())) } : nil
    defer { withExtendedLifetime(timer) {} }
    await run.interruption.taking { _ in
      end.finish(.success(()))
      return true
    } _: {
      _ = await end.result()
    }
    await provider.close()
    return ""
  }
}

/// Takes the user to a page in a window. If none can be shown, fills in the forms instead.
private struct WindowOrHeadless: UserAgent {
  let window: any UserAgent
  let formFiller: HeadlessAgent
  let tell: @Sendable (Failure) -> Void

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    do throws(Failure) {
      return try await window.visit(visit)
    } catch {
      guard error.showsNoPage else { throw error }
      tell(error)
      return try await formFiller.visit(visit)
    }
  }

  func dismiss() async { await window.dismiss() }
  func conclude(_ conclusion: Conclusion) async { await window.conclude(conclusion) }
}

extension Failure {
  fileprivate var showsNoPage: Bool { [.noDisplay, .noUserAgent, .windowFailed].contains(code) }
}
