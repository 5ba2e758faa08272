import GLibSupport
import LoginCore
import SoupNetwork
import Wording

/// Header fields for an address, as MCP clients take them from a command (Claude Code's `headersHelper`, Codex's
/// `http_headers_helper`), or in lines for curl. An address that no account is meant for begins a login.
///
/// Such programs wait ten seconds, which is less than somebody needs to sign in, and more than it takes to refresh. So
/// both go on in a process of its own, however this one ends, and the next call finds the token.
struct HeadersHelper: Personality {
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

  private let desk: TokenDesk
  private let address: String
  private let resource: ProtectedResource
  /// What an account is called that is made for the address.
  private let ownName: AccountName

  /// A call is answered well within the ten seconds that programs wait, also on a busy machine.
  private static let patience = 7
  /// What the API itself may take of them.
  private static let patienceOfCheck = 3

  init(_ desk: TokenDesk) throws(Failure) {
    self.desk = desk
    guard desk.arguments.count < 2,
      let address = desk.arguments.first ?? desk["CLAUDE_CODE_MCP_SERVER_URL"]
    else { throw .commandLine(.lacks(command: "\(Command.helper) \(Self.name)", .url)) }
    self.address = address
    resource = try failing(ProtectedResource(address)) { .commandLine(.address("", text: address, $0)) }
    ownName = try AccountName(resource, desk.run.cryptography)
  }

  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool { !settings.has(.silent) }

  static func refusal(of failure: Failure) -> Refusal { SignInChild.isThis ? SignInChild.refusal : .silent }

  func text() async throws(Failure) -> String {
    if SignInChild.isThis {
      _ = try await renewed()
      return ""
    }
    desk.run.interruption.setDeadline(seconds: Self.patience, isGiven: true)
    let known = try await kept()
    if let known, try await isGood(known) { return try header(of: known) }
    if known == nil, desk.given.has(.silent) { throw .helper(.noAccount(address)) }
    desk.run.interruption.shownFailure = .helper(.goesOn(address))
    try await SignInChild.end(desk.run)
    guard let account = try await kept() else { throw .helper(.noAccount(address)) }
    return try header(of: account)
  }

  private func header(of account: Account) throws(Failure) -> String {
    try TokenDesk.checkBinding(account.token.isBound)
    desk.hideSecrets(of: account)
    let value = try account.authorization()
    if desk.given.has(.lines) { return "Authorization: \(value)\n" }
    let object: JSONObject = ["Authorization": .string(value)]
    return object.text + "\n"
  }

  /// The account that is called after the address comes first: it need not be looked for.
  private func kept() async throws(Failure) -> Account? {
    do throws(Failure) {
      if desk.given[.account] == nil, let own = try await own() { return own }
      return try await desk.kept(at: address)
    } catch {
      if case .noAccount? = error.fault(as: HelperFault.self) { return nil }
      throw error
    }
  }

  private func own() async throws(Failure) -> Account? {
    guard let account = try await desk.run.store.find(ownName) else { return nil }
    return try account.isMeant(for: Destination(resource)) ? account : nil
  }

  /// Whether the token may be handed out as it is. Where that is asked for the API is tried: a token that it refuses is
  /// not handed out again.
  private func isGood(_ account: Account) async throws(Failure) -> Bool {
    let run = desk.run
    guard account.freshness(at: run.clock.now(), forAtLeast: desk.given.minimumValidity) == .good else {
      return false
    }
    guard desk.given.has(.check), let token = account.token.accessToken,
      try await isRefused(account.token)
    else { return true }
    try await run.store.expire(token, of: account.name, at: run.clock.now())
    return false
  }

  /// What cannot be asked does not refuse. Where nothing can be got, something is posted that means nothing.
  @GLibActor
  private func isRefused(_ token: Token) async throws(Failure) -> Bool {
    for method in ["GET", "POST"] {
      let request = try ResourceRequest(
        method, failing(Endpoint(address)) { .commandLine(.address("", text: address, $0)) },
        headers: [Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json")])
      var exchange = ResourceExchange(request, nil, desk.run, patience: Self.patienceOfCheck)
      guard let answer = try? await exchange.answer(with: token) else { return false }
      let head = answer.head
      await answer.abandon()
      if head.status != 404, head.status != 405 { return head.refusesToken }
    }
    return false
  }

  /// The account with a token that is good, whatever has to be done for it.
  private func renewed() async throws(Failure) -> Account {
    let (settings, run) = (desk.settings, desk.run)
    let access = AccountAccess(settings, run, try SignIn(settings, run))
    if let account = try await kept() { return try await access.account(account.name) }
    var login = settings
    try login.set(.resource, address, as: Option.resource.flag)
    if login[.account] == nil { try login.set(.account, ownName.description, as: Option.account.flag) }
    return try await access.account(
      login.accountName ?? ownName, orBy: try LoginCommand(login, run))
  }
}

extension Destination {
  /// The API at an address.
  fileprivate init(_ resource: ProtectedResource) throws(Failure) {
    self = try failing(Destination(resource.description)) {
      .commandLine(.address("", text: resource.description, $0))
    }
  }
}
