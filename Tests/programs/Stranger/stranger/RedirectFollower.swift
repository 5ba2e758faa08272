import LoginCore

/// A user agent for a provider that needs no user: it follows redirects until it reaches the redirect URI.
struct RedirectFollower: UserAgent {
  let transport: any HTTPTransport

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    var url = visit.url
    for _ in 1...10 {
      switch visit.policy.decision(for: Array(url.utf8)) {
      case .callback(let callback):
        if visit.isAnswered(by: callback, mainFrame: true) { return .callback(callback) }
        throw Failure(.badResponse, "the callback answers another request")
      case .errorPage(let uri): return .errorPage(uri: uri, body: nil)
      case .ignore: throw Failure(.badResponse, "the provider redirects to no page")
      case .allow: url = try await destination(of: url)
      }
    }
    throw Failure(.badResponse, "the provider redirects too often")
  }

  private func destination(of url: String) async throws(Failure) -> String {
    guard let page = try? Endpoint(url) else {
      throw Failure(.badResponse, "the provider redirects to another scheme")
    }
    let answer = try await transport.send(HTTPRequest(.get, page))
    guard let place = answer[header: "Location"] else {
      throw Failure(.loginRequired, "the user has to act on the page \(url)")
    }
    return place
  }

  func dismiss() async {}
}
