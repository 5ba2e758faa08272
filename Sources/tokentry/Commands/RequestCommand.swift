import GLibSupport
import Glibc
import LoginCore
import PrivateFiles
import SoupNetwork
import Wording

/// `tokentry request`: sends a request to an API with the token of an account, by default of the account that is meant
/// for the address. The body of the answer goes to standard output as it arrives, whatever its status.
final class RequestCommand: Action {
  private let run: Composition
  private let name: AccountName?
  private let broker: TokenBroker
  private let access: AccountAccess
  private let request: ResourceRequest
  private let origins: [Origin]
  private let data: Payload.Source?
  private let patience: Int

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    guard let address = settings.operand else { throw .lacks(.request, "the address of the request") }
    name = try settings.accountName(run.cryptography)
    broker = TokenBroker(settings, run, mayAsk: true)
    access = AccountAccess(settings, run, try SignIn(settings, run))
    data = settings[.data].map(Payload.Source.init)
    request = try Self.request(to: address, settings)
    origins = try settings.all(.allowOrigin).map { text throws(Failure) in
      try Option.allowOrigin.parse(text, as: Origin.init)
    }
    patience = settings.timeout
  }

  private static func request(to address: String, _ settings: Settings) throws(Failure) -> ResourceRequest {
    let endpoint = try failing(Endpoint(address)) { (reason: Message) in
      Failure(.invalidOption, "\"\(Redaction.given(address), upTo: 100)\" is \(reason)")
    }
    let hasData = settings.has(.data)
    var request = try ResourceRequest(
      settings[.method] ?? (hasData ? "POST" : "GET"), endpoint, headers: settings.pairs(.header))
    if !request.has(header: "Accept") { request = request.adding(Parameter("Accept", "*/*")) }
    if hasData, !request.has(header: "Content-Type") {
      // The same type as with curl's option of this name.
      request = request.adding(Parameter("Content-Type", "application/x-www-form-urlencoded"))
    }
    return request
  }

  func text() async throws(Failure) -> String {
    let payload = try data.map { source throws(Failure) in try Payload(source) }
    defer { payload?.close() }
    var account = try await kept()
    let name = account.name
    try check(account)
    var exchange = ResourceExchange(request, payload, run, patience: patience)
    account = try await access.account(account)
    // The exchange may take as long as bytes keep moving.
    run.interruption.pauseDeadline()
    var answer = try await exchange.answer(with: account.token)
    var tried: Set<Remedy> = []
    while let (remedy, stepUp) = Self.remedy(for: answer.head, after: tried), !tried.contains(remedy),
      let refused = account.token.accessToken
    {
      tried.insert(remedy)
      if remedy == .refresh {
        try await run.store.expire(refused, of: name, isRefused: true, at: run.clock.now())
      }
      guard exchange.rewind() else { break }
      if remedy == .move, await !access.hasMoved(account) { break }
      run.messages.info(Self.reason(for: remedy, stepUp))
      run.interruption.restartDeadline()
      do throws(Failure) {
        account =
          remedy == .refresh
          ? try await access.account(name) : try await access.account(name, after: refused, stepUp)
      } catch {
        // The server's own answer is more useful than a message that the user may not be asked.
        guard stepUp != nil, Failure.signInForbidden(account: "") ~= error else { throw error }
        break
      }
      await answer.abandon()
      run.interruption.pauseDeadline()
      answer = try await exchange.answer(with: account.token)
    }
    let head = answer.head
    if ![401, 403].contains(head.status) { try await run.store.noteAcceptance(of: name) }
    try await handOver(answer)
    let isUntried = (Self.remedy(for: head) != nil || head.asksForNonce) && !exchange.rewind()
    if let failure = Failure.resource(head, isUntried: isUntried) { throw failure }
    return ""
  }

  private func kept() async throws(Failure) -> Account {
    if let name { return try await run.store.load(name) }
    return try await broker.kept(at: request.endpoint.description)
  }

  /// Refuses a server to which the account's token may not be sent.
  private func check(_ account: Account) throws(Failure) {
    do throws(Failure) {
      try account.check(request.endpoint, orAmong: origins)
    } catch {
      guard let origin = (try? Destination(request.endpoint.description))?.origin,
        error == Failure.originNotAllowed(origin)
      else { throw error }
      throw error.with(hint: "if the token is meant for that server, add --allow-origin \(origin)")
    }
  }

  /// Another token that the server may accept. Each kind is tried once.
  private enum Remedy: Hashable {
    case refresh, scope, authentication
    /// A login at the server to which the API has moved, because it refuses even a refreshed token.
    case move
  }

  private static func remedy(for head: HTTPResponse, after tried: Set<Remedy> = []) -> (Remedy, StepUp?)? {
    switch StepUp(head) {
    case .scope(let scope)?: (.scope, .scope(scope))
    case let stepUp?: (.authentication, stepUp)
    case nil: head.refusesToken ? (tried.contains(.refresh) ? .move : .refresh, nil) : nil
    }
  }

  private static func reason(for remedy: Remedy, _ stepUp: StepUp?) -> Message {
    switch stepUp {
    case .scope(let scope):
      "the server wants a token with the scope \(scope, upTo: 300), so the user is asked again"
    case .authentication: "the server wants the user to sign in again, or in another way"
    case nil where remedy == .move:
      "the API has moved to another server, so the user is asked to sign in there"
    case nil: "the server refused the token; trying again with a new one"
    }
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

/// A request to an API that may have to be sent more than once.
@GLibActor
struct ResourceExchange {
  private let request: ResourceRequest
  private let payload: Payload?
  private let transport: SoupTransport
  private let patience: Int
  private var signer: ResourceSigner

  /// The exchange fails if no byte has moved for `patience` seconds.
  init(_ request: ResourceRequest, _ payload: Payload?, _ run: Composition, patience: Int) {
    self.request = request
    self.payload = payload
    transport = run.network
    signer = ResourceSigner(cryptography: run.cryptography, clock: run.clock)
    self.patience = patience
  }

  /// Sends the request with this token. If the server wants its nonce in the proof (RFC 9449 section 9), sends it once
  /// more, unless the body is gone.
  mutating func answer(with token: Token) async throws(Failure) -> StreamedAnswer {
    // A long body should not be sent in vain, and one from a pipe cannot be sent twice, so this gets the nonce first.
    if token.isBound, payload?.isFile == true, !signer.knowsNonce(for: request) {
      await (try answer(to: request.withoutBody, nil, token)).abandon()
    }
    let hasBody = ["POST", "PUT", "PATCH"].contains(request.method)
    let body = payload?.body ?? (hasBody ? .bytes([]) : nil)
    let first = try await answer(to: request, body, token)
    guard token.isBound, first.head.asksForNonce, rewind() else { return first }
    await first.abandon()
    return try await answer(to: request, body, token)
  }

  /// Prepares the body to be sent again. Returns false if it is gone.
  func rewind() -> Bool { payload?.rewind() ?? true }

  private mutating func answer(
    to request: ResourceRequest, _ body: RequestBody?, _ token: Token
  ) async throws(Failure) -> StreamedAnswer {
    let signed = try signer.signed(request, with: token)
    Messages.hide(credentialsIn: signed.headers)
    let answer = try await transport.stream(signed, body, patience: patience)
    signer.note(answer.head, to: request)
    return answer
  }
}

/// The body of a request, from `--data`.
struct Payload {
  let body: RequestBody
  private let start: off_t
  private let isOurs: Bool

  enum Source: Sendable {
    case text(String)
    case file(InputFile)

    /// Reads a text, or `@` and the path of a file, or `@-` for standard input.
    init(_ text: String) {
      let isFile = text.utf8.first == UInt8(ascii: "@")
      self = isFile ? .file(InputFile(.data, text.withoutFirstByte)) : .text(text)
    }
  }

  init(_ source: Source) throws(Failure) {
    let file: InputFile
    switch source {
    case .file(let named): file = named
    case .text(let text):
      (body, start, isOurs) = (.bytes(Array(text.utf8)), 0, false)
      return
    }
    let descriptor = try file.open()
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      if !file.isStandardInput { Glibc.close(descriptor) }
      throw .file(file.flag, FileError(file.path, systemCode: EISDIR))
    }
    body = .descriptor(descriptor)
    start = lseek(descriptor, 0, SEEK_CUR)
    isOurs = !file.isStandardInput
  }

  /// True if the body comes from a file or a pipe, and so may be of any length.
  var isFile: Bool { if case .descriptor = body { true } else { false } }

  /// Prepares the body to be sent again. Returns false for a pipe, whose contents are gone.
  func rewind() -> Bool {
    guard case .descriptor(let descriptor) = body else { return true }
    return start >= 0 && lseek(descriptor, start, SEEK_SET) == start
  }

  func close() {
    if isOurs, case .descriptor(let descriptor) = body { Glibc.close(descriptor) }
  }
}
