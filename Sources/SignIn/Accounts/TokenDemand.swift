import LoginCore
import Platform

/// What a caller needs of a kept account, however it says so: options, a helper's protocol, the agent's socket, or LoginKit.
package struct TokenDemand: Sendable {
  /// A token that does not do.
  package struct Refusal: Sendable {
    package let token: AccessToken
    /// True if an API refused it, which counts against the next sign-in.
    package let isByAPI: Bool

    package init(_ token: AccessToken, isByAPI: Bool) { (self.token, self.isByAPI) = (token, isByAPI) }
  }

  /// The seconds for which the token has to be good. The default covers the request that it is wanted for.
  package var validity: Int64 = 60
  /// True if the id_token must be good for long enough, too.
  package var needsIdentity = false
  /// True if a token without an expiry date is good for ever. nil if the account says.
  package var assumesUnexpired: Bool?
  /// A token that must not be handed out again.
  package var refused: Refusal?
  /// False if only a refresh may renew the token, and no sign-in, not even one that needs no user.
  package var maySignIn = true
  /// False makes the demand fail at once if another program is at the account.
  package var waits = true

  package init() {}

  /// Returns the step that the account needs. It depends on nothing but the account, the demand and the time.
  package func step(of account: Account, at now: UTCDate) -> Freshness {
    if let refused, account.token.accessToken == refused.token {
      return account.canBeRefreshed ? .needsRefresh : .needsLogin
    }
    return account.freshness(
      at: now, forAtLeast: validity, withIdentity: needsIdentity,
      assumingUnexpired: assumesUnexpired ?? account.assumesUnexpired)
  }
}

/// The tokens of kept accounts. No other code decides about them.
extension SignIn {
  /// Returns the account with a token that meets the demand: notes the refusal of the old one, and then takes the first of
  /// these that helps: the kept token, a refreshed one, one of a new sign-in. If there is no account, `login` may make it.
  package nonisolated func account(
    _ name: AccountName, for demand: TokenDemand, orBy login: NewLogin? = nil
  ) async throws(Failure) -> Account {
    if let refused = demand.refused { try await note(refused, of: name, waits: demand.waits) }
    return try await session(demand, login).token(of: name, forAtLeast: demand.validity)
  }

  /// Does the same for an account that was just loaded.
  package nonisolated func account(
    _ kept: Account, for demand: TokenDemand
  ) async throws(Failure) -> Account {
    if demand.refused != nil { return try await account(kept.name, for: demand) }
    return try await session(demand).token(of: kept, forAtLeast: demand.validity)
  }

  /// Sees to it that a refused token is not handed out again.
  package nonisolated func note(
    _ refused: TokenDemand.Refusal, of name: AccountName, waits: Bool = true
  ) async throws(Failure) {
    try await host.store.expire(
      refused.token, of: name, isRefused: refused.isByAPI, waits: waits, at: host.clock.now())
  }

  /// Returns the account with another token, because an API has refused its token. nil if the remedy does not help.
  package nonisolated func account(
    _ name: AccountName, insteadOf refused: AccessToken, by remedy: Remedy, for demand: TokenDemand
  ) async throws(Failure) -> Account? {
    var stepUp: StepUp?
    switch remedy {
    case .refresh:
      var demand = demand
      demand.refused = TokenDemand.Refusal(refused, isByAPI: true)
      return try await account(name, for: demand)
    case .stepUp(let demanded): stepUp = demanded
    case .move:
      guard await hasMoved(try await host.store.load(name)) else { return nil }
      host.tell(.apiMoved)
    }
    return try await session(demand).token(of: name, insteadOf: refused, asking: stepUp)
  }

  /// True if the account's API says that another server issues its tokens by now, so that a token which was refreshed at
  /// the old server is of no use. If the API does not say anything, its refusal of the token is the better answer.
  private nonisolated func hasMoved(_ account: Account) async -> Bool {
    guard let resource = account.resource,
      let found = try? await host.found(resource)
    else { return false }
    return found.provider.issuer != account.login.provider.issuer
  }

  private nonisolated func session(
    _ demand: TokenDemand, _ login: NewLogin? = nil
  ) throws(Failure) -> AccountSession {
    let options = options
    var session = AccountSession(
      store: try host.store, host.dependencies, waits: demand.waits, report: host.report,
      assumesUnexpired: { demand.assumesUnexpired ?? $0.assumesUnexpired },
      // A user who must not be asked does not forbid a login that needs none.
      mayLogIn: { login in demand.maySignIn && (!options.isSilent || !options.needsUser(for: login)) },
      signIn: { account async throws(Failure) in try await self.account(account) })
    session.needsIdentity = demand.needsIdentity
    if let login, !options.isSilent || !login.needsUser {
      session.make = { () async throws(Failure) in try await login.newAccount() }
    }
    return session
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
    var demand = TokenDemand()
    (demand.validity, demand.maySignIn) = (seconds, false)
    let engine = SignIn(self, SignInOptions())
    let account = try await engine.account(name, for: demand)
    do throws(Failure) { return try await answer(about: account) } catch {
      guard error.kind == .refusedToken, let token = account.token.accessToken else { throw error }
      demand.refused = TokenDemand.Refusal(token, isByAPI: true)
      let renewed = try await engine.account(name, for: demand)
      do throws(Failure) { return try await answer(about: renewed) } catch {
        // The provider takes no token of this account any more.
        let isFinal = error.kind == .refusedToken && error.hint == nil
        throw isFinal ? error.with(hint: .signInAgain(account: name.description)) : error
      }
    }
  }
}
