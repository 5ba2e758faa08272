import WindowProtocol
import GLibSupport
import Language
import LoginCore
import Platform
import SignIn

/// The accounts that an agent gives tokens of, and the answers to its requests.
@GLibActor
final class AgentHome: Sendable {
  private let shared: Composition
  private let kept: KeptAccounts
  /// The wishes for sign-ins at home.
  private let signIn: SignInOptions
  private let patience: Int
  private let isVerbose: Bool
  /// The logins of programs elsewhere.
  let carried: CarriedLogins
  private let refreshes = SharedWork<String, Account>()
  private let signIns = SharedWork<String, Account>()

  /// Each sign-in may take `patience` seconds. Only the accounts in `names` can be seen, or all if there are none.
  nonisolated init(
    _ shared: Composition, names: [AccountName], _ signIn: SignInOptions, patience: Int, isVerbose: Bool,
    opensPages: Bool
  ) throws(Failure) {
    (self.shared, self.signIn, self.patience, self.isVerbose) = (shared, signIn, patience, isVerbose)
    carried = CarriedLogins(shared.host, signIn, patience: patience, opensUnasked: opensPages)
    kept = KeptAccounts(
      store: try shared.store, only: names.isEmpty ? nil : Set(names.map(\.description)))
  }

  func accounts() async throws(Failure) -> JSONObject {
    ["accounts": .array(try await kept.list().map { .object($0.json) })]
  }

  /// Returns the account for a wish, which may be found by a token that was refused.
  func account(for wish: TokenWish, _ options: AgentRequest.Token) async throws(Failure) -> Account {
    do throws(Failure) {
      var wish = wish
      if let rejected = options.rejected,
        let name = try await kept.accounts(with: rejected, for: wish).first
      {
        wish = wish.naming(name)
      }
      return try await kept.account(for: wish)
    } catch {
      guard error.kind == .noAccount else { throw error }
      throw Failure(.unknownAccount, error.message, hint: error.hint)
    }
  }

  /// Returns a token of the account, once the person at home has allowed that.
  func token(
    of account: Account, _ wish: TokenWish, _ options: AgentRequest.Token,
    _ subject: Permissions.Subject, _ permissions: Permissions
  ) async throws(Failure) -> JSONObject {
    if wish.helper != nil { try account.token.checkUnbound() }
    try permissions.checkPause(subject)
    var account = account
    let servers = account.ownDestinations.map(\.origin)
    let demand = demand(options, wish.helper)
    let isRefused = demand.refused.map { $0.token == account.token.accessToken } ?? false
    var signsIn = demand.step(of: account, at: shared.clock.now()) == .needsLogin
    if signsIn, options.isSilent, !isRefused { throw .signInForbidden(account: account.name.description) }
    // No server is asked, and nothing that is kept changes, before the person has allowed it.
    try await permissions.check(subject, at: servers, signingIn: signsIn && !options.isSilent)
    if !signsIn || options.isSilent {
      do throws(Failure) { account = try await fresh(account, demand) } catch {
        guard error.code == .loginRequired, !options.isSilent else { throw error }
        signsIn = true
        try await permissions.check(subject, at: servers, signingIn: true)
      }
    }
    if signsIn { account = try await signedIn(account, demand, for: subject.requester) }
    if wish.helper != nil { try account.token.checkUnbound() }
    return answer(with: account, for: wish.helper)
  }

  /// Returns the account with a token that meets the demand, without asking the user. Programs that wait for the same token
  /// share one refresh. It is for the account, so it continues if they leave.
  private func fresh(_ account: Account, _ demand: TokenDemand) async throws(Failure) -> Account {
    if demand.step(of: account, at: shared.clock.now()) == .good { return account }
    var silent = SignInOptions()
    silent.isSilent = true
    return try await refreshes.value(for: Self.key(of: account, demand), outlivesAskers: true) {
      [shared, silent] () async throws(Failure) in
      try await shared.run.keeping { () async throws(Failure) in
        try await SignIn(shared.host, silent).account(account.name, for: demand)
      }
    }
  }

  /// Returns the account after the person at home has signed in, unless another program has brought a good token meanwhile.
  private func signedIn(
    _ account: Account, _ demand: TokenDemand, for requester: AgentRequester
  ) async throws(Failure) -> Account {
    try await atHome("\(Self.key(of: account, demand))\n\(requester.title)", for: requester) {
      signIn throws(Failure) in
      try await signIn.account(account.name, for: demand)
    }
  }

