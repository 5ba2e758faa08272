import DemoProvider
import GLibSupport
import GnuTLSCrypto
import LoginCore
import Platform
import SignIn
import WindowProtocol

struct DemoWishes: WishGroup {
  var serves = false

  static let rows = under(.agent, [flag(\.serves, "serve", "keep the provider running, to develop against")])
}

/// `tokentry demo`, and a headless test without a provider: a complete login with discovery, PKCE, consent and an
/// id_token. Its provider is part of this program and listens on this machine until the login ends.
final class DemoCommand: Action {
  private let shared: Composition
  private let options: SignInOptions
  private let wishes: Wishes

  static let options =
    DemoWishes.options
    + AskingWishes.options("way", "timeout", "application", "headless-test", "title") + AnswerWishes.options
    + RequestWishes.options("options", "response_type")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    (self.shared, self.wishes) = (shared, wishes)
    options = try SignInOptions(wishes, shared)
  }

  var nextStep: Message? {
    """
    it works: a program would get what is printed above; `tokentry login --issuer URL --client-id ID` signs in at your own \
    provider, and `tokentry providers` lists those that need no URL
    """
  }

  func text() async throws(Failure) -> String {
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: shared.cryptography, clock: shared.clock
    )
    shared.messages.info("the demo provider listens on \(provider.issuer)")
    let request = try request(to: provider.issuer)
    try wishes.answer.format.check(request)
    let token = try await token(for: request)
    await provider.close()
    return try wishes.answer.format.text(of: token, at: shared.clock.now(), user: DemoProvider.userName)
  }

  private func request(to issuer: String) throws(Failure) -> LoginRequest {
    var request: LoginRequest
    do throws(Message) {
      var provider = Provider()
      provider.name = "Demo"
      provider.issuer = try Issuer(issuer)
      provider.scope = "openid profile"
      var profile = ProviderProfile()
      profile.ways = [.window, .browser]
      provider.extra = profile.json
      request = LoginRequest(
        provider: provider, clientID: DemoClient.identifier,
        redirectURI: try RedirectURI(DemoClient.fixedRedirect))
      request.parameters = [Parameter("login_hint", DemoProvider.userName)]
    } catch {
      throw .defect(error.description)
    }
    try request.applyResponse(wishes.request)
    // The demo answers with whatever is asked for, so a token from its page is no surprise.
    request.provider.responseType = request.responseType
    return request
  }

  /// The user signs in in a window, and may change over to the browser. If neither can be shown, and the user has not asked
  /// for a way, a headless agent signs in.
  private func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    let (name, password) = (DemoProvider.userName, DemoProvider.password)
    if options.replacesWays { return try await headlessToken(for: wanted) }
    var request = wanted
    if request.effectiveResponseMode == .query {
      request.redirectURI = try .ofThisMachine(for: request.provider)
    }
    do throws(Failure) {
      guard shared.environment.hasDisplay || options.way != nil else { throw shared.environment.noDisplay }
      switch options.way {
      case .device: shared.messages.tell("sign in as \(name), with the password \(password)")
      case .window where !shared.environment.hasDisplay: break
      default:
        let place: Message = options.way == .browser ? "your browser" : "the window that opens"
        shared.messages.tell("sign in as \(name), with the password \(password), in \(place)")
      }
      return try await SignIn(shared.host, options).login(request).token
    } catch {
      guard options.way == nil, [.noDisplay, .noUserAgent, .windowFailed].contains(error.code) else {
        throw error
      }
      shared.messages.tell("\(error.message), so a headless agent signs in as \(name)")
      return try await headlessToken(for: wanted)
    }
  }

  private func headlessToken(for request: LoginRequest) async throws(Failure) -> Token {
    var options = options
    options.user = .form([
      Parameter("username", DemoProvider.userName), Parameter("password", DemoProvider.password),
      Parameter("decision", "allow"),
    ])
    return try await SignIn(shared.host, options).login(request).token
  }
}

/// `tokentry demo --serve`: a provider for applications under development. It prints its issuer and its client, and stays
/// until a signal ends it, even if the shell that started it has ended.
struct ServeCommand: Action {
  /// A port of its own, so that the settings of an application stay true. RFC 8414 is about a provider's metadata.
  private static let port: UInt16 = 8_414

  private let shared: Composition
  private let wishes: Wishes

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    (self.shared, self.wishes) = (shared, wishes)
    let ofLogins =
      RequestWishes.options("response_type") + AskingWishes.options("way", "title", "application")
      + AnswerWishes.options
    if let option = wishes.first(of: ofLogins) {
      throw .contradiction(DemoWishes.flag("serve"), option.flag)
    }
  }

  func text() async throws(Failure) -> String {
    let messages = shared.messages
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: shared.cryptography,
      clock: shared.clock,
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
    shared.run.pauseDeadline()
    let end = FirstResult<Void, Never>()
    let seconds = wishes.asking.timeout ?? 0
    let timer = seconds > 0 ? Source.after(.seconds(seconds)) { end.finish(.success(())) } : nil
    defer { withExtendedLifetime(timer) {} }
    await shared.interruption.taking { _ in
      end.finish(.success(()))
      return true
    } _: {
      _ = await end.result()
    }
    await provider.close()
    return ""
  }
}
