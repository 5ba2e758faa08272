import LoginCore
import Testing

@testable import DemoProvider

@Suite("Token endpoint")
struct TokenEndpointTests {
  @Test("A code and its verifier are exchanged for a token")
  func exchange() throws {
    let visitor = try Visitor()
    let answer = visitor.exchange(try #require(visitor.callback()["code"]))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "application/json")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer.json["token_type"] == "Bearer")
    #expect(answer.json["expires_in"] == 3_600)
    #expect(answer.json["scope"] == "openid profile")
    #expect(answer.json["access_token"]?.string?.utf8.count == 43)
    #expect(try visitor.userinfo(answer.json["access_token"]).json["name"] == "ada")
  }

  @Test("The id_token has the claims of the login and the given signer's signature")
  func idToken() throws {
    let visitor = try Visitor()
    let page = visitor.get("/authorize", Visitor.request())
    let consent = try visitor.signIn(on: page)
    visitor.clock.advance(by: 30)
    let code = try #require(visitor.decide("allow", on: consent).callback["code"])
    let token = visitor.exchange(code).json
    let text = try #require(token["id_token"]?.string)
    let claims = try #require(readClaims(text))
    #expect(claims["iss"] == .string(Visitor.issuer))
    #expect(claims["aud"] == "tokentry-demo")
    #expect(claims["nonce"] == "N")
    #expect(claims["auth_time"] == 1_800_000_000)
    #expect(claims["iat"] == 1_800_000_030)
    #expect(claims["exp"] == 1_800_003_630)
    #expect(claims["sub"] == (try visitor.userinfo(token["access_token"]).json["sub"]))
    let digest = try visitor.server.mint.digest(try #require(token["access_token"]?.string))
    #expect(claims["at_hash"] == .string(Base64.encodeURLSafe(digest.prefix(16))))

    let parts = text.parts(at: ".")
    let header = try #require(base64(parts[0]).flatMap { try? JSONReader.read($0).object })
    #expect(header == ["alg": "ES256", "typ": "JWT", "kid": "key-1"])
    let signature = try #require(base64(parts[2]))
    let length = parts[0].utf8.count + parts[1].utf8.count + 1
    #expect(String(decoding: signature, as: UTF8.self) == "signed \(length)")
  }

  @Test("A name always has the same subject, and another name has another")
  func subject() throws {
    let first = try Visitor(), second = try Visitor()
    #expect(
      try first.userinfo(first.token()["access_token"]).json["sub"]
        == second.userinfo(second.token()["access_token"]).json["sub"])
    let page = try second.decide("change", on: second.get("/authorize", Visitor.request()))
    let code = try second.decide("allow", on: second.signIn(on: page, name: "grace")).callback["code"]
    let grace = try second.userinfo(second.exchange(code ?? "").json["access_token"]).json["sub"]
    #expect(try grace != first.userinfo(first.token()["access_token"]).json["sub"])
  }

  // RFC 6749 section 4.1.2.
  @Test("A code is exchanged once, and its second use ends its tokens")
  func codeReuse() throws {
    let visitor = try Visitor()
    let code = try #require(visitor.callback()["code"])
    let (token, other) = (visitor.exchange(code), visitor.exchange(try #require(visitor.callback()["code"])))
    #expect(try visitor.userinfo(token.json["access_token"]).status == 200)
    #expect(visitor.exchange(code).error == "invalid_grant")
    #expect(try visitor.userinfo(token.json["access_token"]).status == 401)
    #expect(try visitor.userinfo(other.json["access_token"]).status == 200)
  }

  @Test(
    "A code is refused with another verifier, redirect URI, client or grant type",
    arguments: [
      (["code_verifier": ""], "invalid_grant", 400),
      (["code_verifier": String(repeating: "a", count: 43)], "invalid_grant", 400),
      (["code_verifier": Visitor.challenge], "invalid_grant", 400),
      (["code_verifier": "short"], "invalid_grant", 400),
      (["redirect_uri": ""], "invalid_grant", 400),
      (["redirect_uri": "http://127.0.0.1:5001/callback"], "invalid_grant", 400),
      (["redirect_uri": DemoClient.fixedRedirect], "invalid_grant", 400),
      (["client_id": "other"], "invalid_client", 401), (["client_id": ""], "invalid_client", 401),
      (["client_secret": "guess"], "invalid_client", 401),
      (["code": "guess"], "invalid_grant", 400), (["code": ""], "invalid_request", 400),
      (["grant_type": ""], "invalid_request", 400),
      (["grant_type": "password"], "unsupported_grant_type", 400),
    ])
  func refusals(changes: [String: String], code: String, status: Int) throws {
    let visitor = try Visitor()
    let answer = visitor.exchange(try #require(visitor.callback()["code"]), changes)
    #expect(answer.error == code)
    #expect(answer.status == status)
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer.json["access_token"] == nil)
  }

  @Test("A code expires after a minute")
  func lateCode() throws {
    let visitor = try Visitor()
    let code = try #require(visitor.callback()["code"])
    visitor.clock.advance(by: 60)
    #expect(visitor.exchange(code).error == "invalid_grant")
  }

  @Test("The scope decides which claims the user info has")
  func claims() throws {
    let visitor = try Visitor()
    let all = try visitor.userinfo(visitor.token()["access_token"]).json
    #expect(all.map(\.name) == ["sub", "name", "preferred_username"])
    #expect(all["sub"]?.string?.utf8.allSatisfy { $0 < 0x80 } == true)
    let bare = try Visitor()
    #expect(try bare.userinfo(bare.token(["scope": "openid"])["access_token"]).json.map(\.name) == ["sub"])
  }

  @Test("An access token expires after an hour")
  func lifetime() throws {
    let visitor = try Visitor()
    let token = try visitor.token()
    visitor.clock.advance(by: 3_599)
    #expect(try visitor.userinfo(token["access_token"]).status == 200)
    visitor.clock.advance(by: 1)
    #expect(try visitor.userinfo(token["access_token"]).status == 401)
  }

  @Test("User info needs a valid Bearer token", arguments: ["Bearer guess", "Basic YTpi", "Bearer", ""])
  func noClaims(field: String) throws {
    let answer = try Visitor().get("/userinfo", headers: [Parameter("Authorization", field)])
    #expect(answer.status == 401)
    #expect(answer["WWW-Authenticate"]?.hasPrefix("Bearer realm=\"demo\"") == true)
  }
}
