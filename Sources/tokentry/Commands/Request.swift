import GLibSupport
import LoginCore
import SoupNetwork

extension CommandRun {
  /// `tokentry request`: one request of an API with the token of an account. The body of the answer goes to
  /// standard output as it comes, whatever its status; what else there is to say is on standard error.
  func request(_ settings: Settings) async throws(Failure) -> String {
    guard let name = try accountName(settings), let operand else {
      throw .caller(
        .invalidOption("request needs \(Option.account.flag) and the address of what is asked for"))
    }
    let store = try credentialStore(settings)
    let payload = try Payload(settings)
    defer { payload?.close() }
    let request = try resourceRequest(to: operand, settings)
    let provider = try await store.load(name).login.provider
    try provider.checkOrigin(of: request.endpoint, orAmong: try settings.allowedOrigins)
    var exchange = ResourceExchange(
      request, payload, try await transport(settings), patience: settings.timeout)
    var account = try await account(name, in: store, settings)
    // From here on the time is that of the exchange, which may take as long as something moves.
    interruption.setDeadline(seconds: 0)
    var answer = try await exchange.answer(with: account.token)
    if answer.head.refusesToken, let refused = account.token.accessToken {
      try await store.expire(refused, of: name, at: SystemClock().now())
      if exchange.rewind() {
        messages.info("the server refused the token, and is asked again with a new one")
        await answer.abandon()
        interruption.setDeadline(seconds: settings.timeout)
        account = try await self.account(name, in: store, settings)
        interruption.setDeadline(seconds: 0)
        answer = try await exchange.answer(with: account.token)
      }
    }
    try await handOver(answer)
    let head = answer.head
    let isUntried = (head.refusesToken || head.asksForNonce) && !exchange.rewind()
    if let fault = ResourceFault(head, isUntried: isUntried) { throw .resource(fault) }
    return ""
  }

  private func resourceRequest(
    to address: String, _ settings: Settings
  ) throws(Failure) -> ResourceRequest {
    let endpoint: Endpoint
    do throws(AddressFault) {
      endpoint = try Endpoint(address)
    } catch {
      throw .caller(.invalidOption("\"\(address.forDisplay(limit: 100))\" is \(error)"))
    }
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

  private func handOver(_ answer: StreamedAnswer) async throws(Failure) {
    let output = StreamedOutput()
    while case let bytes = try await answer.next(), !bytes.isEmpty { try await output.write(bytes) }
    try output.finish()
  }
}

extension Settings {
  fileprivate var allowedOrigins: [Origin] {
    get throws(Failure) {
      try all(.allowOrigin).map { text throws(Failure) in
        try Option.allowOrigin.parse(text) { text throws(AddressFault) in try Origin(text) }
      }
    }
  }
}
