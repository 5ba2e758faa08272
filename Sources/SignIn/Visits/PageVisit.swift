import GLibSupport
import LoginCore
import WindowProtocol

/// A page to which the user is taken, and the end that is awaited there. It is not a login of ours: a program has an OAuth
/// library of its own, a gateway wants a cookie, or the page ends a session.
package struct PageVisit: Sendable {
  package private(set) var visit: Visit
  /// The place where the visit ends.
  private let place: RedirectURI
  /// The part of the request that brings the answer.
  package let responseMode: ResponseMode
  /// True for a page whose cookies or header fields are wanted, and for one that takes a form: a browser hands neither back.
  package let isWindowOnly: Bool

  /// The end of a visit: a redirect URI, or a page with cookies or header fields. Without a redirect URI, the visit ends as
  /// soon as the page's host has the cookies.
  package struct End: Sendable {
    package var redirectURI: RedirectURI?
    package var cookies: [String] = []
    package var headers: [String] = []
    /// True if a login of OAuth ends there, so that other addresses than its answers do not.
    package var isLogin = false

    package init(_ redirectURI: RedirectURI? = nil, isLogin: Bool = false) {
      (self.redirectURI, self.isLogin) = (redirectURI, isLogin)
    }
  }

  /// The reason why a page cannot be visited, to be told with the names that the caller knows.
  package enum Flaw: Error {
    case url(String, Message)
    case form(String, Message)
    case redirectURI(String, Message)
    /// The names of cookies or header fields are not names.
    case cookieName, headerName
    /// A header field that sets cookies is no answer.
    case setCookie
  }

  /// A visit to `url`, which begins with `form` if there is one. All addresses are checked as those that `server` names, if
  /// the caller has them from a server.
  package init(
    to url: String, posting form: PostedForm? = nil, until end: End, namedBy server: Endpoint? = nil
  ) throws(Flaw) {
    try Self.naming({ .url(Self.withoutQuery(url), $0) }) { () throws(Message) in
      try Self.check(url, server)
    }
    let target = form.map { $0.target(from: url) ?? "" } ?? url
    if target != url {
      try Self.naming({ .form(Self.withoutQuery(target), $0) }) { () throws(Message) in
        try Self.check(target, server)
      }
    }
    if let server, let last = end.redirectURI?.description {
      try Self.naming({ .redirectURI(last, $0) }) { () throws(Message) in try Self.check(last, server) }
    }
    let finalPage = try Self.finalPage(end)
    let (state, responseMode) = Self.parameters(of: target)
    place =
      if let redirectURI = end.redirectURI { redirectURI } else {
        try Self.naming({ .url(Self.withoutQuery(url), $0) }) { () throws(Message) in
          try RedirectURI(parsing: Self.withoutQuery(url))
        }
      }
    visit = Visit(
      url: target, policy: finalPage == nil ? NavigationPolicy(redirectURI: place) : .ofFinalPage,
      state: state)
    visit.isForCaller = !end.isLogin
    visit.isPosted = responseMode == .formPost
    (visit.finalPage, visit.form) = (finalPage, form?.parameters)
    self.responseMode = finalPage == nil ? responseMode : .query
    isWindowOnly = finalPage != nil || form != nil
  }

  private static func naming<Value>(
    _ flaw: (Message) -> Flaw, _ value: () throws(Message) -> Value
  ) throws(Flaw) -> Value {
    do throws(Message) { return try value() } catch { throw flaw(error) }
  }

  /// A page may have a fragment, unlike an endpoint.
  private static func check(_ address: String, _ server: Endpoint?) throws(Message) {
    let address = address.splitOnce(at: "#").0
    _ = try Endpoint(address, namedBy: server?.description ?? address)
  }

  private static func withoutQuery(_ url: String) -> String {
    url.splitOnce(at: "#").0.splitOnce(at: "?").0
  }

  /// Returns the page whose cookies or header fields the caller wants, if it does.
  private static func finalPage(_ end: End) throws(Flaw) -> FinalPage? {
    if end.cookies.isEmpty, end.headers.isEmpty { return nil }
    guard end.cookies.allSatisfy(\.isToken) else { throw .cookieName }
    guard end.headers.allSatisfy(\.isToken) else { throw .headerName }
    if end.headers.contains(where: { $0.lowercased() == "set-cookie" }) { throw .setCookie }
    return try naming({ .redirectURI(end.redirectURI?.description ?? "", $0) }) { () throws(Message) in
      try FinalPage(uri: end.redirectURI, cookies: end.cookies, headers: end.headers)
    }
  }

  /// Returns the parameters of the caller's request that say where the answer will be, and what it will repeat.
  private static func parameters(of url: String) -> (OAuthState?, ResponseMode) {
    let query = url.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? ""
    let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters)
    let type = parameters?["response_type"].flatMap(ResponseType.init)
    return (
      parameters?["state"].map { OAuthState($0) },
      parameters?["response_mode"].flatMap(ResponseMode.init) ?? type?.defaultMode ?? .query
    )
  }

  /// The facts that decide the way.
  package func question(_ options: SignInOptions) throws(Failure) -> WayChoice.Question {
    var question = options.question(place, responseMode)
    // The URL contains the redirect URI, so it is too late to choose a port.
    question.keepsRedirectURI = true
    if isWindowOnly { (question.asked, question.allowsBrowser) = (.window, false) }
    if case .loopback(_, port: nil) = place.kind {
      if question.asked == .browser {
        throw Failure(
          .invalidConfiguration, "a browser can come back to this machine only if the redirect URI has a port"
        )
      }
      question.preset = [.window]
    }
    return question
  }
}

