import GLibSupport
import LoginCore
import LoginWays
import Wording

/// Gets a new token: by the grant of the request, on the way that leads to its user, and with the client that it names
/// or that the provider makes for it.
@GLibActor
struct SignIn {
  let run: Composition
  let way: WaySettings
  let output: OutputFormat
  /// The user's password, for the grant that takes one.
  let password: Password?
  let registration: ClientRegistration
  /// The client that the caller has named.
  private let client: GivenClient?

  /// Reads what logins of all kinds depend on.
  nonisolated init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    way = try WaySettings(settings)
    output = settings.output
    password = settings.password
    registration = ClientRegistration(settings, run)
    client = GivenClient(
      settings[.clientID], settings.clientSecret,
      settings[.clientAuthentication].flatMap(ClientAuthentication.init))
  }

  /// The same for somebody who signs in to an account.
  private init(_ other: SignIn, for account: Account) {
    (run, output, password, registration) = (other.run, other.output, other.password, other.registration)
    client = other.client
    way = other.way.withCookies(of: account)
  }

  /// Whether somebody has to do something for a new token: a password that was not given is not made up.
  nonisolated func needsUser(for login: LoginRequest) -> Bool {
    login.grant.asksUser || login.grant == .password && password == nil
  }

  /// A new token, and the request that has brought it: with a client of its own, or with the one that is kept for the
  /// provider, or that the provider makes now. A kept one that the provider has forgotten is made anew, once.
  func login(for wanted: LoginRequest) async throws(Failure) -> (login: LoginRequest, token: Token) {
    guard wanted.mayRegister else { return (wanted, try await token(for: wanted)) }
    let port = ReservedPort(
      for: wanted.redirectURI, requester: way.isTest ? nil : Router(run, way).requester, run.cryptography)
    let found = try await registration.client(for: wanted, at: port)
    do throws(Failure) {
      return try await login(for: wanted, by: found.client, at: port)
    } catch {
      guard error.isUnknownClient, !found.isNew else { throw error }
    }
    run.messages.info(.clientForgotten)
    try await run.store.forgetClient(of: wanted.made(by: found.client))
    return try await login(
      for: wanted, by: try await registration.client(for: wanted, at: port).client, at: port)
  }

  /// The port that the client was registered with belongs to this one login: what is kept of it does not name it.
  private func login(
    for wanted: LoginRequest, by client: RegisteredClient, at port: ReservedPort
  ) async throws(Failure) -> (login: LoginRequest, token: Token) {
    let login = wanted.made(by: client)
    var request = login
    request.redirectURI = client.redirectURI ?? wanted.redirectURI
    return (login, try await token(for: request, at: port))
  }

  /// The account with a new token.
  func account(_ account: Account) async throws(Failure) -> Account {
    if needsUser(for: account.login) { run.messages.info(.signInNeeded) }
    try await run.store.prepare()
    let signIn = SignIn(self, for: account)
    let wanted = try await newLogin(of: account)
    let (login, token) = try await signIn.login(for: wanted)
    var renewed = account.loggedIn(by: login, with: token, receivedAt: run.clock.now())
    renewed.session = way.cookieJar?.text ?? account.session
    if account.resource != nil {
      renewed.provider = login.provider.issuer?.description
      renewed.hasRegisteredClient = wanted.clientID.isEmpty
    }
    return renewed
  }

  /// The request of a new login; an API is asked again where its tokens come from.
  private func newLogin(of account: Account) async throws(Failure) -> LoginRequest {
    guard let resource = account.resource else { return account.newLogin }
    let found = try await run.found(resource) { [messages = run.messages] in messages.info($0) }
    return account.newLogin(
      at: found, redirectURI: try .ofThisMachine(for: found.provider.issuer), naming: client)
  }

  private func token(for request: LoginRequest, at port: ReservedPort? = nil) async throws(Failure) -> Token {
    try output.checkResponseType(request.responseType)
    try output.checkBinding(request.provider.bindsTokens)
    switch request.grant {
    case .clientCredentials, .password: return try await directToken(for: request)
    case .device:
      if let asked = way.asked, asked != .device, asked != .window {
        throw .configuration(.wayOfDeviceGrant(asked))
      }
      return try await deviceToken(for: request)
    case .code, .implicit: return try await brokeredToken(for: request, port)
    }
  }

  /// A token of which the user has been asked, on whatever way.
  private func brokeredToken(
    for wanted: LoginRequest, _ port: ReservedPort?
  ) async throws(Failure) -> Token {
    if way.asked == .device, !way.isTest { return try await deviceToken(for: wanted) }
    try LoginSession.check(wanted)
    if wanted.responseType.includesToken, !wanted.provider.responseType.includesToken {
      // RFC 9700 section 2.1.2; a preset that says so knows nothing better.
      run.messages.warning(.implicitGrant)
    }
    let router = Router(run, way)
    var request = way.isTest ? wanted : try await described(wanted)
    request = request.asked(in: run.environment.languages)
    let question = router.question(for: request)
    if !way.isTest, router.choice(question).ways.first == .device {
      return try await deviceToken(for: request)
    }
    let route = try await router.route(question, of: request.provider, at: port)
    request.redirectURI = route.redirectURI
    return try await LoginSession(agent: route.agent, run.dependencies).token(for: request)
  }

  /// The request with what the issuer says of itself, where it depends on that whether there is a way to the user:
  /// without a display, only a code for another device may be one.
  private func described(_ request: LoginRequest) async throws(Failure) -> LoginRequest {
    if run.environment.hasDisplay || way.asked != nil || request.responseType != .code { return request }
    return try await request.completed(needing: [.deviceAuthorization], through: run.transport)
  }
}
