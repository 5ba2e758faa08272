/// The facts about servers that a long-lived program need not ask for each time: their metadata and keys, and their latest
/// nonces.
///
/// An answer is remembered for the time that its `Cache-Control` allows (RFC 9111 section 5.2.2), at most a day, or else for
/// ten minutes. A key that a provider has withdrawn is good for no longer.
package actor ServerMemory {
  private struct Answer {
    let response: HTTPResponse
    let begin: UTCDate
    let life: Int64

    func isGood(at now: UTCDate) -> Bool { (0..<life).contains(now.seconds(since: begin)) }
  }

  private var answers: [String: Answer] = [:]
  /// The requests under way, by address. All tasks that ask for one address share its request.
  private var asked: [String: Task<Result<HTTPResponse, Failure>, Never>] = [:]
  private var nonces: [DPoPNonces.Servers: DPoPNonces] = [:]

  /// A client asks for the metadata and the keys of one provider, rarely of more.
  private static let maximumAnswers = 32

  package init() {}

  /// Returns the remembered answer, or that of the server.
  fileprivate func answer(
    to request: HTTPRequest, through transport: any HTTPTransport, _ clock: any WallClock
  ) async throws(Failure) -> HTTPResponse {
    let address = request.endpoint.description
    if request.recall == .allowed, let answer = answers[address], answer.isGood(at: clock.now()) {
      var response = answer.response
      response.isRemembered = true
      return response
    }
    let task = asked[address] ?? ask(request, at: address, through: transport, clock)
    // The others wait on if one of the waiting tasks is cancelled.
    return try await Dependencies.detached { () async throws(Failure) in try await task.value.get() }
  }

  private func ask(
    _ request: HTTPRequest, at address: String, through transport: any HTTPTransport, _ clock: any WallClock
  ) -> Task<Result<HTTPResponse, Failure>, Never> {
    let begin = clock.now()
    let task = Task { () -> Result<HTTPResponse, Failure> in
      let result: Result<HTTPResponse, Failure>
      do throws(Failure) { result = .success(try await transport.send(request)) } catch {
        result = .failure(error)
      }
      end(result, at: address, begin)
      return result
    }
    asked[address] = task
    return task
  }

  private func end(_ result: Result<HTTPResponse, Failure>, at address: String, _ begin: UTCDate) {
    (asked[address], answers[address]) = (nil, nil)
    guard case .success(let response) = result, response.status == 200,
      (try? JSONReader.read(response.body))?.object != nil
    else { return }
    if answers.count == Self.maximumAnswers { answers = [:] }
    answers[address] = Answer(response: response, begin: begin, life: response.life)
  }

  /// The latest nonces of the servers of this kind.
  package func nonces(of servers: DPoPNonces.Servers) -> DPoPNonces { nonces[servers] ?? DPoPNonces() }

  /// Keeps the nonce of an answer, if it has one.
  package func note(_ response: HTTPResponse, from endpoint: Endpoint, of servers: DPoPNonces.Servers) {
    nonces[servers, default: DPoPNonces()].note(response, from: endpoint)
  }
}

/// Asks a server only for the facts that the memory lacks. All other requests are sent.
package struct RememberingTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let memory: ServerMemory
  private let clock: any WallClock

  package init(_ inner: any HTTPTransport, _ memory: ServerMemory, clock: any WallClock) {
    (self.inner, self.memory, self.clock) = (inner, memory, clock)
  }

  package func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    if request.recall == .never { return try await inner.send(request) }
    return try await memory.answer(to: request, through: inner, clock)
  }
}

extension HTTPRequest {
  /// Returns the request, for which a remembered answer may do.
  func recalling(_ recall: Recall) -> HTTPRequest {
    var request = self
    request.recall = recall
    return request
  }
}

extension HTTPResponse {
  /// The seconds for which the answer may be remembered.
  fileprivate var life: Int64 {
    let fields = headers.filter { $0.name.lowercased() == "cache-control" }.map(\.value)
    let directives: [String] = fields.joined(separator: ",").lowercased().parts(at: ",").map { part in
      String(part.filter { $0 != " " && $0 != "\t" })
    }
    if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
    let ages = directives.filter { $0.hasPrefix("max-age=") }.map { Int64($0.dropFirst(8)) ?? 0 }
    guard let age = ages.min() else { return 600 }
    return min(age, 86_400) - (self[header: "Age"].flatMap { Int64($0) } ?? 0)
  }
}
