import CGLib
import GLibSupport
import LoginCore

/// One request and its answer, within the limits.
@GLibActor
struct Exchange {
  private let message: Message
  private let judge: CertificateJudge
  private let limits: SoupTransport.Limits
  private let cancellable = Cancellable()
  private let interim: InterimAnswers

  /// What is read at once. An answer takes no more memory than its limit and a few times this.
  private static let chunk = 16 * 1_024

  init(_ message: Message, judge: CertificateJudge, _ limits: SoupTransport.Limits) {
    self.message = message
    self.judge = judge
    self.limits = limits
    interim = InterimAnswers(cancelling: cancellable)
    message.ask(judge, cancelling: cancellable)
    message.report(to: interim)
  }

  /// Sends the request and reads the answer; ends early when its task is cancelled.
  func run(on pool: ConnectionPool) async throws(Failure) -> HTTPResponse {
    let deadline = Deadline(after: .seconds(limits.seconds), cancelling: cancellable)
    let stream: ByteStream
    do throws(GLibError) {
      stream = try await pool.send(message, cancellable)
    } catch {
      throw await pool.explained(failure(error, deadline), on: message.address)
    }
    do throws(Failure) {
      try message.checkSender()
      try message.checkCoding()
      let body = try await body(of: stream, deadline)
      return HTTPResponse(status: message.status, headers: message.headers, body: body)
    } catch {
      // Libsoup would keep the connection of a body that nobody has read to its end, however far that is.
      cancellable.cancel()
      await stream.close(cancellable)
      throw await pool.explained(error, on: message.address)
    }
  }

  /// The rest of the answer, decoded.
  private func body(of stream: ByteStream, _ deadline: Deadline) async throws(Failure) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let bytes: [UInt8]
      do throws(GLibError) {
        bytes = try await stream.read(Self.chunk, cancellable)
      } catch {
        throw failure(error, deadline)
      }
      if bytes.isEmpty {
        if let length = message.promisedLength, body.count < length {
          throw .network(.connection(host: message.host, .broken))
        }
        return body
      }
      body += bytes
      if body.count > limits.bodyBytes {
        throw .network(.tooLarge(host: message.host, limit: limits.bodyBytes))
      }
    }
  }

  private func failure(_ error: GLibError, _ deadline: Deadline) -> Failure {
    if deadline.hasPassed { return .network(.timeout(host: message.host, seconds: limits.seconds)) }
    return message.failure(error, judge, interim)
  }
}

extension Message {
  /// What an error means that no deadline has brought about.
  func failure(_ error: GLibError, _ judge: CertificateJudge, _ interim: InterimAnswers) -> Failure {
    if interim.areTooMany { return .network(.badResponse(.interimAnswers)) }
    if let refusal = judge.refusal { return .network(refusal) }
    if error.isCancellation { return .user(.cancelled(.task)) }
    return .network(NetworkFault(error, host: host))
  }
}
