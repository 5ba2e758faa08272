import Testing

@testable import LoginCore

@Suite("UserinfoRequest")
struct UserinfoRequestTests {
  private func token(
    _ accessToken: String? = "T.~+/=-_", type: String? = "bearer", _ members: JSONObject = [:]
  ) -> Token {
    Token(
      accessToken: accessToken.map { AccessToken($0) }, type: type, expiresAt: nil, members: members,
      checks: Checks())
  }

  private func provider(_ change: (inout Provider) -> Void = { _ in }) throws -> Provider {
    var provider = Provider()
    provider.endpoints[.userinfo] = try Endpoint("https://as.test/me?v=1")
    change(&provider)
    return provider
  }

  private func request(_ token: Token, _ provider: Provider) throws -> HTTPRequest {
    try UserinfoRequest(token, at: provider, clientID: "client").httpRequest
  }

  private func noMember(_ name: String) -> Failure {
    Failure(.invalidConfiguration, "\(name) is missing, and this provider requires it")
  }

  // RFC 6750 sections 2.1 and 2.3, RFC 9700 section 4.3.2.
  @Test("The token is in the header field and in no other place")
  func header() throws {
    let request = try request(token(), provider { $0.headers = [Parameter("X-Key", "k")] })
    #expect(request.method == .get)
    #expect(request.endpoint.description == "https://as.test/me?v=1")
    #expect(request.values(of: "Authorization") == ["Bearer T.~+/=-_"])
    #expect(request.values(of: "X-Key") == ["k"])
    #expect(request.body.isEmpty)
    expectFailure(AuthorizationHeaderTests.unsendable) { _ = try self.request(token("a b"), provider()) }
  }

  // https://yandex.ru/dev/id/doc/en/user-information
  @Test("A provider can have its own scheme, but not for a bound token")
  func scheme() throws {
    let provider = try provider { $0.authorizationScheme = "OAuth" }
    #expect(try request(token(), provider).values(of: "Authorization") == ["OAuth T.~+/=-_"])
    #expect(try request(token("T", type: "DPoP"), provider).values(of: "Authorization") == ["DPoP T"])
  }

  @Test("Parameters that the provider wants go into a form or into the query")
  func members() throws {
    let vk = try provider {
      $0.userinfoRequest.method = .post
      $0.userinfoRequest.members = ["client_id", "device_id"]
    }
    let request = try request(token("T", ["device_id": "D"]), vk)
    #expect(request.method == .post)
    #expect(request.form == [Parameter("client_id", "client"), Parameter("device_id", "D")])
    #expect(request.values(of: "Authorization") == ["Bearer T"])
    expectFailure(noMember("device_id")) { _ = try self.request(token(), vk) }
    let query = try provider { $0.userinfoRequest.members = ["client_id"] }
    #expect(
      try self.request(token(), query).endpoint.description == "https://as.test/me?v=1&client_id=client")
  }

  // https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description: public_info.
  @Test("A form with the id_token replaces the access token, which is not sent")
  func idToken() throws {
    var provider = try provider()
    provider.userinfoRequest.members = ["id_token"]
    #expect(
      try request(token("T", ["id_token": "I"]), provider).values(of: "Authorization") == ["Bearer T"],
      "a query does not replace it")
    provider.userinfoRequest.method = .post
    let alone = try #require(Token(json: ["id_token": "I"]))
    for token in [alone, token("T", ["id_token": "I"])] {
      let request = try request(token, provider)
      #expect(request.form == [Parameter("id_token", "I")])
      #expect(request.values(of: "Authorization").isEmpty)
    }
    expectFailure(noMember("id_token")) { _ = try self.request(self.token(), provider) }
  }

  @Test("Without an endpoint or an access token there is no request")
  func incomplete() throws {
    expectFailure(.noEndpoint(.userinfo)) { _ = try request(token(), Provider()) }
    expectFailure(.noAccessToken) { _ = try request(token(nil, type: nil), provider()) }
  }
}

