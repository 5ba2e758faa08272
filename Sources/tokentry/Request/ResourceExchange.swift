import GLibSupport
import LoginCore
import SoupNetwork

/// A request of an API that may have to be sent more than once, with what has been learned of its server meanwhile.
@GLibActor
struct ResourceExchange {
  private let request: ResourceRequest
  private let payload: Payload?
  private let transport: SoupTransport
  private let patience: Int
  private var signer: ResourceSigner

  /// An exchange that ends when nothing has moved for `patience` seconds.
  init(_ request: ResourceRequest, _ payload: Payload?, _ run: Composition, patience: Int) {
    self.request = request
    self.payload = payload
    transport = run.network
    signer = ResourceSigner(cryptography: run.cryptography, clock: run.clock)
    self.patience = patience
  }

  /// The answer to the request with this token. A server that wants its nonce in the proof is asked once more
  /// (RFC 9449 section 9), if there is still a body to send.
  mutating func answer(with token: Token) async throws(Failure) -> StreamedAnswer {
    // A long body is not sent in vain, and one from a pipe cannot be sent twice: the nonce comes first.
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

  /// Makes it possible to send the request once more; false if its body is gone.
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
