import GLibSupport
import LoginCore
import Platform
import WindowProtocol

/// A login that makes a new token, and an account if one is named. With a refresh token, it does not need the user.
final class NewLogin: Sendable {
  private let run: Composition
  private let wanted: Wanted
  private let signIn: SignIn
  private let output: OutputFormat
  private let account: AccountName?
  private let waits: Bool
  private let provider: String?
  private let assumesUnexpired: Bool
  private let origins: [Origin]
  /// With `--if-needed`: access to the kept account, without a login.
  private let kept: AccountAccess?
  private let renewed: (refreshToken: RefreshToken?, token: Token?)

  private enum Wanted {
    /// A request for a token. If the client has a secret, the description of the API must name its server.
    case request(LoginRequest, of: ProtectedResource?)
    /// An API, which is asked for the rest of the request.
    case resource(ResourceLogin)
    /// The kept account, as it was made. Without such an account the login lacks a provider.
    case kept(else: Failure)
  }

  /// The options that describe another login than that of the kept account.
  private static let describing =
    OptionGroup.provider.options + OptionGroup.request.options + OptionGroup.registration.options + [.origins]

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    if let resource = try ResourceLogin(settings, run) {
      try resource.check()
      wanted = .resource(resource)
    } else {
      wanted = try Self.request(settings, run)
    }
    signIn = try SignIn(settings, run)
    output = settings.output
    account = try Self.name(settings, run)
    waits = !settings.has(.noWait)
    provider = settings[.provider] ?? settings[.issuer]
    assumesUnexpired = settings.assumesUnexpired ?? true
    origins = try settings.origins
    kept = settings.has(.ifNeeded) ? AccountAccess(settings, run, signIn, mayLogIn: false) : nil
    let exchanges = settings[.grant] == GrantType.tokenExchange.rawValue
    renewed = (settings.refreshToken, exchanges ? nil : settings.token)
  }

  private static func request(_ settings: Settings, _ run: Composition) throws(Failure) -> Wanted {
    let request: LoginRequest
    do throws(Failure) { request = try LoginRequest(settings, catalog: run.catalog) } catch {
      guard settings.has(.account), !settings.given.contains(where: describing.contains) else { throw error }
      return .kept(else: error)
    }
    if request.clientID.isEmpty, !request.mayRegister { throw .noClient }
    let isForAPI = settings.clientSecret != nil && settings.has(.issuer) && request.grant.asksUser
    return .request(request, of: isForAPI ? (try? settings.apiAddress()) : nil)
  }

  /// Returns a token that is not kept.
  @GLibActor
  func token() async throws(Failure) -> Token {
    // With `login().token`, Swift 6.3 would never free the other parts.
    let (_, _, token) = try await login()
    return token
  }

  /// The name of the account.
  var requiredName: AccountName {
    get throws(Failure) {
      guard let account else { throw .defect() }
      return account
    }
  }

  /// Returns the account once it is kept. With `--if-needed`, a kept account that will do is enough.
  @GLibActor
  func account() async throws(Failure) -> Account {
    let name = try requiredName
    if let kept, let account = try await goodAccount(name, kept) { return account }
    return try await newlyKept(name)
  }

  /// Returns the kept account, refreshed if necessary. Returns nil if it does not fit the request, or if the user has
  /// to sign in.
  @GLibActor
  private func goodAccount(_ name: AccountName, _ access: AccountAccess) async throws(Failure) -> Account? {
    do throws(Failure) {
      let kept = try await run.store.load(name)
      guard answersRequest(kept) else { return nil }
      let account = try await access.account(kept)
      return output == .idToken ? try await access.identified(account) : account
    } catch {
      let isLacking = [.unknownAccount, .loginRequired].contains(error.code)
      guard isLacking || Failure.unreadableAccount("", "") ~= error else { throw error }
      return nil
    }
  }

  private func answersRequest(_ kept: Account) -> Bool {
    guard output != .idToken || kept.token.idToken != nil else { return false }
    return switch wanted {
    case .request(let request, _): kept.answers(request)
    case .kept: true
    case .resource(let login): kept.resource == login.resource
    }
  }

  @GLibActor
  private func newlyKept(_ name: AccountName) async throws(Failure) -> Account {
    let store = try run.store
    try await store.prepare()
    let session = AccountLogin(
      store: store, clock: run.clock, waits: waits, report: { $0.redactedReport })
    return try await session.account(name) { () async throws(Failure) -> Account in
      // Another program may have signed in while this one waited for its turn.
      if let kept, let account = try? await store.load(name), kept.isGood(account), answersRequest(account) {
        return account
      }
      return try await newAccount(name)
    }
  }

  /// The name of the account that a login with these settings makes. The account of an API may be named after its
  /// address; a test keeps it only if it is told where.
  static func name(_ settings: Settings, _ run: Composition) throws(Failure) -> AccountName? {
    let name = try settings.accountName
    guard name == nil, let login = try ResourceLogin(settings, run),
      !settings.has(.headlessTest) || run.isStoreNamed
    else { return name }
    return try AccountName(shortening: login.resource.description, run.cryptography)
  }

  /// Refuses to replace a kept account of another provider or client. Without an account, the login must name both.
  func checkRepetition(of kept: Account?) throws(Failure) {
    let isSame: Bool
    switch (wanted, kept) {
    case (.kept(let failure), nil): throw failure
    case (_, nil), (.kept, _): return
    case (.request(let request, _), let kept?): isSame = kept.isOfClient(of: request)
    case (.resource(let login), let kept?): isSame = kept.resource == login.resource
    }
    if isSame { return }
    throw Failure(
      .invalidConfiguration,
      "the account \"\(kept?.name.description ?? "")\" exists, and is of another provider or client",
      hint: "choose another name")
  }

  /// True if the token will be bound to a key. For an API, this is not known yet.
  var bindsToken: Bool {
    if case .request(let request, _) = wanted { request.provider.bindsTokens } else { false }
  }

  /// Logs in, and returns an account that is not kept yet.
  @GLibActor
  func newAccount() async throws(Failure) -> Account { try await newAccount(try requiredName) }

  @GLibActor
  private func newAccount(_ name: AccountName) async throws(Failure) -> Account {
    if case .kept(let failure) = wanted {
      guard let kept = try await run.store.find(name) else { throw failure }
      return try await signIn.account(kept)
    }
    let (asked, made, token) = try await login()
    var account = Account(
      name, provider: provider ?? issuerName(of: made), login: made, token: token,
      receivedAt: run.clock.now())
    account.session = signIn.way.cookieJar?.text
    account.hasRegisteredClient = made.clientID != asked.clientID
    account.assumesUnexpired = assumesUnexpired
    account.origins = origins
    if case .resource(let login) = wanted { account.resource = login.resource }
    return account
  }

  /// The name of a provider that an API has named.
  private func issuerName(of made: LoginRequest) -> String? {
    if case .resource = wanted { made.provider.issuer?.description } else { nil }
  }

  @GLibActor
  private func request() async throws(Failure) -> LoginRequest {
    switch wanted {
    case .kept: throw .defect()
    case .request(let request, let api):
      if let api, let issuer = request.provider.issuer {
        try await ResourceSession(run.dependencies).check(api, names: issuer)
      }
      return request
    case .resource(let resource):
      // The new account also replaces one that cannot be read, whose client is unknown.
      let kept = if let account { try? await run.store.load(account) } else { nil as Account? }
      try resource.checkSecrets(kept)
      let login = try await resource.request { [messages = run.messages] in messages.info($0) }.login
      guard let kept, kept.isLeftBehind(clientOf: login) else { return login }
      run.messages.warning(
        "the API has moved to another server, and the client \(login.clientID, upTo: 200) is not disclosed to it"
      )
      return login.withoutClient
    }
  }

  @GLibActor
  private func login() async throws(Failure) -> (asked: LoginRequest, made: LoginRequest, token: Token) {
    let request = try await request()
    if renewed.refreshToken == nil, renewed.token == nil {
      let (made, token) = try await signIn.login(for: request)
      return (request, made, token)
    }
    guard let old = renewed.refreshToken ?? renewed.token?.refreshToken else {
      throw Failure(
        .invalidConfiguration, "the token cannot be renewed: it came without a refresh token")
    }
    try output.checkBinding(request.provider.bindsTokens || renewed.token?.isBound == true)
    let token = try await RefreshSession(run.dependencies).token(
      for: old, of: request, claims: renewed.token?.claims, boundTo: renewed.token?.proofKey,
      repeating: renewed.token?.repeatedParameters(for: request) ?? [])
    return (request, request, token)
  }
}
