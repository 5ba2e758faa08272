import Synchronization

@testable import LoginCore

/// Servers that give prepared answers, by address, and record what they were sent.
struct FakeTransport: HTTPTransport {
  /// The answers by address; every other address is one of an unknown host.
  var answers: [String: HTTPResponse] = [:]
  /// What was asked of which server, in order.
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
      throw .network(.unknownHost(request.endpoint.description))
    }
    return answer
  }

  /// Everything that was sent.
  var sent: [HTTPRequest] { requests.all }
}

/// What the copies of a fake share.
private final class Requests: Sendable {
  private let list = Mutex<[HTTPRequest]>([])
  var all: [HTTPRequest] { list.withLock { $0 } }
  func note(_ request: HTTPRequest) { list.withLock { $0.append(request) } }
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
  /// The parameters of the form.
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
