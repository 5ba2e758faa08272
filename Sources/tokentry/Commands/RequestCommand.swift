import GLibSupport
import LoginCore
import SoupNetwork
import Wording

/// `tokentry request`: one request of an API with the token of an account: the one that is named, else the one that is
/// meant for the address. The body of the answer goes to standard output as it comes, whatever its status; what else
/// there is to say is on standard error.
final class RequestCommand: Action {
  private let run: Composition
  private let name: AccountName?
  private let desk: TokenBroker
  private let access: AccountAccess
  private let request: ResourceRequest
  private let origins: [Origin]
  private let data: Payload.Source?
  private let patience: Int

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    guard let address = settings.operand else {
      throw .commandLine(.lacks(command: Command.request.rawValue, .address))
    }
    name = try settings.accountName(run.cryptography)
    desk = TokenBroker(settings, run, mayAsk: true)
    access = AccountAccess(settings, run, try SignIn(settings, run))
    data = settings[.data].map(Payload.Source.init)
    request = try Self.request(to: address, settings)
    origins = try settings.all(.allowOrigin).map { text throws(Failure) in
      try Option.allowOrigin.parse(text, as: Origin.init)
    }
    patience = settings.timeout
  }

  private static func request(to address: String, _ settings: Settings) throws(Failure) -> ResourceRequest {
    let endpoint = try failing(Endpoint(address)) { .commandLine(.address("", text: address, $0)) }
    let hasData = settings.has(.data)
    var request = try ResourceRequest(
      settings[.method] ?? (hasData ? "POST" : "GET"), endpoint, headers: settings.pairs(.header))
    if !request.has(header: "Accept") { request = request.adding(Parameter("Accept", "*/*")) }
    if hasData, !request.has(header: "Content-Type") {
      // What curl says of the same option, so that a command line may be moved from one to the other.
      request = request.adding(Parameter("Content-Type", "application/x-www-form-urlencoded"))
    }
    return request
  }

  func text() async throws(Failure) -> String {
    let payload = try data.map { source throws(Failure) in try Payload(source) }
    defer { payload?.close() }
    var account = try await kept()
    let name = account.name
    try account.check(request.endpoint, orAmong: origins)
    var exchange = ResourceExchange(request, payload, run, patience: patience)
    account = try await access.account(account)
    // From here on the time is that of the exchange, which may take as long as something moves.
    run.interruption.pauseDeadline()
    var answer = try await exchange.answer(with: account.token)
    var tried: Set<Remedy> = []
    while let (remedy, stepUp) = Self.remedy(for: answer.head), !tried.contains(remedy),
      let refused = account.token.accessToken
    {
      tried.insert(remedy)
      if remedy == .refresh { try await run.store.expire(refused, of: name, at: run.clock.now()) }
      guard exchange.rewind() else { break }
      run.messages.info(stepUp.map { .stepUp($0) } ?? .tokenRefused)
      run.interruption.restartDeadline()
      do throws(Failure) {
        account = try await renewed(name, refused, stepUp)
      } catch {
        // The server's own answer says more than that nobody may be asked.
        guard stepUp != nil, case .user(.signInForbidden) = error else { throw error }
        break
      }
      await answer.abandon()
      run.interruption.pauseDeadline()
      answer = try await exchange.answer(with: account.token)
    }
    try await handOver(answer)
    let head = answer.head
    let isUntried = (Self.remedy(for: head) != nil || head.asksForNonce) && !exchange.rewind()
    if let fault = ResourceFault(head, isUntried: isUntried) { throw .resource(fault) }
    return ""
  }

  /// What may help where a server has not taken a token; each is tried once.
  private enum Remedy: Hashable {
    case refresh, scope, authentication
  }

  private static func remedy(for head: HTTPResponse) -> (Remedy, StepUp?)? {
    switch StepUp(head) {
    case .scope(let scope)?: (.scope, .scope(scope))
    case let stepUp?: (.authentication, stepUp)
    case nil: head.refusesToken ? (.refresh, nil) : nil
    }
  }

  private func kept() async throws(Failure) -> Account {
    if let name { return try await run.store.load(name) }
    return try await desk.kept(at: request.endpoint.description)
  }

  private func renewed(
    _ name: AccountName, _ refused: AccessToken, _ stepUp: StepUp?
  ) async throws(Failure) -> Account {
    guard let stepUp else { return try await access.account(name) }
    return try await access.account(name, after: refused, stepUp)
  }

  @GLibActor
  private func handOver(_ answer: StreamedAnswer) async throws(Failure) {
    let output = StreamedOutput()
    while case let bytes = try await answer.next(), !bytes.isEmpty {
      run.interruption.isAnswering = true
      try await output.write(bytes)
    }
    try output.finish()
  }
}
