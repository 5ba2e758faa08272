import GLibSupport
import Language
import LoginCore
import Platform
import SignIn

/// The accounts that an agent gives tokens of, and the answers to its requests.
///
/// A token that is good for long enough is given by this process. Everything else is the work of another `tokentry`, which
/// has a deadline, messages and a window of its own.
@GLibActor
final class AgentHome: Sendable {
  private let run: Composition
  private let kept: KeptAccounts
  private let program: String
  /// The options that every other `tokentry` gets.
  private let options: [String]
  private let isVerbose: Bool
  private let runs = SharedWork<[String], JSONObject>()

  /// The options of an agent that are meant for the logins at home.
  nonisolated static let passed: [Option] = [
    .agent, .browser, .noBrowser, .rendering, .trust, .headlessTest, .form,
  ]

  nonisolated init(_ settings: Settings, _ run: Composition) throws(Failure) {
    guard let program = run.environment.executable else { throw .defect() }
    (self.run, self.program, isVerbose) = (run, program, settings.has(.verbose))
    let names = try settings.accountNames.map(\.description)
    kept = KeptAccounts(store: try run.store, only: names.isEmpty ? nil : Set(names))
    options =
      [Option.store.flag, settings[.store] ?? run.environment["TOKENTRY_STORE"] ?? "keyring"]
      + Self.passed.flatMap { option -> [String] in
        if case .none = option.value { return settings.has(option) ? [option.flag] : [] }
        return settings.all(option).map { "\(option.flag)=\($0)" }
      }
  }

  func accounts() async throws(Failure) -> JSONObject {
    ["accounts": .array(try await kept.list().map { .object($0.json) })]
  }

  /// Returns the account for a wish. Marks a token that was refused as expired, if it is still the kept one.
  func account(for wish: TokenWish, _ options: AgentRequest.TokenOptions) async throws(Failure) -> Account {
    do throws(Failure) {
      var wish = wish
      if let rejected = options.rejected {
        if let name = try await kept.accounts(with: rejected, for: wish).first { wish = wish.naming(name) }
        if let name = wish.account {
          _ = try await kept.load(name)
          try await run.store.expire(
            rejected, of: name, isRefused: wish.helper?.name != GitHelper.name, at: run.clock.now())
        }
      }
      return try await kept.account(for: wish)
    } catch {
      guard error.kind == .noAccount else { throw error }
      throw Failure(.unknownAccount, error.message, hint: error.hint)
    }
  }

  /// Returns a token of the account, once the person at home has allowed that.
  func token(
    of account: Account, _ wish: TokenWish, _ options: AgentRequest.TokenOptions,
    _ matter: Permissions.Matter, _ permissions: Permissions
  ) async throws(Failure) -> JSONObject {
    if wish.helper != nil { try account.token.checkUnbound() }
    try permissions.checkPause(matter)
    var account = account
    do throws(Failure) {
      account = try await fresh(account, wish, options)
      try await permissions.check(matter)
    } catch {
      guard error.code == .loginRequired, !options.isSilent else { throw error }
      try await permissions.check(matter, signingIn: true)
      account = try await renewed(account, options, ["\(Option.application.flag)=\(matter.asker.title)"])
    }
    if wish.helper != nil { try account.token.checkUnbound() }
    return answer(with: account, for: wish.helper)
  }

  /// Returns the account with a token that is good for long enough, without the user.
  private func fresh(
    _ account: Account, _ wish: TokenWish, _ options: AgentRequest.TokenOptions
  ) async throws(Failure) -> Account {
    let now = run.clock.now()
    let isGood =
      account.freshness(
        at: now, forAtLeast: options.minimumValidity, assumingUnexpired: account.assumesUnexpired) == .good
    if isGood, !wish.needsIdentity || account.isIdentified(at: now, for: options.minimumValidity) {
      return account
    }
    if isGood, let token = account.token.accessToken {
      // An id_token is renewed with the access token.
      try await run.store.expire(token, of: account.name, isRefused: false, at: now)
    }
    let account = try await renewed(account, options, [Option.silent.flag])
    guard !wish.needsIdentity || account.isIdentified(at: run.clock.now(), for: 1) else {
      throw .signInForbidden(account: account.name.description)
    }
    return account
  }

