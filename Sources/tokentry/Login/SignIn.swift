import GLibSupport
import Language
import LoginCore
import LoginKit
import Platform
import SignIn
import WindowProtocol

/// Gets a new token with the grant of a request. It chooses the way to the user, and finds or registers a client if the
/// request has no client.
@GLibActor
struct SignIn {
  let run: Composition
  let way: LoginSettings
  let output: OutputFormat
  /// The user's password, for the password grant.
  let password: Password?
  /// The token to exchange, for that grant.
  let subject: Token?
  private let registration: ClientRegistration
  /// The client that the caller names, and its server.
  private let client: GivenClient?
  private let issuer: Issuer?

  nonisolated init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    way = try LoginSettings(settings)
    output = settings.output
    password = settings.password
    subject = settings.token
    registration = ClientRegistration(settings, run)
    client = GivenClient(
      settings[.clientID], settings.clientSecret, settings.clientKey,
      settings[.clientAuthentication].flatMap(ClientAuthentication.init))
    issuer = try settings.value(of: .issuer, as: Issuer.init)
  }

  /// The sign-in to a kept account, with its cookies.
  private init(_ other: SignIn, for account: Account) {
    (run, output, password, registration) = (other.run, other.output, other.password, other.registration)
    (client, issuer, subject) = (other.client, other.issuer, nil)
    way = other.way.withCookies(of: account)
  }

  /// True if the user has to act for a new token. A missing password or token has to come from the user, too.
  nonisolated func needsUser(for login: LoginRequest) -> Bool {
    login.grant.asksUser || login.grant == .password && password == nil
      || login.grant == .tokenExchange && subject == nil
  }

  /// Returns a new token, and the request that brought it: in the name of its own client, or of the kept one, or of one
  /// that is registered now. If the provider no longer knows the kept client, another one is registered, once.
  func login(for wanted: LoginRequest) async throws(Failure) -> (login: LoginRequest, token: Token) {
    guard wanted.mayRegister else { return (wanted, try await token(for: wanted)) }
    let port = ReservedPort(
      for: wanted.redirectURI, requester: way.isTest ? nil : Router(run, way).requester, run.cryptography)
    return try await wanted.signedIn { () async throws(Failure) in
      try await registration.client(for: wanted, at: port)
    } forget: { login async throws(Failure) in
      run.messages.info("the provider no longer knows the client; requesting a new one")
      try await run.store.forgetClient(of: login)
    } _: { request async throws(Failure) in
      try await token(for: request, at: port)
    }
  }

  /// Returns the account with a new token.
  func account(_ account: Account) async throws(Failure) -> Account {
    if needsUser(for: account.login) { run.messages.info("the account needs a new sign-in") }
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

  /// The request of a new login. If the account is for an API, this first asks the API which server issues its tokens now.
  private func newLogin(of account: Account) async throws(Failure) -> LoginRequest {
    guard let resource = account.resource else { return account.newLogin }
    let bringsSecret = client?.bringsSecret(to: account) ?? false
    if bringsSecret, issuer == nil { throw .secretForUnknownServer }
    let found = try await run.found(resource) { [messages = run.messages] in messages.info($0) }
    if bringsSecret, found.provider.issuer != issuer {
      throw .otherServers(of: resource.description, [found.provider.issuer].compactMap(\.self))
    }
    return account.newLogin(
      at: found, redirectURI: try .ofThisMachine(for: found.provider.issuer), naming: client)
  }

  private func token(for request: LoginRequest, at port: ReservedPort? = nil) async throws(Failure) -> Token {
    try output.check(request)
    try output.checkBinding(request.provider.bindsTokens)
    switch request.grant {
    case .clientCredentials, .password, .tokenExchange: return try await directToken(for: request)
    case .device:
      let ways: [AgentKind] =
        request.provider.usesLoginFlow ? [.device, .window, .browser] : [.device, .window]
      if let asked = way.asked, !ways.contains(asked) {
        throw Failure(
          .invalidConfiguration,
          asked == .paste
            ? "the device grant does not use pasting" : "the device grant does not use the \(asked.rawValue)",
          hint: "add --grant code, or leave --agent out")
      }
      return try await deviceToken(for: request)
    case .code, .implicit: return try await pageToken(for: request, port)
    }
  }

  /// A token for which the user signs in on a page of the provider, or on another device if no page can be shown.
  private func pageToken(
    for wanted: LoginRequest, _ port: ReservedPort?
  ) async throws(Failure) -> Token {
    if way.asked == .device, !way.isTest { return try await deviceToken(for: wanted) }
    try wanted.validate(for: .page)
    if wanted.responseType.includesToken, !wanted.provider.responseType.includesToken {
      // RFC 9700 section 2.1.2. A preset with this response type has no better one.
      run.messages.warning(
        "the implicit grant returns the token in a URL: use the code grant if the provider has it")
    }
    let router = Router(run, way)
    var request = way.isTest ? wanted : try await described(wanted)
    request = request.asked(in: run.environment.languages)
    let question = router.question(for: request)
    if !way.isTest, router.choice(question).agents.first == .device {
      return try await deviceToken(for: request)
    }
    let route = try await router.route(question, of: request.provider, at: port)
    request.redirectURI = route.redirectURI
    return try await LoginSession(agent: route.agent, run.dependencies).token(for: request)
  }

  /// The request with the issuer's metadata, if that decides the way: without a display, a code for another device may be
  /// the only one.
  private func described(_ request: LoginRequest) async throws(Failure) -> LoginRequest {
    if run.environment.hasDisplay || way.asked != nil || request.responseType != .code { return request }
    return try await request.completed(needing: [.deviceAuthorization], through: run.transport)
  }
}
