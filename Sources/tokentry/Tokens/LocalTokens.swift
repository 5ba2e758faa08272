import GLibSupport
import LoginCore
import Platform
import SignIn

/// Tokens of the accounts that are kept on this machine.
final class LocalTokens: TokenSource {
  private let terms: TokenTerms
  private let shared: Composition

  nonisolated init(_ terms: TokenTerms, _ shared: Composition) { (self.terms, self.shared) = (terms, shared) }

  private var kept: KeptAccounts {
    get throws(Failure) { KeptAccounts(store: try shared.store) }
  }

  private var engine: SignIn { SignIn(shared.host, terms.signIn) }

  private func demand(_ wish: TokenWish) -> TokenDemand {
    var demand = terms.demand
    demand.needsIdentity = wish.needsIdentity
    return demand
  }

  func token(_ wish: TokenWish) async throws(Failure) -> GrantedToken {
    // For a token alone, the session that refreshes it loads the account.
    if let name = wish.account, wish.address == nil, wish.helper == nil {
      return GrantedToken(try await engine.account(name, for: demand(wish)), for: wish.helper)
    }
    return try await token(of: try await kept.account(for: wish), wish)
  }

  private func token(of kept: Account, _ wish: TokenWish) async throws(Failure) -> GrantedToken {
    // Before the user signs in for a token that the program cannot use.
    if wish.helper != nil { try kept.token.checkUnbound() }
    let account = try await engine.account(kept, for: demand(wish))
    if wish.helper != nil { try account.token.checkUnbound() }
    return GrantedToken(account, for: wish.helper)
  }

  func tokenAtOnce(_ wish: TokenWish, old: Bool) async throws(Failure) -> GrantedToken? {
    let account = try await kept.account(for: wish)
    if !old, demand(wish).step(of: account, at: shared.clock.now()) != .good { return nil }
    return GrantedToken(account, for: wish.helper)
  }

  func login(_ login: LoginWish, for wish: TokenWish?) async throws(Failure) -> GrantedToken {
    let login = try login.login()
    guard let wish else {
      // An account that cannot be read is replaced.
      if let kept = try? await shared.store.load(try login.requiredName) {
        try login.checkRepetition(of: kept)
      }
      return GrantedToken(try await login.account(), for: nil)
    }
    if wish.helper != nil, login.bindsToken { throw .boundToken }
    let account = try await engine.account(try login.requiredName, for: terms.demand, orBy: login)
    return try await token(of: try await kept.account(for: wish.naming(account.name)), wish)
  }

  func reject(_ token: AccessToken, for wish: TokenWish, isByAPI: Bool) async throws(Failure) {
    for name in try await kept.accounts(with: token, for: wish) {
      try await engine.note(TokenDemand.Refusal(token, isByAPI: isByAPI), of: name)
    }
  }

  func noteAcceptance(of account: AccountName) async throws(Failure) {
    try await shared.store.noteAcceptance(of: account)
  }

  func mayBring(_ stepUp: StepUp, by account: AccountName) async throws(Failure) -> Bool {
    try await shared.store.load(account).mayBring(stepUp, at: shared.clock.now())
  }

  func token(
    insteadOf refused: GrantedToken, by remedy: Remedy, for wish: TokenWish
  ) async throws(Failure) -> GrantedToken? {
    guard let token = refused.token.accessToken else { throw .defect() }
    return try await engine.account(refused.account, insteadOf: token, by: remedy, for: demand(wish)).map {
      GrantedToken($0, for: wish.helper)
    }
  }

  func signed(
    _ request: ResourceRequest, with granted: GrantedToken, _ signer: ResourceSigner
  ) async throws(Failure) -> ResourceRequest {
    try signer.signed(request, with: granted.token)
  }

  func accounts() async throws(Failure) -> [JSONObject] { try await shared.store.list().map(\.json) }

  func userinfo(of account: AccountName, forAtLeast seconds: Int64) async throws(Failure) -> JSONObject {
    try await shared.host.userinfo(of: account, forAtLeast: seconds)
  }
}

extension GrantedToken {
  /// The token of a kept account, for a helper if one asks.
  init(_ account: Account, for helper: (any HelperProtocol.Type)?) {
    self.init(
      account: account.name, token: account.token,
      user: helper.map { $0.user(of: account) } ?? account.login.loginHint,
      canRefresh: account.canBeRefreshed,
      life: account.token.expiresAt?.seconds(since: account.receivedAt))
  }
}

extension StoredAccount {
  /// The account without its secrets.
  var json: JSONObject {
    let name = JSONValue.string(name.description)
    return switch contents {
    case .account(let account):
      [
        "account": name, "user": account.user.map(JSONValue.string),
        "provider": account.provider.map(JSONValue.string), "client_id": .string(account.login.clientID),
        "expires_at": account.token.expiresAt.map { .string($0.description) },
        "token_type": account.token.type.map(JSONValue.string),
        "can_refresh": .bool(account.canBeRefreshed),
        "for": account.origins.isEmpty ? nil : .array(account.origins.map { .string($0.description) }),
      ]
    case .locked: ["account": name, "locked": true]
    case .unreadable(let reason): ["account": name, "error": .string(reason)]
    }
  }
}