  func login(
    _ login: LoginDescription, _ subject: Permissions.Subject, _ permissions: Permissions
  ) async throws(Failure) -> JSONObject {
    try kept.checkVisible(login.account)
    // A login that cannot work, or that would replace an account of another provider, is refused before the question.
    let check = try NewLogin(Wishes(login), shared, by: SignIn(shared.host, signIn))
    try check.checkRepetition(of: try await kept.find(login.account))
    try await permissions.check(subject, signingIn: true, wishing: login.wishes)
    let account = try await atHome("login \(login.json.text)", for: subject.requester) {
      [shared] signIn throws(Failure) in try await NewLogin(Wishes(login), shared, by: signIn).account()
    }
    return answer(with: account, for: nil)
  }

  /// Runs a sign-in under its own deadline, once for all programs that wait for the same. It ends when they have gone. The
  /// window names the program that asks.
  private func atHome(
    _ key: String, for requester: AgentRequester,
    _ body: @escaping @GLibActor @Sendable (SignIn) async throws(Failure) -> Account
  ) async throws(Failure) -> Account {
    let shown = Requester(application: requester.nameForUser, caller: shared.host.requester.caller)
    return try await signIns.value(for: key) {
      [host = shared.host, signIn, patience] () async throws(Failure) in
      let time = Run()
      let engine = SignIn(host.with(time, for: shown), signIn)
      return try await withTaskCancellationHandler { () async -> Result<Account, Failure> in
        await time.result(within: patience) { () async throws(Failure) in try await body(engine) }
      } onCancel: {
        GLibActor.task { time.end(with: .cancelled) }
      }.get()
    }
  }

  private func demand(
    _ options: AgentRequest.Token, _ helper: (any HelperProtocol.Type)? = nil
  ) -> TokenDemand {
    var demand = TokenDemand()
    (demand.validity, demand.needsIdentity) = (options.minimumValidity, options.needsIdentity)
    // Git does not say whether a server has refused the token.
    demand.refused = options.rejected.map { .init($0, isByAPI: helper?.name != GitHelper.name) }
    return demand
  }

  /// Identifies a token that several programs can share.
  private static func key(of account: Account, _ demand: TokenDemand) -> String {
    let refused = demand.refused?.token.revealed() ?? ""
    return "\(account.name)\n\(demand.validity)\n\(demand.needsIdentity)\n\(refused)"
  }

  /// Waits for the refreshes that were sent, even if the programs that asked have gone.
  func finishRefreshes() async { await refreshes.finish() }

  func userinfo(of account: AccountName) async throws(Failure) -> JSONObject {
    try await shared.host.userinfo(of: account, forAtLeast: 60)
  }

  /// Returns a proof for one request with the account's token, which is refreshed if it has ended.
  func proof(
    of kept: Account, for request: ResourceRequest, nonce: String?
  ) async throws(Failure) -> JSONObject {
    guard kept.token.isBound else {
      throw Failure(
        .invalidConfiguration, "the token of \"\(kept.name)\" is not bound to a key, so it needs no proof")
    }
    let account = try await fresh(kept, TokenDemand())
    guard let token = account.token.accessToken else { throw .defect() }
    var signer = ResourceSigner(cryptography: shared.cryptography, clock: shared.clock)
    if let nonce {
      signer.note(HTTPResponse(status: 401, headers: [Parameter("DPoP-Nonce", nonce)]), to: request)
    }
    let signed = try signer.signed(request, with: account.token)
    let proof = signed.headers.first { $0.name == "DPoP" }?.value
    return [
      "access_token": .string(token.revealed()), "dpop": proof.map(JSONValue.string),
      "expires_at": account.token.expiresAt.map { .string($0.description) },
    ]
  }

  private func answer(
    with account: Account, for helper: (any HelperProtocol.Type)?
  ) -> JSONObject {
    let granted = GrantedToken(account, for: helper)
    var object = granted.token.json(at: shared.clock.now()).withoutSecrets
    object["account"] = .string(account.name.description)
    object["user"] = granted.user.map(JSONValue.string)
    return object
  }

  /// Reports an answer: the program, its request and the result.
  func log(_ requester: AgentRequester, _ request: String, _ result: JSONObject?, _ failure: Failure?) {
    guard isVerbose else { return }
    let request = Redaction.addresses(in: request)
    let given: Message = result?["account"]?.string.map { "given (\($0))" } ?? "given"
    shared.messages.info("\(requester.title, upTo: 200): \(request, upTo: 400): \(failure?.message ?? given)")
  }
}

extension JSONObject {
  /// The members that never leave the machine with the accounts, at any depth.
  private static let secrets = ["refresh_token", "dpop_jwk", "client_secret"]

  fileprivate var withoutSecrets: JSONObject {
    reduce(into: [:]) { object, member in
      if !Self.secrets.contains(member.name) { object[member.name] = member.value.withoutSecrets }
    }
  }
}

extension JSONValue {
  fileprivate var withoutSecrets: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutSecrets))
    case .object(let object): .object(object.withoutSecrets)
    case .null, .bool, .number, .string: self
    }
  }
}
