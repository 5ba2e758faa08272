import Testing

@testable import LoginCore

/// The question who signed in.
@Suite("UserinfoRequest")
struct UserinfoRequestTests {
  private func token(_ accessToken: String = "T.~+/=-_", _ members: JSONObject = [:]) -> Token {
    Token(
      accessToken: AccessToken(accessToken), type: "bearer", expiresAt: nil, members: members,
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

  // RFC 6750 sections 2.1 and 2.3, RFC 9700 section 4.3.2.
  @Test("the token is in the header field and nowhere else")
  func header() throws {
    let request = try request(token(), provider { $0.headers = [Parameter("X-Key", "k")] })
    #expect(request.method == .get)
    #expect(request.endpoint.description == "https://as.test/me?v=1")
    #expect(request.values(of: "Authorization") == ["Bearer T.~+/=-_"])
    #expect(request.values(of: "X-Key") == ["k"])
    #expect(request.body.isEmpty)
  }

  // https://yandex.ru/dev/id/doc/en/user-information
  @Test("the scheme is the provider's own where it has one, but never that of a token bound to a key")
  func scheme() throws {
    let provider = try provider { $0.authorizationScheme = "OAuth" }
    #expect(try request(token(), provider).values(of: "Authorization") == ["OAuth T.~+/=-_"])
    let bound = Token(
      accessToken: AccessToken("T"), type: "DPoP", expiresAt: nil, members: [:], checks: Checks())
    #expect(try request(bound, provider).values(of: "Authorization") == ["DPoP T"])
  }

  @Test(
    "a token that no header field can carry is never sent",
    arguments: ["a\r\nX: y", "a b", "a\n", "\u{7F}", "é", "a\u{0}b"])
  func noHeaderText(text: String) throws {
    let provider = try provider()
    expectFailure(.untrusted(.unsendableToken)) { _ = try request(token(text), provider) }
  }

  @Test("what a provider wants to hear beside it goes into a form, or into the query")
  func members() throws {
    let vk = try provider {
      $0.userinfoRequest.method = .post
      $0.userinfoRequest.members = ["client_id", "device_id"]
    }
    let request = try request(token("T", ["device_id": "D"]), vk)
    #expect(request.method == .post)
    #expect(request.form == [Parameter("client_id", "client"), Parameter("device_id", "D")])
    #expect(request.values(of: "Authorization") == ["Bearer T"])
    expectFailure(.caller(.noMember("device_id"))) { _ = try self.request(token(), vk) }
    let query = try provider { $0.userinfoRequest.members = ["client_id"] }
    #expect(
      try self.request(token(), query).endpoint.description == "https://as.test/me?v=1&client_id=client")
  }

  // https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description: public_info.
  @Test("a form with the id_token takes the place of the access token, which then goes nowhere")
  func idToken() throws {
    var provider = try provider()
    provider.userinfoRequest.members = ["id_token"]
    #expect(
      try request(token("T", ["id_token": "I"]), provider).values(of: "Authorization") == ["Bearer T"],
      "only a form does")
    provider.userinfoRequest.method = .post
    let alone = try #require(Token(json: ["id_token": "I"]))
    for token in [alone, token("T", ["id_token": "I"])] {
      let request = try request(token, provider)
      #expect(request.form == [Parameter("id_token", "I")])
      #expect(request.values(of: "Authorization").isEmpty)
    }
    expectFailure(.caller(.noMember("id_token"))) { _ = try self.request(self.token(), provider) }
  }

  @Test("without an endpoint or an access token there is nothing to ask, or to ask with")
  func incomplete() throws {
    expectFailure(.caller(.noEndpoint(.userinfo))) { _ = try request(token(), Provider()) }
    let identity = Token(accessToken: nil, type: nil, expiresAt: nil, members: [:], checks: Checks())
    expectFailure(.caller(.noAccessToken)) { _ = try request(identity, provider()) }
  }
}
