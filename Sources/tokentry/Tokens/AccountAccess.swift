import LoginCore
import Platform

/// Returns kept accounts with a usable token, which may take a refresh or a login.
struct AccountAccess: Sendable {
  private let run: Composition
  private let signIn: SignIn
  private let waits: Bool
  private let minimumValidity: Int64
  private let assumesUnexpired: Bool?
  private let mayLogIn: Bool

  init(_ settings: Settings, _ run: Composition, _ signIn: SignIn, mayLogIn: Bool = true) {
    (self.run, self.signIn, self.mayLogIn) = (run, signIn, mayLogIn)
    waits = !settings.has(.noWait)
    minimumValidity = settings.minimumValidity
    assumesUnexpired = settings.assumesUnexpired
  }

  /// Returns the account. If it does not exist yet, `login` may make it.
  func account(
    _ name: AccountName, orBy login: NewLogin? = nil
  ) async throws(Failure) -> Account {
    try await session(login).token(of: name, forAtLeast: minimumValidity)
  }

  /// Does the same for an account that was just loaded.
  func account(_ kept: Account) async throws(Failure) -> Account {
    try await session(nil).token(of: kept, forAtLeast: minimumValidity)
  }

  /// Returns the account with an id_token that is good for long enough. An expired one is renewed with the access token.
  func identified(_ kept: Account) async throws(Failure) -> Account {
    if kept.isIdentified(at: run.clock.now(), for: minimumValidity) { return kept }
    var account = kept
    if let token = kept.token.accessToken {
      try await run.store.expire(token, of: kept.name, isRefused: false, at: run.clock.now())
      account = try await self.account(kept.name)
    }
    guard account.isIdentified(at: run.clock.now(), for: 1) else {
      throw .signInForbidden(account: kept.name.description)
    }
    return account
  }

  /// True if the account can be used as it is.
  func isGood(_ kept: Account) -> Bool {
    let isUnexpired = assumesUnexpired ?? kept.assumesUnexpired
    return kept.freshness(
      at: run.clock.now(), forAtLeast: minimumValidity, assumingUnexpired: isUnexpired) == .good
  }

  /// Returns the account after another login: an API has `refused` its token, and demands more or has moved.
  func account(
    _ name: AccountName, after refused: AccessToken, _ stepUp: StepUp? = nil
  ) async throws(Failure) -> Account {
    try await session(nil).token(of: name, insteadOf: refused, asking: stepUp)
  }

  /// True if the account's API says that another server issues its tokens by now, so that a token which was refreshed at
  /// the old server is of no use. If the API does not say anything, its refusal of the token is the better answer.
  func hasMoved(_ account: Account) async -> Bool {
    guard let resource = account.resource,
      let found = try? await run.found(resource, { [messages = run.messages] in messages.info($0) })
    else { return false }
    return found.provider.issuer != account.login.provider.issuer
  }

  private func session(_ login: NewLogin?) throws(Failure) -> AccountSession {
    var session = AccountSession(
      store: try run.store, run.dependencies, waits: waits, report: { $0.redactedReport },
      assumesUnexpired: { [assumesUnexpired] in assumesUnexpired ?? $0.assumesUnexpired },
      // `--silent` does not forbid a login that needs no user.
      mayLogIn: { [signIn, mayLogIn] login in
        mayLogIn && (!signIn.way.isSilent || !signIn.needsUser(for: login))
      },
      signIn: { [signIn] account async throws(Failure) in try await signIn.account(account) })
    if let login, !signIn.way.isSilent {
      session.make = { () async throws(Failure) in try await login.newAccount() }
    }
    return session
  }
}

/// The members of an account's document that are ours and not the core's.
extension Account {
  /// The name under which the cookies of the login are kept.
  var session: String? {
    get { extra["session"]?.string }
    set { extra["session"] = newValue.map(JSONValue.string) }
  }

  /// True if a token without an expiry date is good for ever: p2/OAuth2's `token_assume_unexpired`.
  var assumesUnexpired: Bool {
    get { (extra["token_assume_unexpired"] ?? true) == true }
    set { extra["token_assume_unexpired"] = newValue ? nil : false }
  }
}

extension Account {
  /// True unless the id_token expires within so many seconds.
  func isIdentified(at now: UTCDate, for seconds: Int64) -> Bool {
    token.endOfIdentity.map { $0.seconds(since: now) >= seconds } ?? true
  }

  /// True if the account's token could have come from this request: it is from the same provider, for the client if one is
  /// named, and with the whole scope.
  func answers(_ request: LoginRequest) -> Bool {
    let scope = LoginRequest.union(login.scope, "")
    return isOfClient(of: request)
      && LoginRequest.union(login.scope, request.scope ?? "").isIdentical(to: scope)
  }

  /// True if the account is from the provider of this request, and of its client if it names one.
  func isOfClient(of request: LoginRequest) -> Bool {
    let (own, other) = (login.provider, request.provider)
    let isSameProvider =
      own.issuer == nil && other.issuer == nil
      ? [EndpointName.authorization, .token, .deviceAuthorization].allSatisfy { name in
        other.endpoints[name].map { $0 == own.endpoints[name] } ?? true
      } : own.issuer == other.issuer
    let isSameClient = request.clientID.isEmpty || request.clientID.isIdentical(to: login.clientID)
    return isSameProvider && isSameClient
  }
}

extension Settings {
  /// The number of seconds for which a token has to be good. The default covers the request that it is wanted for.
  var minimumValidity: Int64 { self[.minValid].flatMap { Int64($0) } ?? 60 }

  /// The name of the account, if one was given.
  var accountName: AccountName? {
    get throws(Failure) {
      if all(.account).count > 1 { throw Failure(.invalidOption, "\(Option.account.flag) is given twice") }
      return try accountNames.first
    }
  }

  /// The names of the accounts, for a command that takes several.
  var accountNames: [AccountName] {
    get throws(Failure) {
      try all(.account).map { text throws(Failure) in
        guard let name = AccountName(text) else {
          throw .takes(
            Option.account.flag, "one line of visible text of at most \(AccountName.maximumLength) bytes")
        }
        return name
      }
    }
  }

  /// The servers that the account is for. A host alone means https.
  var origins: [Origin] {
    get throws(Failure) {
      try all(.origins).map { text throws(Failure) in
        try Option.origins.parse(text.startOfAuthority == nil ? "https://\(text)" : text, as: Origin.init)
      }
    }
  }

  /// The name of the account, which may be given as the address of its API.
  func accountName(_ cryptography: any Cryptography) throws(Failure) -> AccountName? {
    let name = try accountName
    guard has(.resource) else { return name }
    if name != nil { throw .contradiction(Option.account.flag, Option.resource.flag) }
    return try AccountName(shortening: try apiAddress().description, cryptography)
  }

  /// The address of the API, which must be the only one.
  func apiAddress() throws(Failure) -> ProtectedResource {
    let addresses = all(.resource)
    guard addresses.count == 1 else {
      throw .takes(Option.resource.flag, "the address of one API unless --provider or --issuer is given")
    }
    return try Option.resource.parse(addresses[0], as: ProtectedResource.init)
  }

  /// The name of the account, for a command that cannot do without.
  func requiredAccountName(
    for command: Command, _ cryptography: any Cryptography
  ) throws(Failure) -> AccountName {
    guard let name = try accountName(cryptography) else {
      throw .lacks(command, Message(verbatim: Option.account.flag))
    }
    return name
  }
}
