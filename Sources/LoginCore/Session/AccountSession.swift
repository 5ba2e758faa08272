/// Gets a token from a kept account: the kept one, else a refreshed one, else one of a login, if somebody may be asked.
///
/// However many programs ask at once, one of them refreshes or asks somebody, and the others get what it gets.
public struct AccountSession: Sendable {
  private let store: any CredentialStore
  private let refresh: RefreshSession
  private let clock: any WallClock
  private let waits: Bool
  private let words: @Sendable (Failure) -> JSONObject
  private let mayLogIn: @Sendable (LoginRequest) -> Bool
  private let signIn: (@Sendable (Account) async throws(Failure) -> Account)?
  /// Logs in where there is no account of the name yet.
  package var make: (@Sendable () async throws(Failure) -> Account)?

  /// A session by these means. `signIn` returns the account with a new token; it is called only for requests of which
  /// `mayLogIn` is true, such as those that ask nobody where nobody may be asked. A session that does not wait ends at
  /// once where another program is at the account. `words` are what others are told of a failure that is theirs as well.
  public init(
    store: any CredentialStore, _ dependencies: Dependencies, waits: Bool = true,
    words: @escaping @Sendable (Failure) -> JSONObject,
    mayLogIn: @escaping @Sendable (LoginRequest) -> Bool = { _ in true },
    signIn: (@Sendable (Account) async throws(Failure) -> Account)? = nil
  ) {
    self.store = store
    refresh = RefreshSession(dependencies)
    clock = dependencies.clock
    self.waits = waits
    self.words = words
    self.mayLogIn = mayLogIn
    self.signIn = signIn
  }

  /// The account with a token that is good for at least `seconds`, or one that has just been refreshed. Where only
  /// somebody who signs in can help and nobody may be asked, that is the failure.
  ///
  /// One that is good is found without waiting for anybody. Otherwise one program at a time is at the account, and
  /// looks at it again, since another one may have been there meanwhile.
  public func token(
    of name: AccountName, forAtLeast seconds: Int64, assumingUnexpired: Bool? = nil
  ) async throws(Failure) -> Account {
    try await token(of: name, try await kept(name), forAtLeast: seconds, assumingUnexpired: assumingUnexpired)
  }

  /// The same for an account that has just been loaded.
  package func token(
    of found: Account, forAtLeast seconds: Int64, assumingUnexpired: Bool? = nil
  ) async throws(Failure) -> Account {
    try await token(of: found.name, found, forAtLeast: seconds, assumingUnexpired: assumingUnexpired)
  }

  private func token(
    of name: AccountName, _ found: Account?, forAtLeast seconds: Int64, assumingUnexpired: Bool?
  ) async throws(Failure) -> Account {
    func freshness(_ account: Account) -> Freshness {
      account.freshness(at: clock.now(), forAtLeast: seconds, assumingUnexpired: assumingUnexpired)
    }
    if let found, freshness(found) == .good { return found }
    let maySignIn = if let found { signIn != nil && mayLogIn(found.login) } else { make != nil }
    let turn = try await store.turn(at: name, waiting: waits ? .forOutcome(maySignIn: maySignIn) : .no)
    switch turn {
    // What has just been refreshed is handed out even if its whole life is shorter.
    case .theirs(.token): return try await store.load(name)
    case .theirs(.needsLogin): throw .user(.signInForbidden(account: name.description))
    case .theirs(.failed(let told)): throw .repeated(told)
    case .mine(let turn):
      return try await AccountAttempt.made(on: turn, words) { (attempt) async throws(Failure) in
        try await account(name, freshness, &attempt)
      }
    }
  }

  /// The account with the token of another login, which asks for more: the server of an API wants that, and refuses the
  /// token that the account has. If it has another one by now, that one may do.
  package func token(
    of name: AccountName, insteadOf refused: AccessToken,
    asking change: @escaping @Sendable (LoginRequest) -> LoginRequest
  ) async throws(Failure) -> Account {
    // That this program can ask nobody is none of the others' concern, for whom the token may do.
    guard signIn != nil, mayLogIn(try await store.load(name).login) else {
      throw .user(.signInForbidden(account: name.description))
    }
    guard case .mine(let turn) = try await store.turn(at: name, waiting: waits ? .forTurn : .no) else {
      throw .defect(.here())
    }
    return try await AccountAttempt.made(on: turn, words) { (attempt) async throws(Failure) in
      var account = try await store.load(name)
      guard account.token.accessToken == refused else { return account }
      account.login = change(account.login)
      return try await newlyKept(account, &attempt)
    }
  }

