import LoginCore
import Synchronization
import TestSupport
import Testing
import WindowProtocol

@testable import SignIn

@Suite("HeadlessAgent")
struct HeadlessAgentTests {
  @Test("Redirects are followed up to the callback, which is not loaded")
  func redirects() async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .redirect("/login"), "https://as.test/login": .redirect("consent?y=2"),
      "https://as.test/consent?y=2": .redirect("https://app.test/cb?code=C"),
    ])
    let callback = try await callback(loader)
    #expect(try callback.text() == "https://app.test/cb?code=C")
    #expect(
      loader.requests.map(\.url) == [
        "https://as.test/auth?x=1", "https://as.test/login", "https://as.test/consent?y=2",
      ])
  }

  @Test(
    "Another spelling of the redirect URI is an ordinary page",
    arguments: [
      "https://app.test/c%62", "https://APP.test/cb", "https://app.test:443/cb", "https://app.test/x/../cb/",
    ])
  func otherSpelling(address: String) async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .redirect(address + "?code=X"), address + "?code=X": .html(""),
    ])
    await #expect(throws: Failure.self) { try await callback(loader) }
  }

  @Test("A form with the field of a value is filled in, and posted with its own fields")
  func form() async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .html(
        "<form action='/in#top' method=post><input name=csrf value=1><input name=user><button>Go</button></form>"
      ),
      "https://as.test/in": .redirect("https://app.test/cb?code=C"),
    ])
    _ = try await callback(loader, values: [Parameter("user", "ann")])
    #expect(loader.requests.last?.form == [Parameter("csrf", "1"), Parameter("user", "ann")])
  }

  /// A password must not go to a server to which a browser would not send it. `nil` stands for a failure.
  @Test(
    "A form goes to the address to which a browser would send it",
    arguments: [
      ("<form method=post>", "https://as.test/auth?x=1"),
      ("<form method=post action=''>", "https://as.test/auth?x=1"),
      ("<base href=https://evil.test/><form method=post>", "https://as.test/auth?x=1"),
      ("<base href=https://evil.test/><form method=post action=in>", "https://evil.test/in"),
      ("<base href=https://evil.test/><form method=post><button formaction=''>", "https://as.test/auth?x=1"),
      ("<base href=/b/><form method=post action=in>", "https://as.test/b/in"),
      ("<base target=x><base href=/b/><form method=post action=' in\n'>", "https://as.test/b/in"),
      ("<base href='data:/b/'><form method=post action=in>", "https://as.test/in"),
      ("<base href='javascript:1'><form method=post action=in>", "https://as.test/in"),
      ("<form method=post action=/f><button formaction=/b>", "https://as.test/b"),
      ("<form method=post action='/\\evil.test/in'>", nil),
      ("<form method=post action='\\\\evil.test/in'>", nil),
      ("<form method=post action='https:/evil.test/in'>", nil), ("<form method=post action='https:in'>", nil),
      ("<form method=post action='///evil.test/in'>", nil),
      ("<base href='\\\\evil.test/'><form method=post action=in>", nil),
    ])
  func formTarget(html: String, target: String?) async throws {
    let loader = FakeLoader(["https://as.test/auth?x=1": .html(html + "<input type=password name=p></form>")])
    await #expect(throws: Failure.self) { try await callback(loader, values: [Parameter("p", "secret")]) }
    #expect(loader.requests.dropFirst().map(\.url) == [target].compactMap(\.self))
  }

  @Test(
    "A form is not sent where the page's own policy forbids it, as in a browser",
    arguments: [
      ("form-action 'self'", "/in", true), ("form-action 'self'", "https://other.test/in", false),
      ("form-action 'none'", "/in", false), ("form-action", "/in", false),
      ("form-action *", "https://other.test/in", true),
      ("form-action https:", "https://other.test/in", true), ("form-action http://127.0.0.1:1", "/in", false),
      ("form-action other.test", "https://other.test/in", true),
      ("form-action other.test", "https://x.other.test/in", false),
      ("form-action *.other.test", "https://x.other.test/in", true),
      ("form-action *.other.test", "https://other.test/in", false),
      ("form-action https://other.test:444", "https://other.test/in", false),
      ("form-action https://other.test/a/", "https://other.test/a/in", true),
      ("form-action https://other.test/a/", "https://other.test/in", false),
      ("script-src 'none'; FORM-ACTION 'self'", "https://other.test/in", false),
      ("form-action *, form-action 'self'", "https://other.test/in", false),
    ])
  func policy(policy: String, action: String, isSent: Bool) async throws {
    let form = "<form method=post action='\(action)'><input name=u></form>"
    for page in [
      HTTPResponse(
        status: 200, headers: [Parameter("Content-Security-Policy", policy)], body: Array(form.utf8)),
      HTTPResponse.html("<meta http-equiv=Content-Security-Policy content=\"\(policy)\">" + form),
    ] {
      let loader = FakeLoader(["https://as.test/a/auth": page])
      await #expect(throws: Failure.self) {
        try await callback(loader, at: "https://as.test/a/auth", values: [Parameter("u", "a")])
      }
      #expect(loader.requests.count == (isSent ? 2 : 1))
    }
  }

  // After csp_source_unittest.cc of Chromium.
  @Test(
    "A source of a policy matches scheme, port and path as in a browser",
    arguments: [
      ("a.test", "http://a.test", true), ("a.test", "http://a.test:443", false),
      ("a.test", "https://a.test", true), ("a.test", "https://a.test:80", false),
      ("a.test:80", "http://a.test:443", false), ("a.test:80", "https://a.test", true),
      ("http://a.test:443", "https://a.test", true), ("https://a.test:80", "https://a.test", false),
      ("a.test/", "http://a.test", true), ("a.test/x", "http://a.test", false),
      ("'self'", "https://page.test/in", true), ("'self'", "http://page.test:8000/in", false),
      ("*:*", "http://a.test:8000", true), ("a.test:*", "https://a.test:8000", true),
    ])
  func sources(source: String, address: String, isAllowed: Bool) {
    #expect(FormPolicy(["form-action \(source)"]).allows(address, on: "http://page.test/a") == isAllowed)
    #expect(!FormPolicy(["form-action https://a.test"]).allows("http://a.test", on: "https://page.test/a"))
  }

  @Test("A form names its page, and the pages before the first form name none")
  func referrer() async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .redirect("/login#top"),
      "https://as.test/login": .html("<form method=post action=/in><input name=user></form>"),
      "https://as.test/in": .redirect("https://other.test/on", status: 307),
      "https://other.test/on": .redirect("https://third.test/on"),
      "https://third.test/on": .redirect("https://app.test/cb?code=C"),
    ])
    _ = try await callback(loader, values: [Parameter("user", "a")])
    let origin = Parameter("Origin", "https://as.test")
    #expect(
      loader.requests.map(\.headers) == [
        [], [], [Parameter("Referer", "https://as.test/login"), origin],
        [Parameter("Referer", "https://as.test/"), origin], [Parameter("Referer", "https://as.test/")],
      ])
  }

  @Test(
    "A page can forbid to name it, and its last word counts",
    arguments: [
      ("no-referrer", nil, true), ("origin, NO-REFERRER", nil, true), ("no-referrer,origin", nil, false),
      ("no-referrer", "origin", false), (nil, " No-Referrer ", true), (nil, "origin", false),
    ] as [(String?, String?, Bool)])
  func referrerPolicy(header: String?, meta: String?, isHidden: Bool) async throws {
    let fields: ParameterList = header.map { ["Referrer-Policy": $0] } ?? []
    let text =
      (meta.map { "<meta name=Referrer content='\($0)'>" } ?? "")
      + "<form method=post action=/in><input name=user></form>"
    let loader = FakeLoader([
      "https://as.test/auth?x=1": HTTPResponse(status: 200, headers: fields, body: Array(text.utf8)),
      "https://as.test/in": .redirect("https://app.test/cb?code=C"),
    ])
    _ = try await callback(loader, values: [Parameter("user", "a")])
    #expect(
      loader.requests.last?.headers
        == (isHidden
          ? [Parameter("Origin", "null")]
          : [
            Parameter("Referer", "https://as.test/auth?x=1"), Parameter("Origin", "https://as.test"),
          ]))
  }

  @Test("A redirect can forbid to name the page of a form")
  func referrerPolicyOfRedirect() async throws {
    let redirect = HTTPResponse(
      status: 303, headers: [Parameter("Location", "/on"), Parameter("Referrer-Policy", "no-referrer")])
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .html("<form method=post action=/in><input name=user></form>"),
      "https://as.test/in": redirect, "https://as.test/on": .redirect("https://app.test/cb?code=C"),
    ])
    _ = try await callback(loader, values: [Parameter("user", "a")])
    #expect(loader.requests.last?.headers == [])
  }

  @Test("A form without a method puts its values into the query")
  func getForm() async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .html("<form><input name=user></form>"),
      "https://as.test/auth?user=a%20b": .redirect("https://app.test/cb?code=C"),
    ])
    _ = try await callback(loader, values: [Parameter("user", "a b")])
  }

  private func failure(_ page: HTTPResponse) async throws -> Failure {
    let loader = FakeLoader(["https://as.test/auth?x=1": page])
    return try await #require(throws: Failure.self) {
      try await callback(loader, values: [Parameter("user", "a")])
    }
  }

  @Test(
    "The failure at a page that waits for the user names the fields and buttons that would answer it",
    arguments: [
      (
        "<p></p>",
        "the page has no form, and a headless test runs no scripts; a browser shows if it is an error, such as an unknown redirect URI"
      ),
      (
        "<script>x()</script><p>The client\n is <b>unknown</b>.</p><p>Ask.",
        "the page has no form, and a headless test runs no scripts; a browser shows if it is an error, such as an unknown redirect URI; it says: The client is unknown. Ask."
      ),
      (
        "<form><input name=q></form><form method=post><input type=hidden name=csrf value=K>"
          + "<input name=mail><input type=password name=pw><button>Go</button></form>",
        .answerForm(fields: ["mail=VALUE", "pw=@FILE"], buttons: [])
      ),
      (
        "<form method=post><input type=hidden name=csrf><input type=submit value=Cancel>"
          + "<input type=submit name=allow value=Authorize><button name=allow value=\"don't\"></button></form>",
        .answerForm(fields: [], buttons: ["allow=Authorize", "allow=don't"])
      ),
      (
        "<form><input name=pin><button name=on value=1></button></form>",
        .answerForm(fields: ["pin=VALUE"], buttons: ["on=1"])
      ),
      (
        "<form method=post><input type=hidden name=empty><input type=hidden name=nonce value=6Kq0>"
          + "<input type=hidden name=scope value=a><button>Allow</button></form>",
        .answerForm(fields: ["scope=a"], buttons: [])
      ),
    ] as [(String, Failure.Hint)])
  func needsUser(html: String, hint: Failure.Hint) async throws {
    let failure = try await failure(.html("<title>Your\n  account</title>" + html))
    #expect(failure.code == .loginRequired && failure.hint == hint, "\(failure)")
    #expect(failure.message == "the provider shows the page \"Your account\", which waits for the user")
    #expect(
      failure.details == [
        "uri": "https://as.test/auth?x=1", "status": .number(JSONNumber(200)), "title": "Your account",
      ])
  }

  @Test("A page without a title is a page where the user has to sign in")
  func needsUserWithoutTitle() async throws {
    let failure = try await failure(.html("<p>hello"))
    #expect(failure.message == Failure.loginRequired(page: "").message)
  }

  @Test("An error page is no page where the user has to sign in")
  func refusal() async throws {
    func page(_ status: Int, _ text: String) -> HTTPResponse {
      HTTPResponse(status: status, body: Array(text.utf8))
    }
    let forbidden = try await failure(page(403, "<title>Forbidden</title>"))
    #expect(forbidden.code == .badResponse && forbidden.hint == .checkClient && !forbidden.isRetryable)
    #expect(forbidden.message == "as.test returned HTTP 403 with the page \"Forbidden\"")
    let asking = try await failure(page(401, "<form method=post><input name=mail></form>"))
    #expect(asking.code == .badResponse && asking.hint == .answerForm(fields: ["mail=VALUE"], buttons: []))
    let busy = try await failure(page(503, ""))
    #expect(busy.isRetryable && busy.hint == nil && busy.message == "as.test returned HTTP 503")
    let refusal = try await failure(page(400, #"{"error":"invalid_client"}"#))
    #expect(refusal.code == .invalidClient)
  }

  @Test(
    "The page that needs the user is reported without id_token_hint, which says who the user is",
    arguments: [
      ("/out?a=1&id_token_hint=SECRET&b=2#c", "https://as.test/out?a=1&b=2#c"),
      ("/out?id_token_hint=SECRET", "https://as.test/out"),
    ])
  func idTokenHint(page: String, reported: String) async throws {
    let address = "https://as.test" + (page.split(separator: "#").first ?? "")
    let loader = FakeLoader(["https://as.test/auth?x=1": .redirect(page), address: .html("<p>hello")])
    let failure = try await #require(throws: Failure.self) { try await callback(loader) }
    #expect(failure.details["uri"] == .string(reported))
  }

  @Test("A form is not sent twice with the same values")
  func refusedValues() async throws {
    let login = HTTPResponse.html("<form method=post action=/in><input name=user></form>")
    let loader = FakeLoader(["https://as.test/auth?x=1": login, "https://as.test/in": login])
    let failure = try await #require(throws: Failure.self) {
      try await callback(loader, values: [Parameter("user", "a")])
    }
    #expect(failure.code == .loginRequired && failure.details["uri"] == "https://as.test/in")
    #expect(failure.hint == "the provider did not accept the values that the form got")
    #expect(loader.requests.count == 2)
  }

  @Test("A refused password is not sent again, even if the form has a new value of its own")
  func refusedPassword() async throws {
    func login(_ token: Int, _ action: String) -> HTTPResponse {
      .html(
        "<form method=post action=\(action)><input name=csrf value=\(token)><input name=user><input type=password name=p></form>"
      )
    }
    let loader = FakeLoader([
      "https://as.test/auth?x=1": login(1, "/in?a"), "https://as.test/in?a": login(2, "/in?b"),
    ])
    let failure = try await #require(throws: Failure.self) {
      try await callback(loader, values: [Parameter("user", "a"), Parameter("p", "b")])
    }
    #expect(failure.hint == "the provider did not accept the values that the form got")
    #expect(loader.requests.count == 2)
  }

  @Test("An error at the address of the request is about the client, even after the user has signed in")
  func refusalAfterForm() async throws {
    let form = HTTPResponse.html("<form method=post action=/in><input name=user></form>")
    for (place, isAboutClient) in [("/auth?x=2", true), ("/elsewhere", false)] {
      let loader = FakeLoader([
        "https://as.test/auth?x=1": form, "https://as.test/in": .redirect(place),
        "https://as.test" + place: HTTPResponse(
          status: 400, body: Array("<h2>Error: invalid_request</h2>".utf8)),
      ])
      let failure = try await #require(throws: Failure.self) {
        try await callback(loader, values: [Parameter("user", "a")])
      }
      #expect(failure.message == "as.test returned HTTP 400 with the page \"Error: invalid_request\"")
      #expect((failure.hint == .checkClient) == isAboutClient)
    }
  }

  // libxml2 compares each attribute of an element with all others, so this page takes long to parse.
  @Test("The main loop goes on while a page is parsed")
  func busyPage() async throws {
    let attributes = (0..<20_000).map { " a\($0)" }.joined()
    let loader = FakeLoader(["https://as.test/auth?x=1": .html("<form\(attributes)></form>")])
    let agent = HeadlessAgent(loader, cookies: { _, _ in [] }, values: []) { _, _ in }
    let visit = Visit(
      url: "https://as.test/auth?x=1",
      policy: NavigationPolicy(redirectURI: try RedirectURI("https://app.test/cb")))
    var turns = 0
    // On a busy machine the main loop may not get a processor while the page is parsed.
    for _ in 1...5 where turns <= 50 { turns = await turnsOfMainLoop(during: visit, by: agent) }
    #expect(turns > 50)
  }

  private func turnsOfMainLoop(during visit: Visit, by agent: HeadlessAgent) async -> Int {
    await onMainLoop { () async -> Int in
      var turns = 0
      let others = Task {
        while !Task.isCancelled {
          turns += 1
          await Task.yield()
        }
      }
      _ = try? await agent.visit(visit)
      others.cancel()
      return turns
    }
  }

  @Test("A visit ends after twenty redirects")
  func circle() async throws {
    let loader = FakeLoader(["https://as.test/auth?x=1": .redirect("https://as.test/auth?x=1")])
    await #expect(throws: Failure(.badResponse, "the provider redirected more than \("20") times")) {
      try await callback(loader)
    }
    #expect(loader.requests.count == 21)
  }

  @Test("A visit ends after ten pages with forms")
  func forms() async throws {
    var pages: [String: HTTPResponse] = [:]
    for number in 0..<30 {
      let address = number == 0 ? "https://as.test/auth?x=1" : "https://as.test/\(number)"
      pages[address] = .html("<form method=post action=/\(number + 1)><input name=user></form>")
    }
    let loader = FakeLoader(pages)
    await #expect(throws: Failure(.badResponse, "the provider showed more than \("10") pages with forms")) {
      try await callback(loader, values: [Parameter("user", "a")])
    }
    #expect(loader.requests.count == 11)
  }

  @Test(
    "After a redirect with status 302 or 303 the form is not sent again, and earlier fragments are dropped",
    arguments: [302, 303])
  func formOnce(status: Int) async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .redirect("/login#top"),
      "https://as.test/login": .html("<form method=post action=/in><input name=user></form>"),
      "https://as.test/in": .redirect("/on", status: status),
      "https://as.test/on": .redirect("https://app.test/cb?code=C"),
    ])
    let callback = try await callback(loader, values: [Parameter("user", "a")])
    #expect(try callback.text() == "https://app.test/cb?code=C")
    #expect(loader.requests.map { $0.form != nil } == [false, false, true, false])
  }

  @Test("A redirect without a fragment inherits the previous one, and status 307 sends the form again")
  func fragments() async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .html("<form method=post action=/in><input name=user></form>"),
      "https://as.test/in": .redirect("/on#kept", status: 307),
      "https://as.test/on": .redirect("https://app.test/cb"),
    ])
    let callback = try await callback(loader, values: [Parameter("user", "a")])
    #expect(try callback.text() == "https://app.test/cb#kept")
    #expect(loader.requests.last?.form == [Parameter("user", "a")])
  }

  @Test("An error page of the provider ends the visit with its content")
  func errorPage() async throws {
    let loader = FakeLoader([
      "https://as.test/auth?x=1": .redirect("/error?err=2"),
      "https://as.test/error?err=2": .html("{\"error\":\"x\"}"),
    ])
    guard case .errorPage("https://as.test/error?err=2", let body) = try await visit(loader) else {
      Issue.record("the visit does not end with the error page")
      return
    }
    #expect(body == Array("{\"error\":\"x\"}".utf8))
  }

  @Test("A redirect to another scheme needs the user")
  func otherScheme() async throws {
    let loader = FakeLoader(["https://as.test/auth?x=1": .redirect("file:///etc/passwd")])
    await #expect(throws: Failure.loginRequired(page: "file:///etc/passwd")) {
      try await callback(loader)
    }
  }

  @Test(
    "The final page is loaded before its cookies and header fields count; a redirect there is not the page")
  func finalPage() async throws {
    let fields: ParameterList = ["saml-username": "ann"]
    let loader = FakeLoader(
      [
        "https://vpn.test/start": HTTPResponse(
          status: 302, headers: [Parameter("Location", "https://vpn.test/done?first")] + fields),
        "https://vpn.test/done?first": .redirect("/done?last"),
        "https://vpn.test/done?last": HTTPResponse(status: 200, headers: fields),
      ], cookies: [Parameter("token", "C")])
    let page = try FinalPage(
      uri: RedirectURI("https://vpn.test/done"), cookies: ["token"], headers: ["SAML-Username"])
    let callback = try await callback(loader, at: "https://vpn.test/start", endingAt: page)
    #expect(try callback.text() == "https://vpn.test/done?last")
    #expect(
      try page.values(of: callback)
        == PageValues(cookies: [Parameter("token", "C")], headers: [Parameter("SAML-Username", "ann")]))
    #expect(loader.requests.count == 3)
  }

  @Test(
    "A visit without a final page ends with the first response after which the cookie exists, even a redirect"
  )
  func cookieAlone() async throws {
    let loader = FakeLoader(
      ["https://vpn.test/start": .redirect("/nowhere")], cookies: [Parameter("token", "C")])
    let page = try FinalPage(uri: nil, cookies: ["token"], headers: [])
    let callback = try await callback(
      loader, at: "https://vpn.test/start", endingAt: page, posting: [Parameter("a", "b")])
    #expect(try page.values(of: callback).cookie("token") == "C")
    let request = try #require(loader.requests.first)
    #expect(request.url == "https://vpn.test/start" && request.form == [Parameter("a", "b")])
    #expect(request.headers == [Parameter("Origin", "null")] && loader.requests.count == 1)
  }

  @Test("A final page without the cookie is malformed, but an error page there is no final page")
  func incompletePage() async throws {
    let page = try FinalPage(uri: RedirectURI("https://vpn.test/done"), cookies: ["token"], headers: [])
    let callback = try await callback(
      FakeLoader(["https://vpn.test/done": .html("")]), at: "https://vpn.test/done", endingAt: page)
    #expect(throws: Failure.self) { try page.values(of: callback) }
    let failure = try await #require(throws: Failure.self) {
      try await self.callback(
        FakeLoader(["https://vpn.test/done": HTTPResponse(status: 503)]), at: "https://vpn.test/done",
        endingAt: page)
    }
    #expect(failure.code == .badResponse && failure.message == "vpn.test returned HTTP 503")
  }

  private func callback(
    _ loader: FakeLoader, at url: String = "https://as.test/auth?x=1", values: [Parameter] = [],
    endingAt page: FinalPage? = nil, posting form: [Parameter]? = nil
  ) async throws -> Callback {
    let arrival = try await visit(loader, at: url, values: values, endingAt: page, posting: form)
    guard case .callback(let callback) = arrival else {
      throw Failure.defect()
    }
    return callback
  }

  private func visit(
    _ loader: FakeLoader, at url: String = "https://as.test/auth?x=1", values: [Parameter] = [],
    endingAt page: FinalPage? = nil, posting form: [Parameter]? = nil
  ) async throws -> Arrival {
    let usual = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.test/cb"),
      errorPages: [try ErrorPage("https://as.test/error")])
    var visit = Visit(url: url, policy: page == nil ? usual : .ofFinalPage)
    (visit.finalPage, visit.form) = (page, form)
    let agent = HeadlessAgent(loader, cookies: { _, _ in loader.cookies }, values: values) { _, _ in }
    let result = await onMainLoop { [visit] () async -> Result<Arrival, Failure> in
      do throws(Failure) {
        return .success(try await agent.visit(visit))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// Loads pages from a dictionary, and records the requests.
private struct FakeLoader: HTTPTransport {
  private let pages: [String: HTTPResponse]
  let cookies: [Parameter]
  private let log = Log()

  init(_ pages: [String: HTTPResponse], cookies: [Parameter] = []) {
    (self.pages, self.cookies) = (pages, cookies)
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    log.requests.withLock { $0.append(request) }
    guard let page = pages[request.url] else { throw .unknownHost(request.url) }
    return page
  }

  /// The requests, with only those header fields that name the previous page.
  var requests: [(url: String, form: [Parameter]?, headers: ParameterList)] {
    log.requests.withLock { requests in
      requests.map { request in
        let form = request.method == .post ? ParameterList(form: request.body, upTo: 10)?.parameters : nil
        return (request.url, form, request.headers.filter { ["Origin", "Referer"].contains($0.name) })
      }
    }
  }

  private final class Log: Sendable {
    let requests = Mutex<[HTTPRequest]>([])
  }
}

extension HTTPRequest {
  fileprivate var url: String { endpoint.description }
}

extension HTTPResponse {
  fileprivate static func redirect(_ location: String, status: Int = 302) -> HTTPResponse {
    HTTPResponse(status: status, headers: [Parameter("Location", location)])
  }

  fileprivate static func html(_ text: String) -> HTTPResponse {
    HTTPResponse(status: 200, body: Array(text.utf8))
  }
}
