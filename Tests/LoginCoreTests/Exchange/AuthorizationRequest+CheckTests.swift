import Testing

@testable import LoginCore

/// Requests that are refused before anything is opened.
@Suite("AuthorizationRequest+Check")
struct AuthorizationRequestCheckTests {
  private func request(_ login: LoginRequest) throws -> AuthorizationRequest {
    try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
  }

  @Test("without a client identifier or an authorization endpoint there is no request")
  func incomplete() throws {
    var login = try Samples.login(Samples.vk())
    login.clientID = ""
    expectFailure(.caller(.noClient)) { _ = try request(login) }
    login = try Samples.login(Samples.vk())
    login.provider.endpoints = [.token: try Endpoint("https://as.test/token")]
    expectFailure(.caller(.noEndpoint(.authorization))) { _ = try request(login) }
  }

  @Test("form_post reaches a server on this machine, whose answer is a query like any other")
  func formPostHere() throws {
    var login = try Samples.login(Samples.code())
    login.redirectURI = try RedirectURI("http://127.0.0.1:8080/cb")
    login.responseMode = .formPost
    #expect(try request(login).visit.isPosted)
    #expect(try request(login).url.contains("response_mode=form_post"))
    let state = FormEncoding.encode([Parameter("state", Samples.state)])
    let response = try Samples.response("http://127.0.0.1:8080/cb?code=C&\(state)", to: login)
    #expect(try response.code() == AuthorizationCode("C"))
  }

  // OAuth 2.0 Form Post Response Mode: a web view does not see the body of a POST.
  @Test("form_post is refused for any other redirect", arguments: ["code", "token", "code id_token"])
  func formPost(responseType: String) throws {
    var login = try Samples.login(Samples.code(), responseType: responseType)
    login.responseMode = .formPost
    expectFailure(.caller(.postedElsewhere)) { _ = try request(login) }
  }

  // RFC 9700 section 2.1: only PKCE can take the place of the state.
  @Test("a code that PKCE protects may go without a state", arguments: [CodeChallengeMethod.s256, .plain])
  func withoutState(method: CodeChallengeMethod) throws {
    var login = try Samples.login(Samples.code())
    login.provider.pkce = method
    login.omitsState = true
    let request = try request(login)
    #expect(!request.parameters.contains { $0.name == "state" })
    #expect(!request.url.contains("state"))
    #expect(request.expectation.state == nil)
  }

  @Test(
    "nothing else may go without a state",
    arguments: [
      ("token", CodeChallengeMethod.s256), ("code", .none), ("code token", .s256), ("id_token", .s256),
      ("code id_token", .s256),
    ])
  func stateIsNeeded(responseType: String, method: CodeChallengeMethod) throws {
    var login = try Samples.login(Samples.code(), responseType: responseType)
    login.provider.pkce = method
    login.omitsState = true
    expectFailure(.caller(.unprotectedWithoutState)) { _ = try request(login) }
  }

  @Test("a given state or nonce has to be printable ASCII", arguments: ["", "é", "a\n", "\u{0}", "\u{7F}"])
  func fixedValues(text: String) throws {
    var login = try Samples.login(Samples.vk())
    login.fixed.state = State(text)
    expectFailure(.caller(.malformed(.state))) { _ = try request(login) }
    login = try Samples.login(Samples.vk())
    login.fixed.nonce = Nonce(text)
    expectFailure(.caller(.malformed(.nonce))) { _ = try request(login) }
  }

  // RFC 7636 section 4.1.
  @Test(
    "a given verifier has to be one",
    arguments: [
      "", "short", String(repeating: "a", count: 42), String(repeating: "a", count: 129),
      String(repeating: "!", count: 43),
    ])
  func fixedVerifier(text: String) throws {
    var login = try Samples.login(Samples.code())
    login.fixed.codeVerifier = CodeVerifier(text)
    expectFailure(.caller(.malformed(.codeVerifier))) { _ = try request(login) }
  }

  @Test("nothing random is asked for by a request that is refused")
  func refusedFirst() throws {
    var login = try Samples.login(Samples.vk())
    login.fixed = LoginRequest.FixedValues()
    login.clientID = ""
    let cryptography = FakeCryptography()
    expectFailure(.caller(.noClient)) { _ = try AuthorizationRequest(login, cryptography: cryptography) }
    #expect(cryptography.counts.isEmpty)
  }

  @Test("the visit is to the request's URL, and its policy knows redirect URI, aliases and error pages")
  func visit() throws {
    let request = try request(Samples.login(Samples.vk()))
    let policy = request.visit.policy
    #expect(request.visit.url == request.url)
    #expect(try Samples.callback(Array("https://oauth.vk.com/blank.html#a".utf8), policy).redirect == .exact)
    #expect(try Samples.callback(Array("https://oauth.vk.ru/blank.html#a".utf8), policy).redirect == .alias)
    guard case .errorPage = policy.decision(for: Array("https://oauth.vk.com/error?err=2".utf8)) else {
      Issue.record("no error page")
      return
    }
  }
}
