import Testing

@testable import LoginCore

@Suite("AuthorizationRequest, visit")
struct AuthorizationRequestVisitTests {
  private func request(_ login: LoginRequest) throws -> AuthorizationRequest {
    try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
  }

  @Test("Without an authorization endpoint there is no request")
  func noEndpoint() throws {
    var login = try Samples.login(Samples.vk())
    login.provider.endpoints = [.token: try Endpoint("https://as.test/token")]
    expectFailure(.noEndpoint(.authorization)) { _ = try request(login) }
  }

  @Test("A refused request does not use up random bytes")
  func refusedFirst() throws {
    var login = try Samples.login(Samples.vk())
    login.fixed = LoginRequest.FixedValues()
    login.clientID = ""
    let cryptography = FakeCryptography()
    expectFailure(.noClient) { _ = try AuthorizationRequest(login, cryptography: cryptography) }
    #expect(cryptography.counts.isEmpty)
  }

  @Test("The visit goes to the request's URL and knows redirect URI, aliases and error pages")
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

  @Test("form_post works with a redirect URI on this machine, and its answer is read like a query")
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

  // RFC 9700 section 2.1: only PKCE can take the place of the state.
  @Test(
    "A request that PKCE protects may leave out the state", arguments: [CodeChallengeMethod.s256, .plain])
  func withoutState(method: CodeChallengeMethod) throws {
    var login = try Samples.login(Samples.code())
    login.provider.pkce = method
    login.omitsState = true
    let request = try request(login)
    #expect(!request.parameters.contains { $0.name == "state" })
    #expect(!request.url.contains("state"))
    #expect(request.expectation.state == nil)
  }

  @Test("A code alone is enough only if PKCE protects it and the callback needs no other parameter")
  func bareCode() throws {
    func accepts(_ change: (inout LoginRequest) -> Void) throws -> Bool {
      var login = try Samples.login(Samples.code())
      change(&login)
      return try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB).visit.acceptsBareCode
    }
    #expect(try accepts { _ in })
    #expect(try accepts { $0.omitsState = true })
    #expect(try !accepts { $0.provider.pkce = .none })
    #expect(try !accepts { $0.responseType = .token })
    let hybrid = try #require(ResponseType("code id_token"))
    #expect(try !accepts { $0.responseType = hybrid }, "the id_token would be missing")
    #expect(try !accepts { $0.provider.callbackParameters = ["device_id"] })
    #expect(try !accepts { $0.provider.sendsIssuer = true })
  }
}

@Suite("RequestBinding")
struct BindingTests {
  // RFC 6749 section 10.10.
  @Test("A secret without a fixed value is made of 32 random bytes")
  func random() throws {
    let cryptography = FakeCryptography()
    let first = try OAuthState.chosen(nil, orFrom: cryptography),
      second = try OAuthState.chosen(nil, orFrom: cryptography)
    #expect(cryptography.counts == [32, 32])
    #expect(first.revealed().utf8.count == 43)
    #expect(first != second)
    #expect(first.isPrintableASCII)
    #expect(try CodeVerifier.chosen(nil, orFrom: cryptography).isWellFormed)
  }

  @Test("A fixed secret is used and needs no random bytes")
  func fixed() throws {
    let cryptography = FakeCryptography()
    #expect(try OAuthState.chosen(OAuthState("S"), orFrom: cryptography) == OAuthState("S"))
    #expect(cryptography.counts.isEmpty)
  }

  @Test("Without random bytes there is no secret")
  func noRandomness() {
    let cryptography = FakeCryptography(failure: Samples.defect)
    #expect(throws: Samples.defect) { try OAuthState.chosen(nil, orFrom: cryptography) }
  }
}

@Suite("PushedAuthorizationRequest")
struct PushedAuthorizationRequestTests {
  private func login() throws -> LoginRequest {
    var login = try Samples.login(Samples.code())
    login.scope = "a"
    login.clientSecret = ClientSecret("s")
    login.clientAuthentication = .post
    return login
  }

  // RFC 9126 section 2.1.
  @Test("All parameters are pushed together with the client's proof, each of them once")
  func pushed() throws {
    let login = try login()
    let request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    let endpoint = try Endpoint("https://as.test/par")
    let form = PushedAuthorizationRequest(request.parameters, for: login, at: endpoint).httpRequest.form
    #expect(form.filter { $0.name != "client_secret" } == request.parameters)
    #expect(form.contains(Parameter("client_secret", "s")))
    #expect(Set(form.map(\.name)).count == form.count)
  }

  // RFC 9126 section 4.
  @Test("The browser carries only the client and the name of the request")
  func visit() throws {
    var login = try login()
    login.provider.endpoints[.authorization] = try Endpoint("https://as.test/authorize?t=7")
    let request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    let answer = try PushedAuthorizationResponse(
      .json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201))
    let visit = request.visit(of: answer)
    #expect(visit.url == "https://as.test/authorize?t=7&client_id=client&request_uri=urn%3Ax%3A1")
    #expect(visit.state == request.visit.state)
    #expect(!visit.mayOpenTwice && request.visit.mayOpenTwice)
  }

  @Test(
    "An answer without a name is refused",
    arguments: [#"{}"#, #"{"request_uri":""}"#, #"{"request_uri":7}"#, #"{"request_uri":"a\nb"}"#])
  func refused(_ body: String) {
    expectFailure(.missing("request_uri", from: .pushedAuthorizationRequest)) {
      _ = try PushedAuthorizationResponse(.json(body, status: 201))
    }
  }

  @Test("An error is the provider's refusal")
  func error() {
    expectRefusal("invalid_request") {
      _ = try PushedAuthorizationResponse(.json(#"{"error":"invalid_request"}"#, status: 400))
    }
  }
}
