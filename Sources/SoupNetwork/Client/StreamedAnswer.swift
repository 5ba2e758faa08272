import GLibSupport
import LoginCore

extension SoupTransport {
  /// Sends a request with a body of any length, and returns when the head of the answer has arrived. Redirects are not
  /// followed.
  ///
  /// It throws if no byte has moved in either direction for `patience` seconds, unless it waits for the program that
  /// writes the body. Zero means no limit.
  package func stream(
    _ request: ResourceRequest, _ body: RequestBody?, patience: Int
  ) async throws(Failure) -> StreamedAnswer {
    let request = try SoupRequest(request, body, userAgent: userAgent)
    let (judge, pool) = try way(of: request)
    let answer = StreamedAnswer(to: request, with: body, on: pool, judge: judge, patience: patience)
    try await begin(answer)
    return answer
  }
}

/// One request and its answer, whose body is read as it arrives.
@GLibActor
package final class StreamedAnswer {
  private let request: SoupRequest
  private let judge: ConnectionJudge
  private let interim: InterimAnswers
  private let cancellable = Cancellable()
  private let progress: Progress
  private let desk: CertificateDesk?
  private let patience: Int
  /// Kept because a pool ends its exchanges when it is released.
  private let pool: ConnectionPool
  private var stream: ByteStream?
  private var body: AnswerBody?

  private static let chunk = 64 * 1_024

  /// Creates the answer. The `patience` in seconds is for the whole exchange if it `isWhole`, or else for each byte.
  init(
    to request: SoupRequest, with body: RequestBody? = nil, on pool: ConnectionPool, judge: ConnectionJudge,
    patience: Int, isWhole: Bool = false
  ) {
    self.request = request
    self.pool = pool
    self.judge = judge
    self.patience = patience
    interim = InterimAnswers(cancelling: cancellable)
    request.ask(judge, cancelling: cancellable)
    if case .descriptor? = body { request.breakOff(with: cancellable) }
    let desk = request.desk(of: judge, cancelling: cancellable)
    progress = Progress(patience: patience, isWhole: isWhole, cancelling: cancellable) {
      body?.isAwaited ?? false || desk?.holdsUp() == true
    }
    self.desk = desk
    request.report(to: interim)
    request.report(to: progress)
  }

  /// Sends the request and waits for the head of the answer.
  func begin() async throws(Failure) {
    do throws(GLibError) {
      stream = try await pool.send(request, cancellable, desk)
    } catch {
      throw await pool.failure(reason(error), of: request)
    }
    progress.pause()
    if request.isEventStream { progress.lift() }
    do throws(ExchangeError) {
      try request.checkSender()
      try request.checkCoding()
      body = try stream.map { stream throws(ExchangeError) in try AnswerBody(of: request, stream, cancellable)
      }
    } catch {
      await abandon()
      throw await pool.failure(error, of: request)
    }
  }

  /// The head of the answer.
  package var head: HTTPResponse { HTTPResponse(status: request.status, headers: request.headers) }

  /// Returns the next bytes of the body, or an empty array at its end. The caller may take any time between two calls.
  package func next() async throws(Failure) -> [UInt8] {
    guard let body else { return [] }
    progress.resume()
    do throws(GLibError) {
      let bytes = try await body.next(Self.chunk)
      progress.pause()
      return bytes
    } catch {
      await abandon()
      throw await pool.failure(reason(error), of: request)
    }
  }

  /// Reads the body to its end, and returns the whole answer.
  func whole(upTo limit: Int) async throws(Failure) -> HTTPResponse {
    var body: [UInt8] = []
    while case let bytes = try await next(), !bytes.isEmpty {
      body += bytes
      if body.count > limit {
        await abandon()
        throw .tooLarge(request.host, limit: limit)
      }
    }
    var response = HTTPResponse(status: request.status, headers: request.headers, body: body)
    response.certificate = request.certificate
    return response
  }

  /// Closes the connection. The rest of the body is lost.
  package func abandon() async {
    if let stream { await AnswerBody.close(stream, cancellable) }
    (stream, body) = (nil, nil)
  }

  private func reason(_ error: GLibError) -> ExchangeError {
    if progress.isStalled { return .noAnswer(seconds: patience) }
    if interim.areTooMany { return .other(.notOAuth("the server keeps sending interim answers")) }
    if let refusal = judge.refusal ?? desk?.refusal { return .other(refusal) }
    return error.isCancellation ? .other(.cancelled) : ExchangeError(error, host: request.host)
  }
}

/// Ends an exchange that takes too long, or in which no byte has moved for a while.
@GLibActor
final class Progress {
  private var patience: Duration?
  private let isWhole: Bool
  private let cancellable: Cancellable
  private let isHeldUp: @GLibActor () -> Bool
  private var deadline: Deadline?
  private var isPaused = false

  /// The `patience` in seconds is for the whole exchange if it `isWhole`, or else for each byte. Zero means no limit.
  /// Time during which the exchange `isHeldUp` by another program or the user does not count.
  init(
    patience seconds: Int, isWhole: Bool, cancelling cancellable: Cancellable,
    unless isHeldUp: @escaping @GLibActor () -> Bool
  ) {
    (self.isHeldUp, self.isWhole, self.cancellable) = (isHeldUp, isWhole, cancellable)
    patience = seconds == 0 ? nil : .seconds(seconds)
    start()
  }

  private func start() {
    deadline = patience.map { Deadline(after: $0, cancelling: cancellable, unless: isHeldUp) }
  }

  /// Starts the time again, since a byte has moved.
  func note() { if !isPaused, !isWhole { start() } }

  /// Stops the time while no byte is expected.
  func pause() { if !isWhole { (isPaused, deadline) = (true, nil) } }

  func resume() {
    isPaused = false
    note()
  }

  /// Lifts the limit: a stream of events may be silent for as long as nothing happens.
  func lift() { if !isWhole { (patience, deadline) = (nil, nil) } }

  /// True if no byte has moved for too long.
  var isStalled: Bool { deadline?.hasPassed ?? false }
}

/// Counts interim answers (RFC 9110 section 15.2), and ends an exchange that has too many.
///
/// As long as interim answers arrive faster than libsoup can read them, libsoup reads on, and the main loop does not get to
/// the deadline. A server could block the whole program that way.
@GLibActor
final class InterimAnswers {
  /// True once the exchange has been ended.
  private(set) var areTooMany = false
  private var count = 0
  private let cancellable: Cancellable

  /// Real servers send at most one or two.
  private static let limit = 16

  init(cancelling cancellable: Cancellable) { self.cancellable = cancellable }

  func add() {
    count += 1
    guard count > Self.limit else { return }
    areTooMany = true
    cancellable.cancel()
  }
}
