import LoginCore
import Platform

/// Returns kept accounts with a usable token, which may take a refresh or a login.
package struct AccountAccess: Sendable {
  /// The conditions for a kept token.
  package struct Terms: Sendable {
    /// False makes an access fail at once if another program is at the account.
    package var waits = true
    /// The seconds for which a token has to be good. The default covers the request that it is wanted for.
    package var minimumValidity: Int64 = 60
    /// True if a token without an expiry date is good for ever. nil if the account says.
    package var assumesUnexpired: Bool?
    /// True if the id_token must be good for long enough, too.
    package var needsIdentity = false

    package init() {}
  }

  private let signIn: SignIn
  private let terms: Terms
  private let mayLogIn: Bool
  private var host: Host { signIn.host }

  package init(_ signIn: SignIn, _ terms: Terms, mayLogIn: Bool = true) {
    (self.signIn, self.terms, self.mayLogIn) = (signIn, terms, mayLogIn)
  }

  /// Returns the account. If it does not exist yet, `login` may make it.
  package func account(
    _ name: AccountName, orBy login: NewLogin? = nil
  ) async throws(Failure) -> Account {
    try await session(login).token(of: name, forAtLeast: terms.minimumValidity)
  }

  /// Returns a loaded account, with a token that is good for long enough.
  package func account(_ kept: Account) async throws(Failure) -> Account {
    try await session(nil).token(of: kept, forAtLeast: terms.minimumValidity)
  }

  /// True if the account can be used as it is.
  package func isGood(_ kept: Account) -> Bool {
    kept.freshness(
      at: host.clock.now(), forAtLeast: terms.minimumValidity, withIdentity: terms.needsIdentity,
      assumingUnexpired: terms.assumesUnexpired ?? kept.assumesUnexpired) == .good
  }

  /// Returns the account after another login: an API has `refused` its token, and demands more or has moved.
  package func account(
    _ name: AccountName, after refused: AccessToken, _ stepUp: StepUp? = nil
  ) async throws(Failure) -> Account {
    try await session(nil).token(of: name, insteadOf: refused, asking: stepUp)
  }

  /// True if the account's API says that another server issues its tokens by now, so that a token which was refreshed at
  /// the old server is of no use. If the API does not say anything, its refusal of the token is the better answer.
  package func hasMoved(_ account: Account) async -> Bool {
    guard let resource = account.resource,
      let found = try? await host.found(resource)
    else { return false }
    return found.provider.issuer != account.login.provider.issuer
  }

  private func session(_ login: NewLogin?) throws(Failure) -> AccountSession {
    var session = AccountSession(
      store: try host.store, host.dependencies, waits: terms.waits, report: host.report,
      assumesUnexpired: { [terms] in terms.assumesUnexpired ?? $0.assumesUnexpired },
      // A user who must not be asked does not forbid a login that needs none.
      mayLogIn: { [signIn, mayLogIn] login in
        mayLogIn && (!signIn.options.isSilent || !signIn.options.needsUser(for: login))
      },
      signIn: { [signIn] account async throws(Failure) in try await signIn.account(account) })
    session.needsIdentity = terms.needsIdentity
    if let login, !signIn.options.isSilent || !login.needsUser {
      session.make = { () async throws(Failure) in try await login.newAccount() }
    }
    return session
  }
}

extension Account {
  /// The user who signed in: as a verified id_token says, or else as the caller of the login did.
  package var user: String? { token.userName ?? login.loginHint }

  /// The name, with the user in parentheses if that is known.
  var label: String {
    let name = name.description.forDisplay(limit: 60)
    return user.map { "\(name) (\($0.forDisplay(limit: 60)))" } ?? name
  }
}

/// The members of an account's document that are ours and not the core's.
extension Account {
  /// The name under which the cookies of the login are kept.
  package var session: String? {
    get { extra["session"]?.string }
    set { extra["session"] = newValue.map(JSONValue.string) }
  }