  private func renewed(
    _ account: Account, _ options: AgentRequest.TokenOptions, _ more: [String]
  ) async throws(Failure) -> Account {
    let words = [
      Command.token.rawValue, "\(Option.account.flag)=\(account.name)",
      "\(Option.minValid.flag)=\(options.minimumValidity)",
    ]
    _ = try await output(of: words + more)
    return try await kept.load(account.name)
  }

  func login(
    _ login: AgentLogin, _ matter: Permissions.Matter, _ permissions: Permissions
  ) async throws(Failure) -> JSONObject {
    try kept.checkVisible(login.name)
    try login.check(try await kept.find(login.name), run)
    try permissions.checkPause(matter)
    try await permissions.check(matter, signingIn: true)
    _ = try await output(of: login.arguments + ["\(Option.application.flag)=\(matter.asker.title)"])
    return answer(with: try await kept.load(login.name), for: nil)
  }

  func userinfo(of account: AccountName) async throws(Failure) -> JSONObject {
    try await output(of: [Command.userinfo.rawValue, "\(Option.account.flag)=\(account)"])
  }

  /// Returns a proof for one request with the account's token.
  func proof(of account: Account, for request: ResourceRequest, nonce: String?) throws(Failure) -> JSONObject
  {
    guard account.token.isBound, let token = account.token.accessToken else {
      throw Failure(
        .invalidConfiguration, "the token of \"\(account.name)\" is not bound to a key, so it needs no proof")
    }
    var signer = ResourceSigner(cryptography: run.cryptography, clock: run.clock)
    if let nonce {
      signer.note(HTTPResponse(status: 401, headers: [Parameter("DPoP-Nonce", nonce)]), to: request)
    }
    let signed = try signer.signed(request, with: account.token)
    let proof = signed.headers.first { $0.name == "DPoP" }?.value
    return ["access_token": .string(token.revealed()), "dpop": proof.map(JSONValue.string)]
  }

  /// Runs another `tokentry`, once for all programs that wait for the same, and returns its answer.
  private func output(of words: [String]) async throws(Failure) -> JSONObject {
    var options = options
    if words.first == Command.userinfo.rawValue {
      // It never asks the user, and so knows no options for that.
      options = Array(options.prefix(2)) + options.filter { $0.hasPrefix(Option.trust.flag + "=") }
    }
    let command = [program] + words + options
    guard words.contains(Option.silent.flag) else {
      return try await runs.value(for: command) { () async throws(Failure) in
        try await AgentChild.answer(of: command)
      }
    }
    // A refresh is for the account, not for the program that asks.
    return try await runs.value(for: command, outlivesAskers: true) { [run] () async throws(Failure) in
      try await run.time.keeping { () async throws(Failure) in
        try await AgentChild.answer(of: command)
      }
    }
  }

  private func answer(
    with account: Account, for helper: (any HelperProtocol.Type)?
  ) -> JSONObject {
    let granted = GrantedToken(account, for: helper)
    var object = granted.token.json(at: run.clock.now()).withoutSecrets
    object["account"] = .string(account.name.description)
    object["user"] = granted.user.map(JSONValue.string)
    return object
  }

  /// Reports an answer: the program, its request and the result.
  func log(_ asker: Asker, _ request: String, _ result: JSONObject?, _ failure: Failure?) {
    guard isVerbose else { return }
    let request = Redaction.addresses(in: request)
    let given: Message = result?["account"]?.string.map { "given (\($0))" } ?? "given"
    run.messages.info("\(asker.title, upTo: 200): \(request, upTo: 400): \(failure?.message ?? given)")
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
