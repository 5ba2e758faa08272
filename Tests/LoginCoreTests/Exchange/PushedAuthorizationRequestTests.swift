import Testing

@testable import LoginCore

@Suite("Pushed authorization requests")
struct PushedAuthorizationRequestTests {
  private func login() throws -> LoginRequest {
    var login = try Samples.login(Samples.code())
    login.scope = "a"
    login.clientSecret = ClientSecret("s")
    login.clientAuthentication = .post
    return login
  }

  // RFC 9126 section 2.1.
  @Test("everything that the browser would carry is pushed, with the client's proof, and nothing twice")
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
  @Test("the browser carries the client and the name of the request, and nothing else")
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
    "an answer without a name is refused",
    arguments: [#"{}"#, #"{"request_uri":""}"#, #"{"request_uri":7}"#, #"{"request_uri":"a\nb"}"#])
  func refused(_ body: String) {
    expectBadResponse(.missing("request_uri", from: .pushedAuthorizationRequest)) {
      _ = try PushedAuthorizationResponse(.json(body, status: 201))
    }
  }

  @Test("an error is the provider's")
  func error() {
    expectProviderError("invalid_request") {
      _ = try PushedAuthorizationResponse(.json(#"{"error":"invalid_request"}"#, status: 400))
    }
  }
}
