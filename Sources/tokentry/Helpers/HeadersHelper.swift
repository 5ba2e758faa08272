import GLibSupport
import LoginCore
import SoupNetwork
import Wording

/// Header fields for an address, as MCP clients take them from a command (Claude Code's `headersHelper`, Codex's
/// `http_headers_helper`), or in lines for curl. An address that no account is meant for begins a login.
///
/// Such programs wait ten seconds, which is less than somebody needs to sign in, and more than it takes to refresh. So
/// both go on in a process of its own, however this one ends, and the next call finds the token.
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

  private let desk: TokenBroker
  private let address: String
  private let resource: ProtectedResource
  /// What an account is called that is made for the address.
  private let ownName: AccountName

  /// A call is answered well within the ten seconds that programs wait, also on a busy machine.
  static let patience = 7
  /// What the API itself may take of them.
  static let patienceOfCheck = 3

  init(_ desk: TokenBroker) throws(Failure) {
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
    if let known, try await lack(of: known) == .nothing { return try header(of: known) }
    if known == nil, desk.given.has(.silent) { throw .helper(.noAccountForAPI(address)) }
    desk.run.interruption.shownFailure = .helper(.goesOn(address))
    try await SignInChild.end(desk.run)
    guard let account = try await kept() else { throw .helper(.noAccountForAPI(address)) }
    return try header(of: account)
  }

  private func header(of account: Account) throws(Failure) -> String {
    try TokenBroker.checkBinding(account.token.isBound)
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

  /// What a token lacks that is to be handed out.
  private enum Lack: Equatable {
    case nothing, time
    /// The API understands the token, and wants more of it.
    case more(StepUp, than: AccessToken)
  }

  /// Where that is asked for the API is tried: a token that it refuses is not handed out again. One of which it wants
  /// more is, if nobody may be asked for it, or was asked already: it may do for something else.
  private func lack(of account: Account) async throws(Failure) -> Lack {
    let (run, now) = (desk.run, desk.run.clock.now())
    guard account.freshness(at: now, forAtLeast: desk.given.minimumValidity) == .good else { return .time }
    guard desk.given.has(.check), let token = account.token.accessToken,
      let answer = try await answer(to: account.token)
    else { return .nothing }
    if let stepUp = StepUp(answer) {
      let helps = !desk.given.has(.silent) && account.mayBring(stepUp, at: now)
      return helps ? .more(stepUp, than: token) : .nothing
    }
    guard answer.refusesToken else { return .nothing }
    try await run.store.expire(token, of: account.name, at: now)
    return .time
  }

  /// What the API says of a token; nothing where it cannot be asked, which is no refusal. Where nothing can be got,
  /// something is posted that means nothing.
  @GLibActor
  private func answer(to token: Token) async throws(Failure) -> HTTPResponse? {
    for method in ["GET", "POST"] {
      let request = try ResourceRequest(
        method, failing(Endpoint(address)) { .commandLine(.address("", text: address, $0)) },
        headers: [Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json")])
      var exchange = ResourceExchange(request, nil, desk.run, patience: Self.patienceOfCheck)
      guard let answer = try? await exchange.answer(with: token) else { return nil }
      let head = answer.head
      await answer.abandon()
      if head.status != 404, head.status != 405 { return head }
    }
    return nil
  }

  /// The account with a token that is good, whatever has to be done for it.
  private func renewed() async throws(Failure) -> Account {
    let (settings, run) = (desk.settings, desk.run)
    let access = AccountAccess(settings, run, try SignIn(settings, run))
    if let account = try await kept() {
      if case .more(let stepUp, let refused) = try await lack(of: account) {
        return try await access.account(account.name, after: refused, stepUp)
      }
      return try await access.account(account.name)
    }
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