@Suite("UserinfoResponse")
struct UserinfoResponseTests {
  private func answer(
    _ body: String, status: Int = 200, _ headers: ParameterList = [], subject: String? = "ann"
  ) throws -> UserinfoResponse {
    try UserinfoResponse(
      HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), subject: subject)
  }

  private static let subjectMismatch = Failure(
    .subjectMismatch, "the userinfo is not about the user of the id_token")

  @Test("Claims about the user of the id_token pass unchanged, with the check that was made")
  func sameUser() throws {
    let answer = try answer(#"{"sub":"ann","n":1.50,"checks":"evil","a":[null]}"#)
    #expect(answer.json.text == #"{"sub":"ann","n":1.50,"checks":{"sub":"verified"},"a":[null]}"#)
    #expect("\(answer)" == "[redacted]")
  }

  // OpenID Connect Core section 5.3.2.
  @Test(
    "Claims about another user are refused",
    arguments: [
      #"{"sub":"eve"}"#, #"{"sub":"ann "}"#, #"{"sub":"Ann"}"#, #"{"sub":1}"#, #"{"sub":["ann"]}"#, "{}",
      #"{"sub":""}"#,
    ])
  func otherUser(body: String) {
    expectFailure(Self.subjectMismatch) { _ = try answer(body) }
  }

  @Test("Subjects are compared byte by byte")
  func normalisation() {
    expectFailure(Self.subjectMismatch) { _ = try answer(#"{"sub":"e\u0301"}"#, subject: "\u{E9}") }
  }

  @Test("Without a verified id_token the claims pass, and no check is listed")
  func unknownUser() throws {
    #expect(try answer(#"{"user":{"id":1}}"#, subject: nil).json.text == #"{"user":{"id":1}}"#)
    #expect(try answer(#"{"sub":"ann","checks":1}"#, subject: nil).json.text == #"{"sub":"ann"}"#)
  }

  // RFC 6750 section 3.
  @Test(
    "A refusal is found in the challenge and in the body, whatever the status is",
    arguments: [
      ("", 401, #"Bearer realm="x", error="invalid_token", error_description="It has \"expired\"""#),
      (#"{"error":"invalid_token","error_description":"It has \"expired\""}"#, 401, ""),
      (#"{"error":"invalid_token","error_description":"It has \"expired\""}"#, 200, "Basic"),
    ])
  func refusal(body: String, status: Int, challenge: String) {
    expectFailure(.refusal(code: "invalid_token", description: #"It has "expired""#)) {
      _ = try answer(body, status: status, [Parameter("WWW-Authenticate", challenge)])
    }
  }

  @Test(
    "An answer that is not OAuth is refused",
    arguments: [
      ("", 401, .status(401, from: .userinfo)), ("<h1>", 404, .status(404, from: .userinfo)),
      ("{}", 500, .status(500, from: .userinfo)),
      ("", 200, .notOAuth("the userinfo endpoint: the document ends too early")),
      ("[]", 200, .notOAuth("the userinfo endpoint: the document is not a JSON object")),
      (
        #"{"sub":"ann","sub":"eve"}"#, 200,
        .notOAuth("the userinfo endpoint: the member \"sub\" appears twice")
      ),
      ("", 302, .redirect(from: .userinfo)), (#"{"sub":"ann"}"#, 307, .redirect(from: .userinfo)),
    ] as [(String, Int, Failure)])
  func notOAuth(body: String, status: Int, failure: Failure) {
    expectFailure(failure) { _ = try answer(body, status: status) }
  }

  @Test("A signed or encrypted answer is refused, because our clients register for neither")
  func jwt() {
    expectFailure(.notOAuth("the userinfo is a JWT, which was not requested")) {
      _ = try answer("e30.e30.", [Parameter("content-type", "application/jwt; charset=x")])
    }
  }
}
