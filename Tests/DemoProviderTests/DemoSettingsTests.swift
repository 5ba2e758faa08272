import GnuTLSCrypto
import SoupNetwork
import Testing

@testable import DemoProvider
@testable import LoginCore

@Suite("Settings of the demo provider")
struct DemoSettingsTests {
  @Test("The home page shows the settings, and its form changes them")
  func homePage() throws {
    let visitor = try Visitor()
    #expect(visitor.get("/").body.contains(#"<option value="3600" selected>an hour"#))
    let answer = visitor.post("/", ["token_life": "10", "access": "allow"])
    #expect(answer["Location"] == "/")
    #expect(visitor.get("/").body.contains(#"<option value="10" selected>10 seconds"#))
    #expect(visitor.server.settings.refresh == .refused)
  }

  @Test(
    "A wrong setting and a form on another site change nothing",
    arguments: [
      (["token_life": "11"], []), (["token_life": "10", "acess": "deny"], []),
      (["token_life": "10"], [Parameter("Sec-Fetch-Site", "cross-site")]),
      (["token_life": "10"], [Parameter("Sec-Fetch-Site", "same-site")]),
      (["token_life": "10"], [Parameter("Origin", "https://evil.example")]),
      (["token_life": "10"], [Parameter("Origin", "null")]),
      (
        ["token_life": "10"],
        [Parameter("Origin", Visitor.issuer), Parameter("Origin", "https://evil.example")]
      ),
      (
        ["token_life": "10"],
        [Parameter("Sec-Fetch-Site", "same-origin"), Parameter("Origin", "http://evil.example:8414")]
      ),
    ] as [([String: String], ParameterList)])
  func refused(form: [String: String], headers: ParameterList) throws {
    let visitor = try Visitor()
    let answer = visitor.post("/", form, headers: headers)
    #expect(answer.status == 400)
    #expect(visitor.server.settings == DemoSettings())
  }

  @Test(
    "The provider's own page and a script change a setting",
    arguments: [
      [], [Parameter("Origin", Visitor.issuer)],
      [Parameter("Sec-Fetch-Site", "same-origin"), Parameter("Origin", "null")],
      [Parameter("Sec-Fetch-Site", "same-origin"), Parameter("Origin", Visitor.issuer)],
    ] as [ParameterList])
  func own(headers: ParameterList) throws {
    let visitor = try Visitor()
    _ = visitor.post("/", ["token_life": "10"], headers: headers)
    #expect(visitor.server.settings.tokenLife == .seconds)
  }

  @Test("Without a page the user is signed in, or refused, also on a device")
  func withoutPages() throws {
    let visitor = try Visitor()
    visitor.server.settings.access = .allow
    #expect(visitor.get("/authorize", Visitor.request()).callback["code"] != nil)
    #expect(try visitor.deviceAnswer().json["access_token"] != nil)
    visitor.server.settings.access = .deny
    #expect(visitor.get("/authorize", Visitor.request()).callback["error"] == "access_denied")
    #expect(try visitor.deviceAnswer().error == "access_denied")
  }

  @Test("Tokens are valid for as long as the setting says")
  func life() throws {
    let visitor = try Visitor()
    visitor.server.settings.tokenLife = .seconds
    let token = try visitor.token()
    #expect(token["expires_in"] == 10)
    visitor.clock.advance(by: 10)
    #expect(try visitor.userinfo(token["access_token"]).status == 401)
  }

  @Test("The redirect URI of the settings is allowed, and the demo's no longer")
  func redirectURI() throws {
    let visitor = try Visitor()
    visitor.post("/", ["redirect_uri": "com.example.app:/done"])
    #expect(visitor.server.mayRedirect(to: "com.example.app:/done"))
    #expect(!visitor.server.mayRedirect(to: DemoClient.fixedRedirect))
    visitor.post("/", ["redirect_uri": ""])
    #expect(!visitor.server.mayRedirect(to: ""))
  }

  @Test("A refresh token is replaced at each use, and one used twice ends its sign-in")
  func replaced() throws {
    let visitor = try Visitor()
    visitor.server.settings = .serving
    let first = try visitor.token()
    let second = try visitor.refresh(first).json
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(second["id_token"]?.string != nil)
    #expect(try visitor.userinfo(second["access_token"]).status == 200)
    #expect(try visitor.refresh(first).error == "invalid_grant")
    #expect(try visitor.refresh(second).error == "invalid_grant")
    #expect(try visitor.userinfo(second["access_token"]).status == 401)
  }

  @Test("Refresh tokens stay valid, or are refused, as the settings say")
  func keptOrRefused() throws {
    let visitor = try Visitor()
    visitor.server.settings.refresh = .kept
    let token = try visitor.token()
    for _ in 1...2 {
      let answer = try visitor.refresh(token).json
      #expect(answer["access_token"] != nil)
      #expect(answer["refresh_token"] == nil)
    }
    #expect(try visitor.refresh(token, ["scope": "profile"]).json["scope"] == "profile")
    visitor.server.settings.refresh = .refused
    #expect(try visitor.refresh(token).error == "invalid_grant")
    #expect(try visitor.token()["refresh_token"] == nil)
  }

