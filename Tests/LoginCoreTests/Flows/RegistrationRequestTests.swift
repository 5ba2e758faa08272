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
  @Test("The body is a JSON object that describes the client")
  func body() throws {
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

  @Test(
    "The client asks for the grants that its response type needs",
    arguments: [
      ("code", ["authorization_code", "refresh_token"]), ("token", ["implicit"]),
      ("code id_token", ["authorization_code", "refresh_token", "implicit"]),
    ])
  func grants(type: String, grants: [String]) throws {
    let login = try Samples.login(Samples.code(), responseType: type)
    let metadata = RegistrationRequest.Metadata(for: login, name: nil)
    #expect(metadata.grantTypes == grants)
    #expect(metadata.responseTypes == [type])
    #expect(metadata.redirectURIs == [login.redirectURI])
  }

  // RFC 8252 section 8.4, RFC 8414 section 2.
  @Test(
    "The client asks for a secret only if the provider or the caller wants one",
    arguments: [
      (nil, nil, "none"), (["client_secret_post", "none"], nil, "none"),
      (["client_secret_post", "client_secret_basic"], nil, "client_secret_post"),
      (["client_secret_post"], nil, "client_secret_post"), (["none"], .post, "client_secret_post"),
      (["private_key_jwt"], nil, "none"),
    ] as [([String]?, ClientAuthentication?, String)])
  func authentication(supported: [String]?, wanted: ClientAuthentication?, sent: String) throws {
    var provider = try provider()
    provider.clientAuthentications = supported
    let request = try RegistrationRequest(.init(redirectURIs: [], authentication: wanted), at: provider)
    let object = try JSONReader.read(request.httpRequest.body).object
    #expect(object?["token_endpoint_auth_method"]?.string == sent)
  }

  @Test("An initial access token is in the header, and one that no header can carry is refused")
  func initialToken() throws {
    let request = try request(token: AccessToken("I")).httpRequest
    #expect(request.values(of: "Authorization") == ["Bearer I"])
    expectFailure(Failure(.invalidOption, "the initial access token must be visible ASCII")) {
      _ = try self.request(token: AccessToken("a\r\nX: y"))
    }
  }

  @Test("Without an endpoint there is no request")
  func noEndpoint() throws {
    let metadata = RegistrationRequest.Metadata(redirectURIs: [])
    expectFailure(.noClientNorRegistration) { _ = try RegistrationRequest(metadata, at: Provider()) }
  }
}

@Suite("ClientDeletion")
struct ClientDeletionTests {
  // RFC 7592 section 2.3.
  @Test("A client is deleted at its own address with its own token")
  func request() throws {
    let management = RegisteredClient.Management(
      endpoint: try Endpoint("https://as.test/c?x=1"), token: AccessToken("t"))
    let request = try ClientDeletion(management).httpRequest
    #expect(request.method == .delete)
    #expect(request.endpoint.description == "https://as.test/c?x=1")
    #expect(request.values(of: "Authorization") == ["Bearer t"])
  }

  @Test("A client is deleted after a success, and if the provider does not know it")
  func answers() throws {
    for status in [200, 204, 401, 404] { #expect(try ClientDeletion.isDone(HTTPResponse(status: status))) }
    for status in [403, 405, 501] { #expect(try !ClientDeletion.isDone(HTTPResponse(status: status))) }
    expectFailure(.clientNotDeleted) { _ = try ClientDeletion.isDone(HTTPResponse(status: 503)) }
    expectFailure(.status(500, from: .registration)) {
      _ = try ClientDeletion.isDone(HTTPResponse(status: 500))
    }
  }
}
