import GLibSupport
import LoginCore

/// An answer whose head is here and whose body is read as it comes, in constant memory and without a limit.
@GLibActor
public final class StreamedAnswer {
  private let message: Message
  private let judge: CertificateJudge
  private let interim: InterimAnswers
  private let cancellable = Cancellable()
  private let progress: Progress
  private let patience: Int
  /// Kept, since the end of a pool is the end of its exchanges.
  private let pool: ConnectionPool
  private var stream: ByteStream?
  private var received = 0

  /// What is read at once.
  private static let chunk = 64 * 1_024

  init(
    to message: Message, with body: RequestBody?, on pool: ConnectionPool, judge: CertificateJudge,
    patience: Int
  ) {
    self.message = message
    self.pool = pool
    self.judge = judge
    self.patience = patience
    interim = InterimAnswers(cancelling: cancellable)
    progress = Progress(patience: patience, cancelling: cancellable) { body?.isAwaited ?? false }
    message.ask(judge, cancelling: cancellable)
    message.report(to: interim)
    message.report(to: progress)
  }

  /// Sends the request and waits for the head of the answer.
  func begin() async throws(Failure) {
    do throws(GLibError) {
      stream = try await pool.send(message, cancellable)
    } catch {
      throw await pool.explained(failure(error), on: message.address)
    }
    progress.pause()
    do throws(Failure) {
      try message.checkSender()
      try message.checkCoding()
    } catch {
      await abandon()
      throw await pool.explained(error, on: message.address)
    }
  }

  /// The head of the answer.
  public var head: HTTPResponse { HTTPResponse(status: message.status, headers: message.headers) }

  /// The next bytes of the body, or none at its end. How long they are made use of before the next ones is nobody's
  /// business.
  public func next() async throws(Failure) -> [UInt8] {
    guard let stream else { return [] }
    progress.resume()
    let bytes: [UInt8]
    do throws(GLibError) {
      bytes = try await stream.read(Self.chunk, cancellable)
    } catch {
      throw failure(error)
    }
    progress.pause()
    received += bytes.count
    if bytes.isEmpty, let length = message.promisedLength, received < length {
      throw .network(.connection(host: message.host, .broken))
    }
    return bytes
  }

  /// Gives up what has not been read, with its connection.
  public func abandon() async {
    cancellable.cancel()
    await stream?.close(cancellable)
    stream = nil
  }

  private func failure(_ error: GLibError) -> Failure {
    if progress.isStalled { return .network(.timeout(host: message.host, seconds: patience)) }
    return message.failure(error, judge, interim)
  }
}

extension SoupTransport {
  /// Sends a request with a body of any length and returns when the head of the answer is here. It ends early
  /// when for so many seconds nothing has moved in either direction, unless whoever writes the body is waited for; zero
  /// is for ever. No redirect is followed.
  package func stream(
    _ request: ResourceRequest, _ body: RequestBody?, patience: Int
  ) async throws(Failure) -> StreamedAnswer {
    let message = try Message(request, body, userAgent: userAgent)
    let (judge, pool) = try way(of: message)
    let answer = StreamedAnswer(to: message, with: body, on: pool, judge: judge, patience: patience)
    try await answer.begin()
    return answer
  }
}
