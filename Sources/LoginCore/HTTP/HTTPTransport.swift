/// The way to the servers of a provider.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the whole answer. No redirect is followed: it is an answer like any other.
  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse
}
