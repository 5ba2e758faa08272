import Testing

@testable import LoginCore

@Suite("RegistrationRequest")
struct RegistrationRequestTests {
  private func provider() throws -> Provider {
    var provider = Provider()
    provider.endpoints[.registration] = try Endpoint("https://as.test/register")
    return provider
  }

  private func request(token: AccessToken? = nil) throws -> RegistrationRequest {
    var metadata = RegistrationRequest.Metadata(
      name: "App", redirectURIs: [try RedirectURI("http://127.0.0.1/callback")])
    metadata.scope = "openid"
    return try RegistrationRequest(metadata, at: provider(), initialAccessToken: token)
  }

  // RFC 7591 sections 2 and 3.1.
  @Test("the request is a JSON object that says what the client is")
  func metadata() throws {
    let request = try request().httpRequest
    #expect(request.method == .post)
    #expect(request.values(of: "Content-Type") == ["application/json"])
    #expect(request.values(of: "Authorization").isEmpty)
    let object = try #require(try JSONReader.read(request.body).object)
    #expect(object["redirect_uris"] == ["http://127.0.0.1/callback"])
    #expect(object["token_endpoint_auth_method"] == "none")
    #expect(object["grant_types"] == ["authorization_code", "refresh_token"])
    #expect(object["response_types"] == ["code"])
    #expect(object["application_type"] == "native")
    #expect(object["client_name"] == "App")
    #expect(object["scope"] == "openid")
  }

  // RFC 8252 section 8.4, RFC 8414 section 2.
  @Test(
    "a client has no secret unless it has to",
    arguments: [
      (nil, nil, "none"), (["client_secret_post", "none"], nil, "none"),
      (["client_secret_post", "client_secret_basic"], nil, "client_secret_post"),
      (["client_secret_post"], nil, "client_secret_post"), (["none"], .post, "client_secret_post"),
      (["private_key_jwt"], nil, "none"),
    ] as [([String]?, ClientAuthentication?, String)])
  func chosenAuthentication(
    supported: [String]?, asked: ClientAuthentication?, sent: String
  ) throws {
    var provider = try provider()
    provider.clientAuthentications = supported
    let request = try RegistrationRequest(
      .init(redirectURIs: [], authentication: asked), at: provider)
    let object = try JSONReader.read(request.httpRequest.body).object
    #expect(object?["token_endpoint_auth_method"]?.string == sent)
  }

  @Test("an initial access token goes into the header")
  func initialToken() throws {
    let request = try request(token: AccessToken("I")).httpRequest
    #expect(request.values(of: "Authorization") == ["Bearer I"])
    expectFailure(.caller(.malformed(.initialAccessToken))) {
      _ = try self.request(token: AccessToken("a\r\nX: y"))
    }
  }

  @Test("without a registration endpoint there is no request")
  func noEndpoint() throws {
    let metadata = RegistrationRequest.Metadata(redirectURIs: [])
    expectFailure(.caller(.noClientNorRegistration)) { _ = try RegistrationRequest(metadata, at: Provider()) }
  }
}
