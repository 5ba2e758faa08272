import Testing

@testable import LoginCore

@Suite("RegisteredClient")
struct RegisteredClientTests {
  private func client(_ body: String, status: Int = 201) throws -> RegisteredClient {
    var provider = Provider()
    provider.endpoints[.registration] = try Endpoint("https://as.test/register")
    provider.issuer = try Issuer("https://id.test/tenant")
    let metadata = RegistrationRequest.Metadata(redirectURIs: [try RedirectURI("http://127.0.0.1/callback")])
    return try RegisteredClient(
      .json(body, status: status), to: RegistrationRequest(metadata, at: provider, initialAccessToken: nil),
      at: Samples.receivedAt())
  }

  @Test("A public client has only an identifier")
  func publicClient() throws {
    let client = try client(#"{"client_id":"c","token_endpoint_auth_method":"none"}"#)
    #expect(client.clientID == "c")
    #expect(client.secret == nil)
    #expect(client.authentication == .none)
    #expect(!client.isExpired(at: try Samples.receivedAt()))
  }

  @Test("A client with a secret authenticates by Basic, unless the provider names another method")
  func authentication() throws {
    #expect(try client(#"{"client_id":"c","client_secret":"s"}"#).authentication == .basic)
    #expect(
      try client(
        #"{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"client_secret_post"}"#
      ).authentication == .post)
  }

  // RFC 7591 section 3.2.1.
  @Test("A secret with the expiry zero does not expire", arguments: [0, 4_000_000_000])
  func expiry(_ seconds: Int64) throws {
    let client = try client(
      #"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(seconds)}"#)
    #expect(!client.isExpired(at: try Samples.receivedAt()))
    #expect(try client.isExpired(at: #require(UTCDate(secondsSince1970: 4_000_000_000))) == (seconds > 0))
  }

  @Test(
    "The granted response types may be more than the requested one",
    arguments: [#"["code"]"#, #"["code","none"]"#])
  func responseTypes(_ types: String) throws {
    #expect(try client(#"{"client_id":"c","response_types":\#(types)}"#).clientID == "c")
  }

  @Test(
    "A client is managed only at the sites of its provider",
    arguments: [
      ("https://as.test/c", true), ("https://id.test/c", true), ("https://as.test:8443/c", false),
      ("https://evil.test/c", false),
    ])
  func management(_ address: String, isUsed: Bool) throws {
    let client = try client(
      #"{"client_id":"c","registration_client_uri":"\#(address)","registration_access_token":"t"}"#)
    #expect((client.management != nil) == isUsed)
  }

  private static let otherRedirectURIs = Failure.notOAuth(
    "the provider registered other redirect URIs than requested")

  @Test(
    "An answer without a usable client is refused",
    arguments: [
      (#"{}"#, .missing("client_id", from: .registration)),
      (#"{"client_id":""}"#, .missing("client_id", from: .registration)),
      (#"{"client_id":7}"#, .notText("client_id", from: .registration)),
      (#"{"client_id":"a\nb"}"#, .notText("client_id", from: .registration)),
      (#"{"client_id":"c","redirect_uris":["https://evil.test/"]}"#, otherRedirectURIs),
      (
        #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback","https://evil.test/"]}"#,
        otherRedirectURIs
      ),
      (
        #"{"client_id":"c","response_types":["token"]}"#,
        .notOAuth("the provider registered other response types than requested")
      ),
      (
        #"{"client_id":"c","client_secret":"s","client_secret_expires_at":1000}"#,
        .notOAuth("the secret of the client that the provider registered has expired")
      ),
      (
        #"{"client_id":"c","token_endpoint_auth_method":"private_key_jwt"}"#,
        .notOAuth("the provider registered the client with the authentication method \"private_key_jwt\"")
      ),
      (
        #"{"client_id":"c","token_endpoint_auth_method":"client_secret_basic"}"#,
        .missing("client_secret", from: .registration)
      ),
      (
        #"{"client_id":"c","registration_client_uri":"http://as.test/c","registration_access_token":"t"}"#,
        .notOAuth("the provider's registration_client_uri is \(Message.notHTTPS)")
      ),
      (
        #"{"client_id":"c","registration_client_uri":"http://127.0.0.1/c","registration_access_token":"t"}"#,
        .notOAuth(
          "the provider's registration_client_uri is an address on this machine or in a private network, which a remote server must not name"
        )
      ),
    ] as [(String, Failure)])
  func refused(_ body: String, failure: Failure) {
    expectFailure(failure) { _ = try client(body) }
  }

  @Test("A refusal has the provider's code")
  func refusal() {
    expectRefusal("invalid_redirect_uri") {
      _ = try client(#"{"error":"invalid_redirect_uri"}"#, status: 400)
    }
  }

  @Test("A client is kept as a whole")
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

  @Test("The secrets of a client are not printed")
  func redacted() throws {
    let client = try client(
      #"{"client_id":"c","client_secret":"HIDDEN","registration_client_uri":"https://as.test/c","registration_access_token":"HIDDEN"}"#
    )
    var dumped = ""
    dump(client, to: &dumped)
    #expect(!dumped.contains("HIDDEN"))
  }

  // RFC 6749 section 2.3.1. Servers that compare ports look for the client only in the body.
  @Test("A registered client is named in the body, even if a header field authenticates it")
  func named() throws {
    let json: JSONObject = [
      "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_basic",
    ]
    var login = try Samples.login(Samples.code()).made(by: #require(RegisteredClient(json: json)))
    #expect(login.clientID == "c" && login.clientSecret == ClientSecret("s"))
    #expect(login.clientAuthentication == .basic)
    login.provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let request = try TokenRequest(.refresh(RefreshToken("r")), for: login).httpRequest
    #expect(request.form.contains(Parameter("client_id", "c")))
    #expect(!request.form.contains { $0.name == "client_secret" })
    #expect(request.values(of: "Authorization").count == 1)
    login.namesClient = false
    #expect(
      try !TokenRequest(.refresh(RefreshToken("r")), for: login).httpRequest.form.contains {
        $0.name == "client_id"
      })
  }
}
