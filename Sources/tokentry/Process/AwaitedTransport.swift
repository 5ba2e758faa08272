import LoginCore
import SoupNetwork

/// Tells whose answer is waited for, which a deadline names.
struct AwaitedTransport: HTTPTransport {
  let inner: SoupTransport
  let interruption: Interruption

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await interruption.waiting(for: request.endpoint.host) { () async throws(Failure) in
      try await inner.send(request)
    }
  }
}
