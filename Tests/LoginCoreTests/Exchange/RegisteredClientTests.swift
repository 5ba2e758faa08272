import Testing

@testable import LoginCore

@Suite("RegisteredClient")
struct RegisteredClientTests {
  private func client(_ body: String, status: Int = 201) throws -> RegisteredClient {
    var provider = Provider()
    provider.endpoints[.registration] = try Endpoint("https://as.test/register")
    let metadata = RegistrationRequest.Metadata(redirectURIs: [try RedirectURI("http://127.0.0.1/callback")])
    return try RegisteredClient(
      .json(body, status: status), to: RegistrationRequest(metadata, at: provider, initialAccessToken: nil))
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
      (#"{}"#, .missing("client_id", from: .registration)),
      (#"{"client_id":""}"#, .missing("client_id", from: .registration)),
      (#"{"client_id":7}"#, .notText("client_id", from: .registration)),
      (#"{"client_id":"a\nb"}"#, .notText("client_id", from: .registration)),
      (#"{"client_id":"c","redirect_uris":["https://evil.test/"]}"#, .otherRedirectURIs),
      (
        #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback","https://evil.test/"]}"#,
        .otherRedirectURIs
      ),
      (
        #"{"client_id":"c","token_endpoint_auth_method":"private_key_jwt"}"#,
        .clientAuthentication("private_key_jwt")
      ),
      (
        #"{"client_id":"c","token_endpoint_auth_method":"client_secret_basic"}"#,
        .missing("client_secret", from: .registration)
      ),
      (
        #"{"client_id":"c","registration_client_uri":"http://as.test/c","registration_access_token":"t"}"#,
        .address("registration_client_uri", .notHTTPS, from: .registration)
      ),
      (
        #"{"client_id":"c","registration_client_uri":"http://127.0.0.1/c","registration_access_token":"t"}"#,
        .address("registration_client_uri", .notPublic, from: .registration)
      ),
    ] as [(String, ResponseFault)])
  func refused(_ body: String, fault: ResponseFault) {
    expectBadResponse(fault) { _ = try client(body) }
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
      {"client_id":"c","client_secret":"s","client_secret_expires_at":4000000000,"scope":"a b",
      "registration_client_uri":"https://as.test/c?x=1","registration_access_token":"t"}
      """)
    #expect(RegisteredClient(json: client.json) == client)
    #expect(client.management?.endpoint.description == "https://as.test/c?x=1")
    #expect(client.scope == "a b")
    #expect(RegisteredClient(json: ["client_id": "c"]) == nil)
    let bare = try self.client(#"{"client_id":"c"}"#)
    #expect(RegisteredClient(json: bare.json) == bare)
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
