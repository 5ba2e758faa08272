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
    try await answer.begin()
    return answer
  }
}

/// An answer whose head has arrived, and whose body is read as it arrives, in constant memory and without a limit.
@GLibActor
public final class StreamedAnswer {
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

  fileprivate init(
    to request: SoupRequest, with body: RequestBody?, on pool: ConnectionPool, judge: ConnectionJudge,
    patience: Int
  ) {
    self.request = request
    self.pool = pool
    self.judge = judge
    self.patience = patience
    interim = InterimAnswers(cancelling: cancellable)
    request.ask(judge, cancelling: cancellable)
    let desk = request.desk(of: judge, cancelling: cancellable)
    progress = Progress(patience: patience, cancelling: cancellable) {
      body?.isAwaited ?? false || desk?.holdsUp() == true
    }
    self.desk = desk
    request.report(to: interim)
    request.report(to: progress)
  }

  /// Sends the request and waits for the head of the answer.
  fileprivate func begin() async throws(Failure) {
    do throws(GLibError) {
      stream = try await pool.send(request, cancellable, desk)
    } catch {
      throw await pool.failure(reason(error), of: request)
    }
    progress.pause()
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
  public var head: HTTPResponse { HTTPResponse(status: request.status, headers: request.headers) }

  /// Returns the next bytes of the body, or an empty array at its end. The caller may take any time between two calls.
  public func next() async throws(Failure) -> [UInt8] {
    guard let body else { return [] }
    progress.resume()
    do throws(GLibError) {
      let bytes = try await body.next(Self.chunk)
      progress.pause()
      return bytes
    } catch {
      throw reason(error).failure(of: request.host)
    }
  }

  /// Closes the connection. The rest of the body is lost.
  public func abandon() async {
    if let stream { await AnswerBody.close(stream, cancellable) }
    (stream, body) = (nil, nil)
  }

  private func reason(_ error: GLibError) -> ExchangeError {
    progress.isStalled
      ? .noAnswer(seconds: patience) : ExchangeError(error, request.host, judge, interim, desk)
  }
}

/// Ends an exchange if no byte has moved for a while, however long the whole exchange takes.
@GLibActor
final class Progress {
  private let patience: Duration?
  private let cancellable: Cancellable
  private let isHeldUp: @GLibActor () -> Bool
  private var deadline: Deadline?
  private var isPaused = false

  /// Waits for so many seconds at a time, or without a limit if that is zero. Time during which the exchange `isHeldUp`
  /// by another program does not count.
  init(
    patience seconds: Int, cancelling cancellable: Cancellable,
    unless isHeldUp: @escaping @GLibActor () -> Bool
  ) {
    self.isHeldUp = isHeldUp
    patience = seconds == 0 ? nil : .seconds(seconds)
    self.cancellable = cancellable
    note()
  }

  /// Starts the time again, since a byte has moved.
  func note() {
    if isPaused { return }
    deadline = patience.map { Deadline(after: $0, cancelling: cancellable, unless: isHeldUp) }
  }

  /// Stops the time while no byte is expected.
  func pause() { (isPaused, deadline) = (true, nil) }

  func resume() {
    isPaused = false
    note()
  }

  /// True if no byte has moved for too long.
  var isStalled: Bool { deadline?.hasPassed ?? false }
}