extension SignIn {
  /// Takes the user to a page. Returns the URL that came back. The agent's window or page is closed in any case. The
  /// browser's last page says whether `take` could do something with the URL.
  @discardableResult
  package func visit(
    _ page: PageVisit, _ take: (Callback) async throws(Failure) -> Void = { _ in }
  ) async throws(Failure) -> Callback {
    let route = try await Router(host, options).route(try page.question(options))
    return try await visit(page.visit, by: route.agent, take)
  }

  /// Takes the user to the page that ends the provider's session. Returns true once the page came back, and false if the
  /// provider has no such page.
  func endSession(
    of account: Account, returningTo redirectURI: RedirectURI
  ) async throws(Failure) -> Bool {
    let session = LogoutSession(host.dependencies)
    guard var page = try await session.page(for: account, returningTo: redirectURI) else {
      host.tell(.noSessionPage)
      return false
    }
    let provider = account.login.provider
    let question = options.question(redirectURI, .query, preset: provider.profile.ways)
    let route = try await Router(host, options).route(question, of: provider)
    if route.redirectURI != redirectURI {
      // The router has added a port.
      page = try await session.page(for: account, returningTo: route.redirectURI) ?? page
    }
    host.run.failAtDeadline(
      Failure(.timeout, "the provider's page that ends the session has not come back in time"))
    defer { host.run.failAtDeadline(nil) }
    try page.check(try await visit(page.visit, by: route.agent))
    return true
  }

  private func visit(
    _ visit: Visit, by agent: any UserAgent, _ take: (Callback) async throws(Failure) -> Void = { _ in }
  ) async throws(Failure) -> Callback {
    do throws(Failure) {
      let arrival = try await agent.visit(visit)
      await agent.dismiss()
      // The policy of such a visit has no error pages, and its answer is not a code.
      guard case .callback(let callback) = arrival else { throw .defect() }
      try await take(callback)
      await agent.conclude(.answer)
      return callback
    } catch {
      await agent.dismiss()
      await agent.conclude(.failure(error))
      throw error
    }
  }
}

extension String {
  /// True for a name of a cookie or of a header field (RFC 9110 section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty && utf8.allSatisfy { $0.isVisible && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }
}
