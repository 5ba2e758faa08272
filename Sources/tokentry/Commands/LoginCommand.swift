import LoginCore
import LoginWays
import Wording

/// `tokentry login`: asks the user to sign in and prints a token; with a refresh token nobody is asked.
///
/// With an account the token is kept before it is printed. If that fails nothing is printed: a caller that was
/// answered would come back for an account that is not there.
struct LoginCommand: Action {
  private let run: Composition
  let request: LoginRequest
  private let signIn: SignIn
  private let output: OutputFormat
  private let user: String?
  private let account: AccountName?
  private let waits: Bool
  private let provider: String?
  private let assumesUnexpired: Bool
  private let origins: [Origin]
  private let renewed: (refreshToken: RefreshToken?, token: Token?)

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    request = try LoginRequest(settings, catalog: run.catalog)
    if request.clientID.isEmpty, !request.mayRegister { throw .caller(.noClient) }
    signIn = try SignIn(settings, run)
    output = settings.output
    user = try output.checkUser(settings[.loginHint])
    account = try settings.accountName
    waits = !settings.has(.noWait)
    provider = settings[.provider] ?? settings[.issuer]
    assumesUnexpired = settings.assumesUnexpired ?? true
    origins = try settings.origins
    if account == nil, !origins.isEmpty {
      throw .commandLine(.belongs(Option.origins.flag, to: Option.account.flag))
    }
    renewed = (settings.refreshToken, settings.token)
  }

  func text() async throws(Failure) -> String {
    guard let account else {
      return try output.text(of: try await login().token, at: run.clock.now(), user: user)
    }
    return try output.text(of: try await newlyKept(account).token, at: run.clock.now(), user: user)
  }

  /// The account after a new login, which is kept before anybody is answered.
  func newlyKept(_ name: AccountName) async throws(Failure) -> Account {
    let store = try run.store
    try await store.prepare()
    let session = AccountLogin(store: store, clock: run.clock, waits: waits, words: Composition.words)
    return try await session.account(name) { () async throws(Failure) -> Account in
      try await newAccount(name)
    }
  }

  private func newAccount(_ name: AccountName) async throws(Failure) -> Account {
    let (made, token) = try await login()
    var account = Account(
      name, provider: provider, login: made, token: token, receivedAt: run.clock.now(),
      session: signIn.way.cookieJar?.text)
    account.hasRegisteredClient = made.clientID != request.clientID
    account.assumesUnexpired = assumesUnexpired
    account.origins = origins
    return account
  }

  private func login() async throws(Failure) -> (login: LoginRequest, token: Token) {
    if renewed.refreshToken == nil, renewed.token == nil { return try await signIn.login(for: request) }
    guard let old = renewed.refreshToken ?? renewed.token?.refreshToken else {
      throw .configuration(.noRefreshToken)
    }
    try output.checkBinding(request.provider.bindsTokens || renewed.token?.isBound == true)
    let token = try await RefreshSession(run.means).token(
      for: old, of: request, claims: renewed.token?.claims, boundTo: renewed.token?.proofKey,
      repeating: renewed.token.map(request.repeated(from:)) ?? [])
    return (request, token)
  }
}
