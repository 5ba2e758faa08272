import Testing

@testable import LoginCore

@Suite("DirectSession")
struct DirectSessionTests {
  private let answers: [String: HTTPResponse] = [
    "https://as.test/token": .json(#"{"access_token":"T","token_type":"Bearer","id_token":"I.I.I"}"#)
  ]

  private func login(secret: String? = "s") throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    provider.tokenParameters = [Parameter("audience", "usual"), Parameter("x", "y")]
    var login = LoginRequest(
      provider: provider, clientID: "client", clientSecret: secret.map { ClientSecret($0) },
      redirectURI: try RedirectURI("https://app.test/cb"))
    login.scope = "openid mail"
    login.parameters = [
      Parameter("login_hint", "ann"), Parameter("prompt", "login"), Parameter("audience", "api"),
      Parameter("resource", "https://api.test/"),
    ]
    return login
  }

  private func session(_ transport: FakeTransport) throws -> DirectSession {
    DirectSession(try Samples.dependencies(transport))
  }

  // RFC 6749 section 4.4.2.
  @Test("The request of a client has no parameters about a page, and an unverified id_token is dropped")
  func client() async throws {
    let transport = FakeTransport(answers)
    let token = try await session(transport).token(ofClientIn: login())
    #expect(token.accessToken?.revealed() == "T")
    #expect(token.allMembers["id_token"] == nil)
    #expect(token.checks == Checks())
    let request = try #require(transport.sent.first)
    #expect(
      request.form == [
        Parameter("grant_type", "client_credentials"), Parameter("scope", "openid mail"),
        Parameter("audience", "api"), Parameter("resource", "https://api.test/"), Parameter("x", "y"),
      ])
    #expect(request.values(of: "Authorization") == ["Basic " + Base64.encode("client:s".utf8)])
    #expect(transport.sent.count == 1)
  }

  @Test("A client without a secret is refused before a request is sent")
  func publicClient() async throws {
    let transport = FakeTransport(answers)
    await #expect(throws: Failure.clientWithoutSecret) {
      try await session(transport).token(ofClientIn: login(secret: nil))
    }
    #expect(transport.sent.isEmpty)
  }

  // RFC 6749 section 4.3.2.
  @Test("A user's name and password are sent only to the token endpoint")
  func password() async throws {
    let transport = FakeTransport(answers)
    let token = try await session(transport).token(ofUser: "ann", password: "p&w", in: login(secret: nil))
    #expect(token.accessToken?.revealed() == "T")
    let request = try #require(transport.sent.first)
    #expect(
      request.form.prefix(3) == [
        Parameter("grant_type", "password"), Parameter("username", "ann"), Parameter("password", "p&w"),
      ])
    #expect(request.form.last == Parameter("client_id", "client"))
    #expect(!request.form.contains { $0.name == "login_hint" })
    #expect(transport.sent.count == 1)
  }
}
