import GLibSupport
import LoginCore
import SoupNetwork
import Wording

/// Header fields for an address, as MCP clients take them from a command (Claude Code's `headersHelper`, Codex's
/// `http_headers_helper`), or in lines for curl. If no account is set up for the address, this begins a login.
///
/// The clients wait ten seconds. That is enough for a refresh, but not for a user who signs in. So both run in a process of
/// its own that goes on when this one ends, and the next call finds the token.
struct HeadersHelper: HelperProtocol {
  static let name = "headers"
  static let callers = "Claude Code, Codex, other MCP clients, curl"
  static let setUp = [
    #""headersHelper": "tokentry helper headers --check"   in .mcp.json, for Claude Code"#,
    #"http_headers_helper = "tokentry helper headers --check URL"   in ~/.codex/config.toml"#,
    "tokentry helper headers --lines URL | curl -H @- URL",
  ]
  static let options: [Option] =
    [.check, .lines] + OptionGroup.provider.options + OptionGroup.registration.options + [
      .scope, .parameter, .tokenParameter, .authorizationDetails, .loginHint,
    ]

  /// The seconds for a call. Some of the client's ten are left for a busy machine.
  static let patience = 7
  /// The seconds of these that the API may take.
  static let patienceOfCheck = 3

  private let broker: TokenBroker
  private let address: String
  private let resource: ProtectedResource
  /// The name for an account that is made for the address.
  private let ownName: AccountName

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    guard broker.arguments.count < 2,
      let address = broker.arguments.first ?? broker["CLAUDE_CODE_MCP_SERVER_URL"]
    else {
      let missing: Message = "the address of an API"
      throw Failure(
        .invalidOption, "\("\(Command.helper) \(Self.name)") needs \(missing)",
        hint: "add it, or set CLAUDE_CODE_MCP_SERVER_URL as Claude Code does")
    }
    self.address = address
    resource = try Self.parsed(address, as: ProtectedResource.init)
    ownName = try AccountName(resource, broker.run.cryptography)
  }

  private static func parsed<Address>(
    _ address: String, as read: (String) throws(Message) -> Address
  ) throws(Failure) -> Address {
    try failing(read(address)) { (reason: Message) in
      Failure(.invalidOption, "\"\(Redaction.given(address), upTo: 100)\" is \(reason)")
    }
  }

  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool { !settings.has(.silent) }

  static func refusal(of failure: Failure) -> Refusal { SignInChild.isThis ? SignInChild.refusal : .silent }

  func text() async throws(Failure) -> String {
    if SignInChild.isThis {
      _ = try await renewed()
      return ""
    }
    broker.run.interruption.setDeadline(seconds: Self.patience, isGiven: true)
    let known = try await kept()
    if let known, try await need(of: known) == nil { return try header(of: known) }
    if known == nil, broker.given.has(.silent) { throw .noAccount(forAPI: address) }
    broker.run.interruption.shownFailure = Failure(
      .alreadyInProgress,
      "a token for \(Redaction.address(address), upTo: 200) takes longer than this program may wait",
      hint: "sign in when a window or browser asks you to: the next call returns the token")
    try await SignInChild.end(broker.run)
    guard let account = try await kept() else { throw .noAccount(forAPI: address) }
    return try header(of: account)
  }

  private func header(of account: Account) throws(Failure) -> String {
    try TokenBroker.checkBinding(account.token.isBound)
    broker.hideSecrets(of: account)
    let value = try account.authorization()
    if broker.given.has(.lines) { return "Authorization: \(value)\n" }
    let object: JSONObject = ["Authorization": .string(value)]
    return object.text + "\n"
  }

  /// Returns the account that is called after the address, or another one that is meant for it, or nil.
  private func kept() async throws(Failure) -> Account? {
    do throws(Failure) {
      if broker.given[.account] == nil, let own = try await own() { return own }
      return try await broker.kept(at: address)
    } catch {
      if Failure.noAccount(for: "") ~= error { return nil }
      throw error
    }
  }

  private func own() async throws(Failure) -> Account? {
    guard let account = try await broker.run.store.find(ownName) else { return nil }
    let destination = try Self.parsed(resource.description, as: Destination.init)
    return account.isMeant(for: destination) ? account : nil
  }

  /// Returns the account with a good token, after a refresh or a login if necessary.
  private func renewed() async throws(Failure) -> Account {
    let (settings, run) = (broker.settings, broker.run)
    let access = AccountAccess(settings, run, try SignIn(settings, run))
    if let account = try await kept() {
      if case .stepUp(let stepUp, let refused) = try await need(of: account) {
        return try await access.account(account.name, after: refused, stepUp)
      }
      let renewed = try await access.account(account.name)
      // If the API has moved, it refuses what the old server has refreshed.
      guard broker.given.has(.check), account.canBeRefreshed, let token = renewed.token.accessToken,
        try await need(of: renewed) == .freshToken, await access.hasMoved(renewed)
      else { return renewed }
      return try await access.account(account.name, after: token)
    }
    var login = settings
    try login.set(.resource, address, as: Option.resource.flag)
    if login[.account] == nil { try login.set(.account, ownName.description, as: Option.account.flag) }
    return try await access.account(login.accountName ?? ownName, orBy: try LoginCommand(login, run))
  }
}

/// Trying the token at the API.
extension HeadersHelper {
  /// The step that is needed before a token can be handed out.
  private enum Need: Equatable {
    case freshToken
    /// A login with the API's demands, because it has refused this token.
    case stepUp(StepUp, insteadOf: AccessToken)
  }

  /// Returns nil for a token that can be handed out. With `--check` the API is asked, and a token that it refuses is not
  /// handed out again. If it demands more and a login would not help, the token is handed out anyway: it may be good for
  /// other requests.
  private func need(of account: Account) async throws(Failure) -> Need? {
    let (run, now) = (broker.run, broker.run.clock.now())
    let freshness = account.freshness(
      at: now, forAtLeast: broker.given.minimumValidity, assumingUnexpired: account.assumesUnexpired)
    guard freshness == .good else {
      return .freshToken
    }
    guard broker.given.has(.check), let token = account.token.accessToken,
      let answer = try await answer(to: account.token)
    else { return nil }
    if let stepUp = StepUp(answer) {
      let helps = !broker.given.has(.silent) && account.mayBring(stepUp, at: now)
      return helps ? .stepUp(stepUp, insteadOf: token) : nil
    }
    guard answer.refusesToken else {
      if ![401, 403].contains(answer.status) { try await run.store.noteAcceptance(of: account.name) }
      return nil
    }
    try await run.store.expire(token, of: account.name, isRefused: true, at: now)
    return .freshToken
  }

  /// Returns the API's answer to a token, or nil if it does not answer. If it does not support GET, it gets a POST without
  /// a meaning.
  @GLibActor
  private func answer(to token: Token) async throws(Failure) -> HTTPResponse? {
    for method in ["GET", "POST"] {
      let request = try ResourceRequest(
        method, Self.parsed(address, as: Endpoint.init),
        headers: [Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json")])
      var exchange = ResourceExchange(request, nil, broker.run, patience: Self.patienceOfCheck)
      guard let answer = try? await exchange.answer(with: token) else { return nil }
      let head = answer.head
      await answer.abandon()
      if head.status != 404, head.status != 405 { return head }
    }
    return nil
  }
}
