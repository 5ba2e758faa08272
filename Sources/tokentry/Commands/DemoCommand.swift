import DemoProvider
import GLibSupport
import Glibc
import GnuTLSCrypto
import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

struct DemoWishes: WishGroup {
  var serves = false
  var faults = Faults()
  var listsFaults = false
  var client: DemoClient?
  var user: String?

  static let rows = under(
    .agent,
    [
      flag(\.serves, "serve", "keep the provider running, to develop against"),
      row("fault", .texts("NAME[=NUMBER]"), "misbehave in this way") { group, given throws(Failure) in
        do throws(Failure) { try group.faults.add(given.text) } catch {
          throw error.with(hint: error.hint ?? "`tokentry demo --faults` lists them")
        }
      },
      flag(\.listsFaults, "faults", "list the ways to misbehave"),
      value(
        \.client, "client", .text("ID[:SECRET]"), "the client (not given: tokentry-demo)",
        wanting: "a client ID, and after a colon perhaps a secret"
      ) { DemoClient($0) },
      text(\.user, "user", .text("NAME"), "sign this user in without a page"),
    ])

  /// The options of a provider that keeps running.
  static let ofServing = options("client", "user") + GateWishes.options("port")
}

/// `tokentry demo`, and a headless test without a provider: a complete login with discovery, PKCE, consent and an
/// id_token. Its provider is part of this program and listens on this machine until the login ends.
final class DemoCommand: Action {
  private let shared: Composition
  private let options: SignInOptions
  private let wishes: Wishes

  static let options =
    DemoWishes.options + GateWishes.options("port")
    + AskingWishes.options("way", "timeout", "application", "headless-test", "title") + AnswerWishes.options
    + RequestWishes.options("options", "response_type")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    (self.shared, self.wishes) = (shared, wishes)
    options = try SignInOptions(wishes, shared)
    if let option = wishes.first(of: DemoWishes.ofServing) {
      throw Failure(.invalidConfiguration, "\(option.flag) needs \(DemoWishes.flag("serve"))")
    }
  }

  var nextStep: Message? {
    """
    it works: a program would get what is printed above; `tokentry login --issuer URL --client-id ID` signs in at your own \
    provider, and `tokentry providers` lists those that need no URL
    """
  }

  func text() async throws(Failure) -> String {
    var settings = DemoSettings()
    settings.faults = wishes[DemoWishes.self].faults
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: shared.cryptography,
      clock: shared.clock, settings: settings)
    shared.messages.info("the demo provider listens on \(provider.issuer)")
    let request = try request(to: provider.issuer)
    try wishes.answer.format.check(request)
    let token = try await token(for: request)
    await provider.close()
    return try wishes.answer.format.text(of: token, at: shared.clock.now(), user: DemoProvider.userName)
  }

  private func request(to issuer: String) throws(Failure) -> LoginRequest {
    var provider = Provider()
    provider.name = "Demo"
    provider.issuer = try Issuer(issuer)
    provider.scope = "openid profile"
    var profile = ProviderProfile()
    profile.ways = [.window, .browser]
    provider.extra = profile.json
    var request = LoginRequest(
      provider: provider, clientID: DemoClient.identifier,
      redirectURI: try RedirectURI(DemoClient.fixedRedirect))
    request.parameters = [Parameter("login_hint", DemoProvider.userName)]
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
      request.redirectURI = try .onThisMachine(for: request.provider)
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
/// until a signal ends it, or the program that holds the other end of its standard input, but not with the shell that
/// started it.
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
    let (wish, wanted) = (wishes[DemoWishes.self], wishes[GateWishes.self].port)
    // A test may close the pipe as soon as it has read the answer.
    let isHeld = Self.isHeldPipe(STDIN_FILENO)
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: shared.cryptography,
      clock: shared.clock,
      port: wanted ?? Self.port, isFixed: wanted != nil, settings: wish.settings
    ) { answer in messages.info(Message(verbatim: answer)) }
    if wanted == nil, !provider.issuer.hasSuffix(":\(Self.port)") {
      messages.tell("another program has port \(Self.port), so the provider listens at \(provider.issuer)")
    }
    let client = wish.settings.client
    let answer: JSONObject = [
      "issuer": .string(provider.issuer), "client_id": .string(client.identifier),
      "client_secret": client.secret.map(JSONValue.string),
    ]
    let output = StreamedOutput()
    try await output.write(Array("\(answer.text)\n".utf8))
    CrashAnswer.silence()
    try output.finish()
    let (name, password) = (wish.user ?? DemoProvider.userName, DemoProvider.password)
    messages.note(
      """
      sign in as \(name, upTo: 64), with the password \(password); \(provider.issuer) shows what can be changed; \
      Ctrl+C ends it
      """)
    shared.run.pauseDeadline()
    let end = FirstResult<Void, Never>()
    let seconds = wishes.asking.timeout ?? 0
    let timer = seconds > 0 ? Source.after(.seconds(seconds)) { end.finish(.success(())) } : nil
    let reader =
      isHeld
      ? Source.hangUp(of: STDIN_FILENO) { end.finish(.success(())) } : nil
    defer { withExtendedLifetime((timer, reader)) {} }
    await shared.interruption.taking { _ in
      end.finish(.success(()))
      return true
    } _: {
      _ = await end.result()
    }
    await provider.close()
    return ""
  }

  /// True for a pipe or a socket whose other end is still open.
  private static func isHeldPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
      return false
    }
    var watched = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&watched, 1, 0) == 0
  }
}

extension DemoWishes {
  fileprivate var settings: DemoSettings {
    var settings = DemoSettings.serving
    settings.faults = faults
    if let client { settings.client = client }
    if let user { settings.signIn(user) }
    return settings
  }
}

/// `tokentry demo --faults`: lists the ways in which the provider can misbehave.
struct FaultsCommand: Action {
  private let isForReader: Bool

  init(_ wishes: Wishes, _ shared: Composition) { isForReader = wishes.answer.isForReader }

  func text() -> String {
    guard isForReader else { return Faults().json.text + "\n" }
    let rows = Fault.allCases.map { [($0.shape, .bold), ($0.effect, nil)] as [TerminalStyle.Cell] }
    return TerminalStyle.ofTable.table(rows)
  }
}
