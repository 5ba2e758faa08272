import GLibSupport
import LoginCore
import Synchronization
import WindowProtocol

/// A login that makes a new token, and an account if one is named. With a refresh token, it does not need the user.
package struct NewLogin: Sendable {
  package enum Wanted: Sendable {
    /// A request for a token. If the client has a secret, the description of the API must name its server.
    case request(LoginRequest, of: ProtectedResource?)
    /// An API, which is asked for the rest of the request.
    case resource(ResourceLogin)
    /// The kept account, as it was made. Without such an account the login lacks a provider.
    case kept(else: Failure)
  }

  private let signIn: SignIn
  private let wanted: Wanted
  /// The name of the account.
  package var account: AccountName?
  /// The provider as the caller has named it.
  package var provider: String?
  /// The servers that the account is for.
  package var origins: [Origin] = []
  /// The demand that a kept account has to meet.
  package var demand = TokenDemand()
  /// True if a kept account that will do is enough.
  package var isIfNeeded = false
  /// A refresh token, or a token to renew.
  package var renewed: (refreshToken: RefreshToken?, token: Token?)
  private var host: Host { signIn.host }

  package init(_ wanted: Wanted, by signIn: SignIn) { (self.wanted, self.signIn) = (wanted, signIn) }

  /// Returns a token that is not kept.
  @GLibActor
  package func token() async throws(Failure) -> Token {
    // With `login().token`, Swift 6.3 would never free the other parts.
    let (_, _, token) = try await login()
    return token
  }

  /// The name of the account.
  package var requiredName: AccountName {
    get throws(Failure) {
      guard let account else { throw .defect() }
      return account
    }
  }

  /// Returns the account once it is kept. With ``isIfNeeded``, a kept account that will do is enough.
  @GLibActor
  package func account() async throws(Failure) -> Account {
    let name = try requiredName
    if isIfNeeded, let account = try await goodAccount(name) { return account }
    return try await newlyKept(name)
  }

  /// Returns the kept account, refreshed if necessary. Returns nil if it does not fit the request, or if the user has
  /// to sign in.
  @GLibActor
  private func goodAccount(_ name: AccountName) async throws(Failure) -> Account? {
    do throws(Failure) {
      let kept = try await host.store.load(name)
      guard answersRequest(kept) else { return nil }
      return try await signIn.account(kept, for: silentDemand)
    } catch {
      let isLacking = [.unknownAccount, .loginRequired].contains(error.code)
      guard isLacking || error.kind == .unreadableAccount else { throw error }
      return nil
    }
  }

  /// The demand for the kept account, without a login.
  private var silentDemand: TokenDemand {
    var demand = demand
    demand.maySignIn = false
    return demand
  }

  private func answersRequest(_ kept: Account) -> Bool {
    guard !demand.needsIdentity || kept.token.idToken != nil else { return false }
    return switch wanted {
    case .request(let request, _): kept.fit(request) == .token
    case .kept: true
    case .resource(let login): kept.resource == login.resource
    }
  }

  @GLibActor
  private func newlyKept(_ name: AccountName) async throws(Failure) -> Account {
    let store = try host.store
    try await store.prepare()
    let session = AccountLogin(
      store: store, clock: host.clock, waits: demand.waits, report: host.report)
    return try await session.account(name) { () async throws(Failure) -> Account in
      // Another program may have signed in while this one waited for its turn.
      if isIfNeeded, let account = try? await store.load(name),
        demand.step(of: account, at: host.clock.now()) == .good, answersRequest(account)
      {
        return account
      }
      return try await newAccount(name)
    }
  }

  /// Refuses to replace a kept account of another provider or client. Without an account, the login must name both.
  package func checkRepetition(of kept: Account?) throws(Failure) {
    let isSame: Bool
    switch (wanted, kept) {
    case (.kept(let failure), nil): throw failure
    case (_, nil), (.kept, _): return
    case (.request(let request, _), let kept?): isSame = kept.fit(request) >= .server
    case (.resource(let login), let kept?):
      // An account is for the API also if its issuer was named.
      let parameter = Parameter("resource", login.resource.description)
      isSame = kept.resource == login.resource || kept.login.parameters.contains(parameter)
    }
    if isSame { return }
    throw Failure(
      .invalidConfiguration,
      "the account \"\(kept?.name.description ?? "")\" exists, and is of another provider or client",
      hint: "choose another name, or sign out of that account first")
  }

  /// True if the user has to act. For an API and for a kept account, this is not known yet.
  var needsUser: Bool {
    if case .request(let request, _) = wanted { signIn.options.needsUser(for: request) } else { true }
  }

  /// True if the token will be bound to a key. For an API, this is not known yet.
  package var bindsToken: Bool {
    if case .request(let request, _) = wanted { request.provider.bindsTokens } else { false }
  }

  /// Logs in, and returns an account that is not kept yet.
  @GLibActor
  package func newAccount() async throws(Failure) -> Account { try await newAccount(try requiredName) }

  @GLibActor
  private func newAccount(_ name: AccountName) async throws(Failure) -> Account {
    if case .kept(let failure) = wanted {
      guard let kept = try await host.store.find(name) else { throw failure }
      return try await signIn.account(kept)
    }
    let kept = try? await host.store.find(name)
    let (asked, made, token) = try await login(to: kept)
    var account = Account(
      name, provider: provider ?? issuerName(of: made), login: made, token: token,
      receivedAt: host.clock.now())
    account.session = signIn.options.cookies?.text
    account.hasRegisteredClient = made.clientID != asked.clientID
    account.assumesUnexpired = demand.assumesUnexpired ?? true
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
        try await ResourceSession(host.dependencies).check(api, names: issuer)
      }
      return request
    case .resource(let resource):
      // The new account also replaces one that cannot be read, whose client is unknown.
      let kept = if let account { try? await host.store.load(account) } else { nil as Account? }
      try resource.checkSecrets(kept)
      let login = try await resource.request().login
      guard let kept, kept.isLeftBehind(clientOf: login) else { return login }
      host.tell(.clientWithheld(clientID: login.clientID))
      return login.withoutClient
    }
  }

  @GLibActor
  private func login(
    to kept: Account? = nil
  ) async throws(Failure) -> (asked: LoginRequest, made: LoginRequest, token: Token) {
    let request = try await request()
    if renewed.refreshToken == nil, renewed.token == nil {
      var options = signIn.options
      options.kept = kept
      let (made, token) = try await SignIn(host, options).login(request)
      return (request, made, token)
    }
    guard let old = renewed.refreshToken ?? renewed.token?.refreshToken else {
      // A token that the user made elsewhere, such as a personal access token, is kept as it is.
      if account != nil, let token = renewed.token { return (request, request, token) }
      throw Failure(
        .invalidConfiguration, "the token cannot be renewed: it came without a refresh token")
    }
    var bound = request
    bound.provider.bindsTokens = request.provider.bindsTokens || renewed.token?.isBound == true
    try signIn.options.check(bound)
    return (request, request, try await renewedToken(for: old, of: request))
  }

  /// Refreshes the caller's token. The caller keeps it, so a failure brings the refresh token that is alive now. To read
  /// the provider's keys beforehand would not help against an id_token that is refused.
  @GLibActor
  private func renewedToken(
    for old: RefreshToken, of request: LoginRequest
  ) async throws(Failure) -> Token {
    let alive = Alive()
    do throws(Failure) {
      return try await RefreshSession(host.dependencies).token(
        for: old, of: request, claims: renewed.token?.claims, boundTo: renewed.token?.proofKey,
        repeating: renewed.token?.repeatedParameters(for: request) ?? [],
        rescue: { new in alive.token.withLock { $0 = new } })
    } catch {
      guard let new = alive.token.withLock(\.self) else { throw error }
      throw error.with(details: ["refresh_token": .string(new.revealed())])
    }
  }

  private final class Alive: Sendable {
    let token = Mutex<RefreshToken?>(nil)
  }
}
