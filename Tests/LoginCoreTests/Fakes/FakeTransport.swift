import Synchronization

@testable import LoginCore

/// Servers that give prepared answers by address, and record the requests.
struct FakeTransport: HTTPTransport {
  /// The answers by address. The host of every other address is unknown.
  var answers: [String: HTTPResponse] = [:]
  var record = Record()
  private let requests = Requests()

  init(_ answers: [String: HTTPResponse] = [:], record: Record = Record()) {
    self.answers = answers
    self.record = record
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    record.note(.send(request.endpoint.description))
    requests.note(request)
    guard let answer = answers[request.endpoint.description] else {
      throw .unknownHost(request.endpoint.description)
    }
    return answer
  }

  /// All requests, in order.
  var sent: [HTTPRequest] { requests.all }
}

/// Shared by the copies of a fake.
private final class Requests: Sendable {
  private let list = Mutex<[HTTPRequest]>([])
  var all: [HTTPRequest] { list.withLock { $0 } }
  func note(_ request: HTTPRequest) { list.withLock { $0.append(request) } }
}

/// A server that holds its answer back until the test releases it, or until the task of the request is cancelled.
final class SlowTransport: HTTPTransport {
  private let answer: HTTPResponse
  private let asked = AsyncStream<Void>.makeStream()
  private let released = AsyncStream<Void>.makeStream()

  init(answer: HTTPResponse) { self.answer = answer }

  /// Waits until a request has come.
  func waitForRequest() async { for await _ in asked.stream { return } }

  /// Lets the request have its answer.
  func release() { released.continuation.yield() }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    asked.continuation.yield()
    // In a cancelled task the stream ends without an element.
    for await _ in released.stream { return answer }
    throw .cancelled
  }
}

extension HTTPResponse {
  /// An answer in JSON.
  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [Parameter("content-type", "application/json; charset=utf-8")],
      body: Array(text.utf8))
  }
}

extension HTTPRequest {
  /// The parameters of the form in the body.
  var form: [Parameter] {
    var list = ParameterList()
    list.append(formEncoded: body.span)
    return list.parameters
  }

  /// The values of a header field.
  func values(of name: String) -> [String] {
    headers.filter { $0.name == name }.map(\.value)
  }
}
