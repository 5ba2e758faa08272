import Testing

@testable import LoginCore

@Suite("TokenRequest")
struct TokenRequestTests {
  private func login(_ change: (inout LoginRequest) -> Void = { _ in }) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token?tenant=7")
    var login = try Samples.login(provider)
    login.clientID = "a:b"
    change(&login)
    return login
  }

  private func request(_ login: LoginRequest) throws -> HTTPRequest {
    try TokenRequest(
      .code(
        AuthorizationCode("c+d%/é"), redirectURI: login.redirectURI,
        verifier: CodeVerifier(FakeCryptography.codeVerifier)), for: login
    ).httpRequest
  }

  // RFC 6749 sections 3.2 and 4.1.3, RFC 7636 section 4.5.
  @Test("A code is sent in a form with redirect URI and verifier, and the endpoint keeps its query")
  func code() throws {
    let request = try request(login())
    #expect(request.method == .post)
    #expect(request.endpoint.description == "https://as.test/token?tenant=7")
    #expect(request.values(of: "Content-Type") == ["application/x-www-form-urlencoded"])
    #expect(request.values(of: "Accept") == ["application/json"])
    #expect(
      request.form == [
        Parameter("grant_type", "authorization_code"), Parameter("code", "c+d%/é"),
        Parameter("redirect_uri", "https://app.test/cb"),
        Parameter("code_verifier", FakeCryptography.codeVerifier), Parameter("client_id", "a:b"),
      ])
    #expect(request.values(of: "Authorization").isEmpty)
  }

  // RFC 6749 section 2.3.1: both halves are form-encoded before they are joined.
  @Test("Basic carries both halves form-encoded, and the body has neither")
  func basic() throws {
    let request = try request(
      login { login in
        login.clientSecret = ClientSecret("c+d%/é")
        login.clientAuthentication = .basic
      })
    let expected = "Basic " + Base64.encode("a%3Ab:c%2Bd%25%2F%C3%A9".utf8)
    #expect(request.values(of: "Authorization") == [expected])
    #expect(!request.form.contains { $0.name.hasPrefix("client_") })
  }

  @Test("A secret in the body is not in a header as well")
  func post() throws {
    let request = try request(
      login { login in
        login.clientSecret = ClientSecret("é€ &+%")
        login.clientAuthentication = .post
      })
    #expect(request.form.suffix(2) == [Parameter("client_id", "a:b"), Parameter("client_secret", "é€ &+%")])
    #expect(request.values(of: "Authorization").isEmpty)
  }

  @Test("A refresh token is sent without parameters of the first request")
  func refresh() throws {
    let request = try TokenRequest(.refresh(RefreshToken("R")), for: login()).httpRequest
    #expect(
      request.form == [
        Parameter("grant_type", "refresh_token"), Parameter("refresh_token", "R"),
        Parameter("client_id", "a:b"),
      ])
  }

  @Test("Constant parameters, header fields and resources of the request are sent")
  func further() throws {
    let request = try request(
      login { login in
        login.provider.tokenParameters = [Parameter("audience", "api")]
        login.provider.headers = [Parameter("User-Agent", "app/1")]
        login.parameters = [Parameter("resource", "https://api.test"), Parameter("prompt", "login")]
      })
    #expect(request.form.contains(Parameter("audience", "api")))
    #expect(request.form.contains(Parameter("resource", "https://api.test")))
    #expect(!request.form.contains { $0.name == "prompt" })
    #expect(request.values(of: "User-Agent") == ["app/1"])
  }

  @Test("Without a token endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.noEndpoint(.token)) {
      _ = try TokenRequest(.refresh(RefreshToken("R")), for: login)
    }
  }

  @Test("A request does not print its credentials")
  func redacted() throws {
    let request = try request(login())
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(request)", String(reflecting: request), dumped] { #expect(!text.contains("c+d")) }
  }

  // VK ID wants the credential in the body and everything else in the query.
  @Test(
    "A provider may want the code in the body and the rest in the query", arguments: TokenRequestForm.allCases
  )
  func places(_ form: TokenRequestForm) throws {
    let login = try login { login in
      login.provider.tokenRequestForm = form
      login.clientID = "53"
      login.clientSecret = ClientSecret("s")
      login.clientAuthentication = .post
    }
    let request = try TokenRequest(
      .code(AuthorizationCode("C"), redirectURI: login.redirectURI, verifier: CodeVerifier("V")), for: login,
      repeating: [Parameter("device_id", "D")], state: OAuthState("S")
    ).httpRequest
    let query =
      "&grant_type=authorization_code&redirect_uri=https%3A%2F%2Fapp.test%2Fcb&code_verifier=V"
      + "&device_id=D&state=S&client_id=53"
    #expect(
      request.endpoint.description
        == "https://as.test/token?tenant=7" + (form == .form || form == .json ? "" : query))
    switch form {
    case .form: #expect(request.form.map(\.name).prefix(2) == ["grant_type", "code"])
    case .codeInBody: #expect(request.form == [Parameter("code", "C"), Parameter("client_secret", "s")])
    case .codeInJSONBody:
      #expect(request.values(of: "Content-Type") == ["application/json"])
      #expect(try JSONReader.read(request.body) == ["code": "C", "client_secret": "s"])
    case .json:
      #expect(request.values(of: "Content-Type") == ["application/json"])
      #expect(
        try JSONReader.read(request.body) == [
          "grant_type": "authorization_code", "code": "C", "redirect_uri": "https://app.test/cb",
          "code_verifier": "V", "device_id": "D", "state": "S", "client_id": "53", "client_secret": "s",
        ])
    }
  }

  // RFC 8628 section 3.4, RFC 6749 sections 4.4.2 and 4.3.2.
  @Test("The other grants have their own parameters, and first requests carry the scope")
  func otherGrants() throws {
    let login = try login { $0.scope = "a b" }
    let device = try TokenRequest(.device(DeviceCode("D")), for: login).httpRequest
    #expect(
      device.form == [
        Parameter("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        Parameter("device_code", "D"),
        Parameter("client_id", "a:b"),
      ])
    var grant = Provider.DeviceGrant()
    (grant.type, grant.parameter) = ("device_code", "code")
    let old = try self.login { $0.provider.deviceGrant = grant }
    #expect(
      try TokenRequest(.device(DeviceCode("D")), for: old).httpRequest.form.prefix(2) == [
        Parameter("grant_type", "device_code"), Parameter("code", "D"),
      ])
    let client = try TokenRequest(.clientCredentials, for: login).httpRequest
    #expect(
      client.form.prefix(2) == [Parameter("grant_type", "client_credentials"), Parameter("scope", "a b")])
    let password = try TokenRequest(.password(user: "u", Password("p")), for: login).httpRequest
    #expect(
      password.form.prefix(4) == [
        Parameter("grant_type", "password"), Parameter("username", "u"), Parameter("password", "p"),
        Parameter("scope", "a b"),
      ])
  }

  @Test("A request without a verifier sends none")
  func noVerifier() throws {
    let login = try login()
    let grant = TokenRequest.Grant.code(
      AuthorizationCode("c"), redirectURI: login.redirectURI, verifier: nil)
    #expect(try !TokenRequest(grant, for: login).httpRequest.form.contains { $0.name == "code_verifier" })
  }
}
