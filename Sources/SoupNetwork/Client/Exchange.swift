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
    message.ask(judge)
    message.report(to: interim)
  }

  /// Sends the request and reads the answer; ends early when its task is cancelled.
  func run(on session: Session) async throws(Failure) -> HTTPResponse {
    let deadline = Deadline(after: .seconds(limits.seconds), cancelling: cancellable)
    let stream: BodyStream
    do throws(GLibError) {
      stream = try await session.send(message, cancellable)
    } catch {
      throw failure(error, deadline)
    }
    do throws(Failure) {
      try checkSender()
      try checkCoding()
      let body = try await body(of: stream, deadline)
      return HTTPResponse(status: message.status, headers: message.headers, body: body)
    } catch {
      // Libsoup would keep the connection of a body that nobody has read to its end, however far that is.
      cancellable.cancel()
      await stream.close(cancellable)
      throw error
    }
  }

  /// The rest of the answer, decoded.
  private func body(of stream: BodyStream, _ deadline: Deadline) async throws(Failure) -> [UInt8] {
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
          throw .network(.connection(host: message.host, reason: "the connection was broken"))
        }
        return body
      }
      body += bytes
      if body.count > limits.bodyBytes {
        throw .network(.tooLarge(host: message.host, limit: limits.bodyBytes))
      }
    }
  }

  /// Refuses an answer that the host has not given: when a proxy makes no tunnel, libsoup passes its words on
  /// as if they were the host's.
  private func checkSender() throws(Failure) {
    guard message.isForTLS, !message.hasCertificate else { return }
    let reason =
      message.status == 407
      ? "the proxy asks for a password, which tokentry cannot give"
      : "the proxy refused, with status \(message.status)"
    throw .network(.connection(host: message.host, reason: reason))
  }

  /// Refuses a body that libsoup would not decode, and one that was coded several times: a few bytes of that
  /// could keep the decoders busy for minutes before anything comes out.
  private func checkCoding() throws(Failure) {
    let fields = message.headers.filter { $0.name.lowercased() == "content-encoding" }
    guard let coding = fields.first?.value else { return }
    // A list has a comma in it, so it is none of the names.
    guard fields.count == 1, Self.decoded.contains(coding) else {
      throw .network(.badResponse("a body in a coding that was not asked for"))
    }
  }

  /// The content codings that libsoup removes (RFC 9110 section 8.4.1), in small letters only.
  private static let decoded: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br"]

  private func failure(_ error: GLibError, _ deadline: Deadline) -> Failure {
    if deadline.hasPassed { return .network(.timeout(host: message.host, seconds: limits.seconds)) }
    if interim.areTooMany { return .network(.badResponse("interim answers without an end")) }
    if let refusal = judge.refusal { return .network(refusal) }
    if error.isCancellation { return .user(.cancelled("the request to \(message.host) was cancelled")) }
    return .network(NetworkFault(error, host: message.host))
  }
}
