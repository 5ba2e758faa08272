import LoginCore

/// A user agent whose user signs in without a page: it follows redirects until one of them is the answer.
struct RedirectFollower: UserAgent {
  let transport: any HTTPTransport

  /// Why a visit ended without an answer.
  enum Fault: ApplicationFault {
    /// A page that redirects nowhere.
    case stopped
    /// More redirects than a login needs.
    case wentRound

    var concernsOthers: Bool { false }
  }

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    var url = visit.url
    for _ in 1...10 {
      switch visit.policy.decision(for: Array(url.utf8)) {
      case .callback(let callback):
        if visit.isAnswered(by: callback, mainFrame: true) { return .callback(callback) }
        throw .application(Fault.stopped)
      case .errorPage(let uri): return .errorPage(uri: uri, body: nil)
      case .ignore: throw .application(Fault.stopped)
      case .allow: url = try await destination(of: url)
      }
    }
    throw .application(Fault.wentRound)
  }

  private func destination(of url: String) async throws(Failure) -> String {
    guard let page = try? Endpoint(url) else { throw .application(Fault.stopped) }
    let answer = try await transport.send(HTTPRequest(get: page))
    guard let place = answer[header: "Location"] else { throw .application(Fault.stopped) }
    return place
  }

  func dismiss() async {}
}