  @Test("A revoked refresh token ends its access tokens too")
  func revoked() throws {
    let visitor = try Visitor()
    visitor.server.settings = .serving
    let token = try visitor.token()
    let text = try #require(token["refresh_token"]?.string)
    let form = ["client_id": DemoClient.identifier, "token": text]
    #expect(visitor.post("/revoke", form).status == 200)
    #expect(try visitor.refresh(token).error == "invalid_grant")
    #expect(try visitor.userinfo(token["access_token"]).status == 401)
    #expect(visitor.post("/revoke", form).status == 200)
  }
}

@Suite("Bound tokens of the demo provider")
struct ProofOfPossessionTests {
  private let cryptography = GnuTLSCryptography()

  @Test("A token is bound to the key of the proof, and useless without it")
  func bound() throws {
    let visitor = try Visitor()
    visitor.server.settings = .serving
    let key = try cryptography.newProofKey()
    let code = try #require(visitor.callback()["code"])
    let token = visitor.exchange(code, proof: try proof("/token", key)).json
    #expect(token["token_type"] == "DPoP")
    let access = try #require(token["access_token"]?.string)
    func userinfo(_ scheme: String, _ proof: String?) -> Int {
      visitor.get(
        "/userinfo",
        headers: [Parameter("Authorization", "\(scheme) \(access)")]
          + (proof.map { [Parameter("DPoP", $0)] } ?? [])
      ).status
    }
    let good = try proof("/userinfo", key, method: "GET", token: access)
    #expect(userinfo("DPoP", good) == 200)
    #expect(userinfo("DPoP", good) == 400)  // used before
    #expect(userinfo("DPoP", nil) == 401)
    #expect(userinfo("Bearer", try proof("/userinfo", key, method: "GET", token: access)) == 401)
    let other = try cryptography.newProofKey()
    #expect(userinfo("DPoP", try proof("/userinfo", other, method: "GET", token: access)) == 401)
    #expect(try visitor.refresh(token).error == "invalid_grant")
    let fields: ParameterList = ["DPoP": try proof("/token", key)]
    #expect(try visitor.refresh(token, headers: fields).json["token_type"] == "DPoP")
  }

  @Test("The settings can require a proof, and a wrong proof is refused")
  func required() throws {
    let visitor = try Visitor()
    visitor.server.settings.proof = .required
    let code = try #require(visitor.callback()["code"])
    #expect(visitor.exchange(code).error == "invalid_dpop_proof")
    let key = try cryptography.newProofKey()
    let now = visitor.clock.now().secondsSince1970
    let wrong = [
      try proof("/userinfo", key), try proof("/token", key, method: "GET"),
      try proof("/token", key, issuedAt: now - 301), try proof("/token", key, type: "JWT"), "a.b.c", "",
    ]
    for proof in wrong { #expect(visitor.exchange(code, proof: proof).error == "invalid_dpop_proof") }
    #expect(visitor.exchange(code, proof: try proof("/token", key)).json["token_type"] == "DPoP")
  }

  @Test("A code that was asked for with a key needs that key")
  func boundCode() throws {
    let visitor = try Visitor()
    let key = try cryptography.newProofKey()
    let thumbprint = try #require(try Thumbprint.text(of: key.publicKey, cryptography))
    let code = try #require(visitor.callback(["dpop_jkt": thumbprint])["code"])
    #expect(visitor.exchange(code).error == "invalid_grant")
  }

  private func proof(
    _ path: String, _ key: any SigningKey, method: String = "POST", token: String? = nil,
    issuedAt: Int64? = nil, type: String = "dpop+jwt"
  ) throws -> String {
    let digest = try token.map { try cryptography.digest(.sha256, of: Array($0.utf8)) }
    let claims: JSONObject = [
      "jti": .string(Base64.encodeURLSafe(try cryptography.randomBytes(8))), "htm": .string(method),
      "htu": .string(Visitor.issuer + path),
      "iat": .number(JSONNumber(issuedAt ?? FakeClock().now().secondsSince1970)),
      "ath": digest.map { .string(Base64.encodeURLSafe($0)) },
    ]
    let header: JSONObject = ["typ": .string(type), "jwk": .object(key.publicKey)]
    return try JWS.sign(claims.text.utf8, header: header, with: key)
  }
}

extension Visitor {
  fileprivate func exchange(_ code: String, proof: String) -> Answer {
    post(
      "/token",
      [
        "grant_type": "authorization_code", "client_id": DemoClient.identifier, "code": code,
        "redirect_uri": Self.redirect, "code_verifier": Self.verifier,
      ], headers: [Parameter("DPoP", proof)])
  }
}
