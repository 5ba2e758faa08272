import Testing

@testable import LoginCore

@Suite("ResourceRequest")
struct ResourceRequestTests {
  private func request(_ method: String = "GET", headers: ParameterList = []) throws -> ResourceRequest {
    try ResourceRequest(method, try Endpoint("https://api.test/me?a=1"), headers: headers)
  }

  @Test("Without its body, the request is a HEAD and has no Content-Type")
  func withoutBody() throws {
    let headers: ParameterList = ["X-A": "1", "content-type": "a/b"]
    let request = try request("PUT", headers: headers).withoutBody
    #expect(request.method == "HEAD" && request.headers == [Parameter("X-A", "1")])
    #expect(request.endpoint.description == "https://api.test/me?a=1")
  }

  @Test(
    "Only methods that a resource can have are accepted",
    arguments: [
      ("GET", true), ("PATCH", true), ("VERSION-CONTROL", true), ("", false), ("CONNECT", false),
      ("trace", false), ("A B", false), ("G\u{CB}T", false),
    ])
  func methods(method: String, isAccepted: Bool) throws {
    #expect(((try? request(method)) != nil) == isAccepted)
  }

  @Test(
    "Of the header fields that a request sets itself, the caller may set only Content-Type",
    arguments: [
      ("Content-Type", "a/b", true), ("content-type", "a\nb", false), ("X-A", "1", true),
      ("Host", "x", false), ("authorization", "Bearer x", false), ("DPoP", "x", false),
      ("Cookie", "x", false), ("A B", "x", false), ("Content-Length", "1", false),
    ])
  func headers(name: String, value: String, isAccepted: Bool) {
    #expect(((try? request(headers: [Parameter(name, value)])) != nil) == isAccepted)
  }
}

@Suite("ResourceSigner")
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

  /// Returns the claims of the only proof in a request.
  private func claims(_ request: ResourceRequest) throws -> JSONObject {
    let proofs = request.headers.filter { $0.name == "DPoP" }
    try #require(proofs.count == 1)
    let bytes = try #require(Base64.decodeURLSafe(proofs[0].value.parts(at: ".")[1]))
    return try #require(try JSONReader.read(bytes).object)
  }

  // RFC 6750 section 2.1.
  @Test("The token is in one header field and in no other place")
  func signed() throws {
    let signed = try signer().signed(request(), with: token("T0KEN"))
    #expect(signed.headers == [Parameter("X-A", "1"), Parameter("Authorization", "Bearer T0KEN")])
    #expect(signed.endpoint.description == "https://api.test/me?a=1")
    #expect(!"\(signed)".contains("T0KEN"))
  }

  @Test("A token with a character that no header field can carry is never sent")
  func unsendable() throws {
    expectFailure(AuthorizationHeaderTests.unsendable) {
      _ = try signer().signed(request(), with: token("a b"))
    }
  }

  private let key: JSONObject = ["kty": "EC", "d": "private"]

  // RFC 9449 section 7.
  @Test("A bound token is sent with a proof for this request and this token")
  func bound() throws {
    let token = try token("T0KEN", key: key, type: "dpop")
    let signed = try signer().signed(request("https://API.test:443?a=1"), with: token)
    #expect(signed.headers.contains(Parameter("Authorization", "DPoP T0KEN")))
    let claims = try claims(signed)
    #expect(claims["htm"] == "PATCH" && claims["ath"] == "AQID" && claims["nonce"] == nil)
    #expect(claims["htu"] == "https://api.test/", "as the server sees it")
    let escaped = try self.claims(signer().signed(request("https://api.test/50%/%41"), with: token))
    #expect(escaped["htu"] == "https://api.test/50%25/%41", "as it is sent")
  }

  @Test("The latest nonce of a server is in the next proof for this server only")
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
    #expect(try signer.nonce(for: request()) == "N2")
    #expect(signer.nonce(for: other) == nil)
  }

  @Test("A bound token without its key is not sent")
  func noKey() throws {
    expectFailure(.noProofKey) { _ = try signer().signed(request(), with: token("T", type: "DPoP")) }
  }

  // RFC 9449 sections 7.1 and 9.
  @Test(
    "A refusal of the proof is not a refusal of the token",
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

@Suite("Failure of a request to an API")
struct ResourceFailureTests {
  private func failure(_ status: Int, _ challenge: String? = nil, isUntried: Bool = false) -> Failure? {
    let headers: ParameterList = challenge.map { ["WWW-Authenticate": $0] } ?? []
    return .resource(HTTPResponse(status: status, headers: headers), isUntried: isUntried)
  }

  @Test("A success is not a failure", arguments: [200, 204, 299])
  func success(status: Int) { #expect(failure(status, "Bearer error=x") == nil) }

  @Test(
    "A 4xx status is a refusal with the code of RFC 6750; every other status is a useless answer",
    arguments: [
      (300, .badResponse, false), (302, .badResponse, false), (401, .provider("invalid_token"), false),
      (403, .provider("insufficient_scope"), false), (404, .provider("invalid_request"), false),
      (408, .provider("invalid_request"), true), (429, .provider("invalid_request"), true),
      (500, .badResponse, true), (503, .badResponse, true),
    ] as [(Int, Failure.Code, Bool)])
  func codes(status: Int, code: Failure.Code, isRetryable: Bool) {
    #expect(failure(status)?.code == code)
    #expect(failure(status)?.isRetryable == isRetryable)
  }

  @Test("A request whose body could not be sent again can be retried")
  func untried() {
    #expect(failure(401, isUntried: true)?.isRetryable == true)
  }

  @Test("The code in the server's challenge is kept for a refusal")
  func challenge() {
    #expect(failure(403, "Bearer error=\"no_money\"")?.code == .provider("no_money"))
    #expect(failure(503, "Bearer error=\"no_money\"")?.code == .badResponse)
  }
}
