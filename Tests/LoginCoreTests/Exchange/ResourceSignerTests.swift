import Testing

@testable import LoginCore

@Suite("Signed requests of an API")
struct ResourceSignerTests {
  private func signer() throws -> ResourceSigner {
    ResourceSigner(
      cryptography: FakeCryptography(digests: [Array("T0KEN".utf8): [1, 2, 3]]),
      clock: FakeClock(date: try Samples.receivedAt(), record: Record()))
  }

  private func token(_ accessToken: String, key: JSONObject? = nil, type: String = "Bearer") throws -> Token {
    var json: JSONObject = ["access_token": .string(accessToken), "token_type": .string(type)]
    json["dpop_jwk"] = key.map(JSONValue.object)
    return try #require(Token(json: json))
  }

  private func request(_ address: String = "https://api.test/me?a=1") throws -> ResourceRequest {
    try ResourceRequest("PATCH", try Endpoint(address), headers: [Parameter("X-A", "1")])
  }

  private func claims(_ request: ResourceRequest) throws -> JSONObject {
    let proofs = request.headers.filter { $0.name == "DPoP" }
    try #require(proofs.count == 1)
    let bytes = try #require(Base64.decodeURLSafe(proofs[0].value.parts(at: ".")[1]))
    return try #require(try JSONReader.read(bytes).object)
  }

  // RFC 6750 section 2.1.
  @Test("The token is in one header field and nowhere else")
  func signed() throws {
    let signed = try signer().signed(request(), with: token("T0KEN"))
    #expect(signed.headers == [Parameter("X-A", "1"), Parameter("Authorization", "Bearer T0KEN")])
    #expect(signed.endpoint.description == "https://api.test/me?a=1")
    #expect(!"\(signed)".contains("T0KEN"))
  }

  @Test(
    "A token that would begin a field of its own is never sent", arguments: ["a\r\nX: y", "a b", "\u{E9}"])
  func unfit(text: String) throws {
    expectFailure(.untrusted(.unsendableToken)) { _ = try signer().signed(request(), with: token(text)) }
  }

  private let key: JSONObject = ["kty": "EC", "d": "private"]

  // RFC 9449 section 7.
  @Test("One that is bound to a key goes with a proof of the request and of the token, each with its own")
  func bound() throws {
    let token = try token("T0KEN", key: key, type: "dpop")
    let signed = try signer().signed(request("https://API.test:443?a=1"), with: token)
    #expect(signed.headers.contains(Parameter("Authorization", "DPoP T0KEN")))
    let claims = try claims(signed)
    #expect(claims["htm"] == "PATCH" && claims["ath"] == "AQID" && claims["nonce"] == nil)
    #expect(claims["htu"] == "https://api.test/", "as the server sees it")
    let lone = try self.claims(signer().signed(request("https://api.test/50%/%41"), with: token))
    #expect(lone["htu"] == "https://api.test/50%25/%41", "as it is sent")
  }

  @Test("The newest nonce of a server is in the next proof for it, and for no other server")
  func nonce() throws {
    var signer = try signer()
    let token = try token("T0KEN", key: key, type: "DPoP")
    for nonce in ["N1", "N2", ""] {
      signer.note(
        HTTPResponse(status: 200, headers: [Parameter("dpop-nonce", nonce)]), to: try request())
    }
    let other = try request("https://other.test/me")
    #expect(try claims(signer.signed(request("https://api.test/you"), with: token))["nonce"] == "N2")
    #expect(try claims(signer.signed(other, with: token))["nonce"] == nil)
    #expect(try signer.knowsNonce(for: request()) && !signer.knowsNonce(for: other))
  }

  @Test("A bound token without its key is worth nothing, and is not sent")
  func noKey() throws {
    expectFailure(.caller(.noProofKey)) { _ = try signer().signed(request(), with: token("T", type: "DPoP")) }
  }

  // RFC 9449 sections 7.1 and 9.
  @Test(
    "What a server has against a proof is not held against the token",
    arguments: [
      (401, #"DPoP error="invalid_token""#, true, false), (401, "Bearer", true, false),
      (401, #"DPoP error="use_dpop_nonce""#, false, true),
      (401, #"Bearer, DPoP error="invalid_dpop_proof""#, false, false),
      (401, #"DPoP error="invalid_token", error_description="not use_dpop_nonce""#, true, false),
      (403, #"DPoP error="insufficient_scope""#, false, false),
      (403, #"DPoP error="use_dpop_nonce""#, false, false),
      (200, #"DPoP error="use_dpop_nonce""#, false, false),
    ])
  func refusals(status: Int, challenge: String, refusesToken: Bool, asksForNonce: Bool) {
    let head = HTTPResponse(
      status: status,
      headers: [Parameter("www-authenticate", challenge), Parameter("DPoP-Nonce", "N")])
    #expect(head.refusesToken == refusesToken)
    #expect(head.asksForNonce == asksForNonce)
  }
}