  /// True if a token without an expiry date is good for ever: p2/OAuth2's `token_assume_unexpired`.
  package var assumesUnexpired: Bool {
    get { (extra["token_assume_unexpired"] ?? true) == true }
    set { extra["token_assume_unexpired"] = newValue ? nil : false }
  }
}

extension Account {
  /// True if the account's token could have come from this request: it is from the same provider, for the client if one is
  /// named, and with the whole scope.
  package func answers(_ request: LoginRequest) -> Bool {
    let scope = LoginRequest.union(login.scope, "")
    return isOfClient(of: request)
      && LoginRequest.union(login.scope, request.scope ?? "").isIdentical(to: scope)
  }

  /// True if the account is from the provider of this request, and of its client if it names one.
  package func isOfClient(of request: LoginRequest) -> Bool {
    let (own, other) = (login.provider, request.provider)
    let isSameProvider =
      own.issuer == nil && other.issuer == nil
      ? [EndpointName.authorization, .token, .deviceAuthorization].allSatisfy { name in
        other.endpoints[name].map { $0 == own.endpoints[name] } ?? true
      } : own.issuer == other.issuer
    return isSameProvider && isOfClient(named: request.clientID)
  }

  private func isOfClient(named clientID: String) -> Bool {
    clientID.isEmpty || clientID.isIdentical(to: login.clientID)
  }

  /// True if a login with this request may take the account's place: it is for the same client at the same server. The
  /// addresses of a provider without an issuer may change with a new version of its API.
  package func isRenewed(by request: LoginRequest) -> Bool {
    if isOfClient(of: request) { return true }
    let (own, other) = (login.provider, request.provider)
    guard own.issuer == nil || other.issuer == nil, isOfClient(named: request.clientID) else { return false }
    return [EndpointName.authorization, .token].contains { name in
      other.endpoints[name].map { $0.origin == own.endpoints[name]?.origin } ?? false
    }
  }
}

extension LoginRequest {
  /// The request with the user of a kept account, so that the provider's page offers that user. The caller's own hint wins.
  /// An id_token in the address of a page would be seen by all who see that address, so only a preset can ask for it.
  func hinting(atUserOf account: Account) -> LoginRequest {
    var request = self
    func add(_ name: String, _ value: String?) {
      if let value, parameter(name) == nil { request.parameters.append(Parameter(name, value)) }
    }
    let claims = account.token.claims
    add("login_hint", ["preferred_username", "email"].lazy.compactMap { claims?[$0]?.string }.first)
    if provider.takesIDTokenHint { add("id_token_hint", account.token.idToken) }
    return request
  }
}

extension Host {
  /// Returns what the provider says about the user of a kept account. Refreshes a token that has ended or that the provider
  /// refuses, and never asks the user to sign in. The `endpoints` replace those of the provider.
  package func userinfo(
    of name: AccountName, forAtLeast seconds: Int64, at endpoints: [EndpointName: Endpoint] = [:],
    introspecting: Bool = false
  ) async throws(Failure) -> JSONObject {
    func answer(about account: Account) async throws(Failure) -> JSONObject {
      var login = account.login
      login.provider.endpoints.merge(endpoints) { $1 }
      return try await dependencies.answer(about: account.token, of: login, introspecting: introspecting)
    }
    let session = try refreshingSession()
    let account = try await session.token(of: name, forAtLeast: seconds)
    do throws(Failure) { return try await answer(about: account) } catch {
      guard error.kind == .refusedToken, let token = account.token.accessToken else { throw error }
      try await store.expire(token, of: name, isRefused: true, at: clock.now())
      return try await answer(about: try await session.token(of: name, forAtLeast: seconds))
    }
  }

  /// Returns a session that refreshes tokens, but never asks the user to sign in.
  func refreshingSession() throws(Failure) -> AccountSession {
    AccountSession(
      store: try store, dependencies, waits: true, report: report, assumesUnexpired: { $0.assumesUnexpired })
  }
}
