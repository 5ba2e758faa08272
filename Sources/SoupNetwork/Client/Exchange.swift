import CGLib
import GLibSupport
import LoginCore

/// One request and its answer, within the limits.
@GLibActor
struct Exchange {
  private let request: SoupRequest
  private let judge: ConnectionJudge
  private let limits: SoupTransport.Limits
  private let cancellable = Cancellable()
  private let interim: InterimAnswers
  private let desk: CertificateDesk?

  /// The bytes of one read. An answer takes no more memory than its limit and a few times this.
  private static let chunk = 16 * 1_024

  init(_ request: SoupRequest, judge: ConnectionJudge, _ limits: SoupTransport.Limits) {
    self.request = request
    self.judge = judge
    self.limits = limits
    interim = InterimAnswers(cancelling: cancellable)
    request.ask(judge, cancelling: cancellable)
    request.report(to: interim)
    desk = request.desk(of: judge, cancelling: cancellable)
  }

  /// Sends the request and reads the answer. Ends early if its task is cancelled.
  func run(on pool: ConnectionPool) async throws(Failure) -> HTTPResponse {
    let deadline = Deadline(after: .seconds(limits.seconds), cancelling: cancellable) { [desk] in
      desk?.holdsUp() == true
    }
    let stream: ByteStream
    do throws(GLibError) {
      stream = try await pool.send(request, cancellable, desk)
    } catch {
      throw await pool.failure(reason(error, deadline), of: request)
    }
    do throws(ExchangeError) {
      try request.checkSender()
      try request.checkCoding()
      let body = try await content(of: AnswerBody(of: request, stream, cancellable), deadline)
      var response = HTTPResponse(status: request.status, headers: request.headers, body: body)
      response.certificate = request.certificate
      return response
    } catch {
      await AnswerBody.close(stream, cancellable)
      throw await pool.failure(error, of: request)
    }
  }

  /// Reads the decoded body.
  private func content(
    of answer: AnswerBody, _ deadline: Deadline
  ) async throws(ExchangeError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let bytes: [UInt8]
      do throws(GLibError) {
        bytes = try await answer.next(Self.chunk)
      } catch {
        throw reason(error, deadline)
      }
      if bytes.isEmpty { return body }
      body += bytes
      if body.count > limits.bodyBytes {
        throw .other(.tooLarge(request.host, limit: limits.bodyBytes))
      }
    }
  }

  private func reason(_ error: GLibError, _ deadline: Deadline) -> ExchangeError {
    deadline.hasPassed
      ? .noAnswer(seconds: limits.seconds) : ExchangeError(error, request.host, judge, interim, desk)
  }
}

extension ExchangeError {
  /// Makes sense of an error that was not caused by a deadline.
  @GLibActor
  init(
    _ error: GLibError, _ host: String, _ judge: ConnectionJudge, _ interim: InterimAnswers,
    _ desk: CertificateDesk?
  ) {
    if interim.areTooMany {
      self = .other(.notOAuth("the server keeps sending interim answers"))
    } else if let refusal = judge.refusal ?? desk?.refusal {
      self = .other(refusal)
    } else if error.isCancellation {
      self = .other(.cancelled)
    } else {
      self.init(error, host: host)
    }
  }
}

/// Counts interim answers (RFC 9110 section 15.2), and ends an exchange that has too many.
///
/// As long as they arrive faster than libsoup can read them, it reads on, and the main loop does not get to the
/// deadline. A server could block the whole program that way.
@GLibActor
final class InterimAnswers {
  /// True once the exchange was ended.
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
