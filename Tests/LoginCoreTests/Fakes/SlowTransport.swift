@testable import LoginCore

/// A server that answers when it is told to, unless who has asked leaves before.
final class SlowTransport: HTTPTransport {
  private let answer: HTTPResponse
  private let asked = AsyncStream<Void>.makeStream()
  private let told = AsyncStream<Void>.makeStream()

  init(answer: HTTPResponse) { self.answer = answer }

  func wasAsked() async { for await _ in asked.stream { return } }

  func goesOn() { told.continuation.yield() }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    asked.continuation.yield()
    // The stream of a task that is cancelled ends without an element.
    for await _ in told.stream { return answer }
    throw .user(.cancelled(.task))
  }
}
