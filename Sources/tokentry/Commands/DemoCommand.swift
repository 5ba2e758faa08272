import DemoProvider
import GLibSupport
import GnuTLSCrypto
import LoginCore
import LoginWays
import UserAgents
import Wording

/// `tokentry demo`, and a headless test of nothing in particular: a complete login against the embedded provider, with
/// discovery, PKCE, consent and an id_token. It listens on this machine while it lasts.
struct DemoCommand: Action {
  private let run: Composition
  private let signIn: SignIn
  private let settings: Settings

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    (self.run, self.settings) = (run, settings)
    signIn = try SignIn(settings, run)
  }

  func text() async throws(Failure) -> String {
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: run.cryptography, clock: run.clock)
    run.messages.info(.demoListens(provider.issuer))
    let request = try request(to: provider.issuer)
    try signIn.output.checkResponseType(request.responseType)
    let token = try await token(for: request)
    await provider.close()
    return try signIn.output.text(of: token, at: run.clock.now(), user: DemoProvider.userName)
  }

  private func request(to issuer: String) throws(Failure) -> LoginRequest {
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
      throw .defect(.here("\(error)"))
    }
    try request.applyResponse(settings)
    return request
  }

  @GLibActor
  private func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    if signIn.way.asked == .device, !signIn.way.isTest {
      run.messages.tell(Self.user(in: nil))
      return try await signIn.deviceToken(for: wanted)
    }
    let route = try await route(for: wanted)
    var request = wanted
    request.redirectURI = route.redirectURI
    return try await LoginSession(agent: route.agent, run.dependencies).token(for: request)
  }

  private static func user(in place: Notice.DemoPlace?) -> Notice {
    .demoUser(name: DemoProvider.userName, password: DemoProvider.password, place)
  }

  /// The window where there can be one, from which the user may change over to the browser, and else nobody is
  /// asked; whoever has not chosen that is told.
  @GLibActor
  private func route(for request: LoginRequest) async throws(Failure) -> Route {
    let router = Router(run, signIn.way)
    let formFiller = HeadlessAgent(
      loader: TransportPageLoader(run.pageTransport()),
      values: [
        Parameter("username", DemoProvider.userName), Parameter("password", DemoProvider.password),
        Parameter("decision", "allow"),
      ], observe: router.observer)
    let nobody = Route(agent: formFiller, redirectURI: request.redirectURI)
    if signIn.way.isTest { return nobody }
    var question = router.question(for: request)
    question.preset = run.environment.hasDisplay ? [.window, .browser] : [.window]
    if question.responseMode == .query { question.redirectURI = try .ofThisMachine() }
    let tell: @Sendable (Failure) -> Void = { [messages = run.messages] failure in
      messages.tell(.demoByItself(failure, name: DemoProvider.userName))
    }
    do throws(Failure) {
      let route = try await router.route(question)
      run.messages.tell(Self.user(in: question.asked == .browser ? .browser : .window))
      if question.asked != nil { return route }
      let agent = WindowOrNobody(window: route.agent, formFiller: formFiller, tell: tell)
      return Route(agent: agent, redirectURI: route.redirectURI)
    } catch {
      guard question.asked == nil, error.way != nil else { throw error }
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
      guard error.way != nil else { throw error }
      tell(error)
      return try await formFiller.visit(visit)
    }
  }

  func dismiss() async { await window.dismiss() }
  func conclude(_ conclusion: Conclusion) async { await window.conclude(conclusion) }
}