  /// Nothing where none is kept and one can be made.
  private func kept(_ name: AccountName) async throws(Failure) -> Account? {
    make == nil ? try await store.load(name) : try await store.find(name)
  }

  private func account(
    _ name: AccountName, _ freshness: (Account) -> Freshness, _ attempt: inout AccountAttempt
  ) async throws(Failure) -> Account {
    let found = try await kept(name)
    guard let account = found else { return try await newlyKept(name, &attempt) { make } }
    switch freshness(account) {
    case .good: return account
    case .needsLogin: break
    case .needsRefresh where attempt.needsLogin: break
    case .needsRefresh: if let renewed = try await refreshed(account) { return renewed }
    }
    return try await newlyKept(account, &attempt)
  }

  private func newlyKept(
    _ account: Account, _ attempt: inout AccountAttempt
  ) async throws(Failure) -> Account {
    try await newlyKept(account.name, &attempt) {
      guard let signIn, mayLogIn(account.login) else { return nil }
      return { () async throws(Failure) in try await signIn(account) }
    }
  }

  /// What a login brings, if there is one and nobody has turned one away just now.
  private func newlyKept(
    _ name: AccountName, _ attempt: inout AccountAttempt,
    _ login: () -> (@Sendable () async throws(Failure) -> Account)?
  ) async throws(Failure) -> Account {
    guard let login = login() else { throw .user(.signInForbidden(account: name.description)) }
    if let pause = attempt.log.pause(at: clock.now()) {
      throw .user(.signInPaused(account: name.description, seconds: pause))
    }
    let account = try await attempt.signingIn(at: clock, login)
    try await store.save(account)
    return account
  }

  /// The new token is kept before it is looked into and handed out: the old refresh token may be dead already.
  /// Nothing if only somebody who signs in can help.
  private func refreshed(_ account: Account) async throws(Failure) -> Account? {
    guard let old = account.refreshToken else { return nil }
    let room = try await store.reserve(for: account)
    defer { withExtendedLifetime(room) {} }
    let answer: Token
    do throws(Failure) {
      answer = try await refresh.token(
        for: old, of: account.login, claims: account.token.claims, boundTo: account.token.proofKey,
        type: account.token.type, repeating: account.login.repeated(from: account.token),
        keep: { token async throws(Failure) in
          try await store.save(account.renewed(with: token, receivedAt: clock.now()))
        },
        rescue: { new async throws(Failure) in try await store.save(account.refreshable(with: new)) }
      )
    } catch {
      if error.needsUser(of: account.login.provider) { return nil }
      guard account.hasRegisteredClient, error.isUnknownClient else { throw error }
      // The refresh token is of no use to another client, so somebody has to sign in.
      try await store.forgetClient(of: account.login)
      return nil
    }
    let renewed = account.renewed(with: answer, receivedAt: clock.now())
    if answer.claims != nil { try await store.save(renewed) }
    return renewed
  }
}

extension Failure {
  /// Whether a refresh has failed for good, so that only somebody who signs in can help. Whatever else a provider
  /// says may be better the next time, or is wrong with the client and not with the user.
  fileprivate func needsUser(of provider: Provider) -> Bool {
    switch self {
    case .provider(let error):
      (Self.codesForUser + provider.refreshRefusals).contains { $0.isIdentical(to: error.code) }
    // Some say it without words (glewlwyd): the account stays as it is, so a login is all that this can cost.
    case .network(.refusedWithoutReason): true
    default: false
    }
  }

  /// RFC 6749 section 5.2, GitHub's own word for the same, and the two of OpenID Connect Core section 3.1.2.6 that
  /// Microsoft sends from its token endpoint.
  private static let codesForUser = [
    "invalid_grant", "bad_refresh_token", "interaction_required", "login_required",
  ]
}
