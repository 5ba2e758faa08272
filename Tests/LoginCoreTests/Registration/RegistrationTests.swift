import Testing

@testable import LoginCore

@Suite("Registration of a client")
struct RegistrationTests {
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

  private func client(_ body: String, status: Int = 201) throws -> RegisteredClient {
    try RegisteredClient(.json(body, status: status), to: request())
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
      (["client_secret_post", "client_secret_basic"], nil, "client_secret_basic"),
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
    expectFailure("malformed_callback") { _ = try self.request(token: AccessToken("a\r\nX: y")) }
  }

  @Test("without a registration endpoint there is no request")
  func noEndpoint() throws {
    let metadata = RegistrationRequest.Metadata(redirectURIs: [])
    expectFailure("invalid_configuration") { _ = try RegistrationRequest(metadata, at: Provider()) }
  }

  @Test("a public client is its identifier")
  func publicClient() throws {
    let client = try client(#"{"client_id":"c","token_endpoint_auth_method":"none"}"#)
    #expect(client.clientID == "c")
    #expect(client.secret == nil)
    #expect(client.authentication == .none)
    #expect(!client.isExpired(at: try Samples.receivedAt()))
  }

  @Test("the provider may choose another way of authentication; without a word it is Basic")
  func authentication() throws {
    #expect(try client(#"{"client_id":"c","client_secret":"s"}"#).authentication == .basic)
    #expect(
      try client(
        #"{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"client_secret_post"}"#
      ).authentication == .post)
  }

  // RFC 7591 section 3.2.1.
  @Test(
    "a secret ends when the provider says so, and zero is for ever", arguments: [0, 1_000, 4_000_000_000])
  func expiry(_ seconds: Int64) throws {
    let client = try client(
      #"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(seconds)}"#)
    #expect(client.isExpired(at: try Samples.receivedAt()) == (seconds == 1_000))
  }

  @Test(
    "what cannot be used is refused",
    arguments: [
      #"{}"#, #"{"client_id":""}"#, #"{"client_id":7}"#, #"{"client_id":"a\nb"}"#,
      #"{"client_id":"c","redirect_uris":["https://evil.test/"]}"#,
      #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback","https://evil.test/"]}"#,
      #"{"client_id":"c","token_endpoint_auth_method":"private_key_jwt"}"#,
      #"{"client_id":"c","token_endpoint_auth_method":"client_secret_basic"}"#,
      #"{"client_id":"c","registration_client_uri":"http://as.test/c","registration_access_token":"t"}"#,
    ])
  func refused(_ body: String) {
    expectFailure("bad_provider_response") { _ = try client(body) }
  }

  @Test("an error is the provider's")
  func error() {
    expectProviderError("invalid_redirect_uri") {
      _ = try client(#"{"error":"invalid_redirect_uri"}"#, status: 400)
    }
  }

  @Test("a client is kept whole and read back")
  func kept() throws {
    let client = try client(
      """
      {"client_id":"c","client_secret":"s","client_secret_expires_at":4000000000,
      "registration_client_uri":"https://as.test/c?x=1","registration_access_token":"t"}
      """)
    #expect(RegisteredClient(json: client.json) == client)
    #expect(client.management?.endpoint.description == "https://as.test/c?x=1")
    #expect(RegisteredClient(json: ["client_id": "c"]) == nil)
    let bare = try self.client(#"{"client_id":"c"}"#)
    #expect(RegisteredClient(json: bare.json) == bare)
  }

  // RFC 7592 sections 2.3.
  @Test("a client is deleted at its own address with its own token")
  func deletion() throws {
    let management = RegisteredClient.Management(
      endpoint: try Endpoint("https://as.test/c?x=1"), token: AccessToken("t"))
    let request = try ClientDeletion(management).httpRequest
    #expect(request.method == .delete)
    #expect(request.endpoint.description == "https://as.test/c?x=1")
    #expect(request.values(of: "Authorization") == ["Bearer t"])
    #expect(try ClientDeletion.isDone(HTTPResponse(status: 204)))
    #expect(try ClientDeletion.isDone(HTTPResponse(status: 401)), "it was unknown already")
    #expect(try !ClientDeletion.isDone(HTTPResponse(status: 405)), "this provider deletes none")
    expectFailure("temporarily_unavailable") { _ = try ClientDeletion.isDone(HTTPResponse(status: 503)) }
    expectFailure("bad_provider_response") { _ = try ClientDeletion.isDone(HTTPResponse(status: 500)) }
  }

  @Test("the secrets of a client do not print")
  func redacted() throws {
    let client = try client(
      #"{"client_id":"c","client_secret":"HIDDEN","registration_client_uri":"https://as.test/c","registration_access_token":"HIDDEN"}"#
    )
    var dumped = ""
    dump(client, to: &dumped)
    #expect(!dumped.contains("HIDDEN"))
  }
}
