import Testing

@testable import LoginCore

@Suite("TokenResponse")
struct TokenResponseTests {
  private func token(_ response: HTTPResponse, tokenType: String? = nil) throws -> Token {
    var provider = try Samples.code()
    provider.tokenType = tokenType
    provider.bearerTokenTypes = ["user"]
    return try Token(
      TokenResponse(response), to: Samples.login(provider), callback: [], checks: Checks(),
      receivedAt: Samples.receivedAt())
  }

  private func token(_ json: String, tokenType: String? = nil) throws -> Token {
    try token(.json(json), tokenType: tokenType)
  }

  // RFC 6749 section 5.1.
  @Test("The RFC's example is a token, and its other members pass unchanged")
  func example() throws {
    let token = try token(
      #"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"Bearer","expires_in":3600,"#
        + #""refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":1.10,"scope":["a","b"]}"#)
    #expect(token.accessToken == AccessToken("2YotnFZFEjr1zCsicMWpAA"))
    #expect(token.expiresAt?.description == "2026-11-21T08:14:00Z")
    #expect(
      JSONValue.object(token.allMembers).text
        == #"{"refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":1.10,"scope":["a","b"]}"#)
  }

  @Test(
    "Errors in the form of other APIs are understood",
    arguments: [
      (
        #"{"error":{"message":"Session has expired","type":"OAuthException","code":190}}"#,
        .refusal(code: "OAuthException", description: "Session has expired")
      ),
      (
        #"{"error":{"code":403,"message":"No","status":"PERMISSION_DENIED"}}"#,
        .refusal(code: "PERMISSION_DENIED", description: "No")
      ), (#"{"error":{"code":190}}"#, .refusal(code: "190")),
      (#"{"error":400}"#, .refusal(code: "400")),
      (#"{"error":true}"#, .refusal(code: "server_error")),
      (#"{"error":{}}"#, .refusal(code: "server_error")),
    ] as [(String, Failure)])
  func errors(body: String, failure: Failure) {
    for status in [200, 400] {
      #expect(throws: failure) { try TokenResponse(.json(body, status: status)) }
    }
  }

  @Test(
    "An error that is empty, 0, false or null is ignored", arguments: ["null", "\"\"", "0", "false", "[]"])
  func noError(value: String) throws {
    _ = try TokenResponse(.json(#"{"access_token":"T","token_type":"Bearer","error":\#(value)}"#))
  }

  @Test("A refresh token that is not text is dropped", arguments: ["null", "5", "[]"])
  func noRefreshToken(value: String) throws {
    let token = try token(#"{"access_token":"T","token_type":"Bearer","refresh_token":\#(value)}"#)
    #expect(token.allMembers["refresh_token"] == nil)
  }

  @Test(
    "A lifetime may be a number or a string",
    arguments: [
      ("3600", 3_600), ("\"3600\"", 3_600), ("3600.9", 3_600), ("3.6e3", 3_600), ("0", nil), ("null", nil),
      ("\"\"", nil), ("-1", nil), ("0.5", 1), ("1e-9", 1), ("1e-999", 1), ("0.0", nil), ("0e9", nil),
      ("\"soon\"", nil), ("[1]", nil), ("1e400", nil),
    ] as [(String, Int64?)])
  func lifetime(literal: String, seconds: Int64?) throws {
    let token = try token(#"{"access_token":"T","token_type":"bearer","expires_in":\#(literal)}"#)
    #expect(token.json(at: try Samples.receivedAt())["expires_in"] == seconds.map { .number(JSONNumber($0)) })
  }

  @Test(
    "An error is reported with any status",
    arguments: [200, 400, 401, 403, 500])
  func error(status: Int) {
    let answer = HTTPResponse.json(
      #"{"error":"invalid_grant","error_description":"used","access_token":"T"}"#, status: status)
    expectRefusal("invalid_grant") { _ = try token(answer) }
  }

  @Test(
    "A refusal of a client that sent no secret says so",
    arguments: [
      (#"{"error":"invalid_client"}"#, nil, true), (#"{"error":"unauthorized_client"}"#, nil, true),
      (#"{"error":"invalid_request","error_description":"Missing Client_Secret"}"#, nil, true),
      (#"{"error":"invalid_client"}"#, "secret", false), (#"{"error":"invalid_grant"}"#, nil, false),
    ] as [(String, String?, Bool)])
  func noSecret(body: String, secret: String?, isRemarked: Bool) throws {
    var login = try Samples.login(Samples.code())
    login.clientSecret = secret.map { ClientSecret($0) }
    let failure = #expect(throws: Failure.self) { try TokenResponse(.json(body, status: 401), to: login) }
    #expect((failure?.hint == .giveSecretIfAny) == isRemarked)
    #expect((failure?.hint == .checkSecret) == (secret != nil))
  }

  @Test(
    "An answer that is not OAuth is refused",
    arguments: [
      ("{}", 500, .status(500, from: .token)),
      ("<html>", 404, .status(404, from: .token)),
      ("[]", 200, .notOAuth("the token endpoint: the document is not a JSON object")),
      (
        #"{"access_token":"A","access_token":"B","token_type":"Bearer"}"#, 200,
        .notOAuth("the token endpoint: the member \"access_token\" appears twice")
      ),
      (#"{"access_token":"T","token_type":"Bearer"}"#, 302, .redirect(from: .token)),
      (#"{"access_token":"T","token_type":"Bearer"}"#, 202, .status(202, from: .token)),
      (#"{"access_token":1,"token_type":"Bearer"}"#, 200, .notText("access_token", from: .token)),
      (
        #"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#, 200, .notText("access_token", from: .token)
      ),
    ] as [(String, Int, Failure)])
  func notOAuth(body: String, status: Int, failure: Failure) {
    expectFailure(failure) { _ = try token(.json(body, status: status)) }
  }

  // RFC 6749 section 5.2 requires an error code.
  @Test("A refusal without an error code has a failure of its own", arguments: [400, 401], ["", "{}"])
  func wordless(status: Int, body: String) {
    expectFailure(.refusedWithoutReason(status: status)) {
      _ = try token(.json(body, status: status))
    }
  }

  @Test("A token must have the members that the preset requires")
  func missingMember() throws {
    var provider = try Samples.code()
    provider.ownTokenMembers = ["user_id"]
    let answer = try TokenResponse(.json(#"{"access_token":"T","token_type":"bearer","user_id":""}"#))
    #expect(throws: Failure.missingToken(["user_id"])) {
      try Token(answer, to: Samples.login(provider), receivedAt: Samples.receivedAt())
    }
  }

  @Test("All missing members are named at once")
  func missing() {
    #expect(throws: Failure.missingToken(["access_token", "token_type"])) {
      try token(#"{"access_token":"","token_type":null}"#)
    }
  }

  @Test("A missing type is assumed only if the preset says so, and only bearer tokens are supported")
  func type() throws {
    #expect(throws: Failure.missingToken(["token_type"])) { try token(#"{"access_token":"T"}"#) }
    #expect(try token(#"{"access_token":"T"}"#, tokenType: "Bearer").type == "Bearer")
    #expect(try token(#"{"access_token":"T","token_type":"BEARER"}"#).type == "BEARER")
    #expect(
      try token(#"{"access_token":"T","token_type":"user"}"#).type == "Bearer", "a name of the preset's")
    #expect(throws: Failure.unsupportedTokenType("mac")) {
      try token(#"{"access_token":"T","token_type":"mac"}"#)
    }
  }

  @Test(
    "Some providers answer with a form",
    arguments: ["application/x-www-form-urlencoded", "text/plain; charset=UTF-8"])
  func form(type: String) throws {
    let answer = HTTPResponse(
      status: 200, headers: [Parameter("Content-Type", type)],
      body: Array("access_token=a%2Bb&expires=60&token_type=bearer&scope=x+y".utf8))
    let token = try token(answer)
    #expect(token.accessToken == AccessToken("a+b"))
    #expect(token.expiresAt?.description == "2026-11-21T07:15:00Z")
    #expect(token.allMembers["scope"] == "x y")
  }

  @Test("JSON that is declared as plain text is read as JSON")
  func plainJSON() throws {
    let answer = HTTPResponse(
      status: 200, headers: [Parameter("Content-Type", "text/plain")],
      body: Array(#" {"access_token":"T","token_type":"bearer"}"#.utf8))
    #expect(try token(answer).accessToken == AccessToken("T"))
  }

  @Test("A form with a repeated name has no token")
  func repeatedInForm() {
    let answer = HTTPResponse(
      status: 200, headers: [Parameter("Content-Type", "application/x-www-form-urlencoded")],
      body: Array("access_token=A&access_token=B&token_type=bearer".utf8))
    #expect(throws: Failure.missingToken(["access_token", "token_type"])) { try token(answer) }
  }

  @Test("A form with too many parameters has no token, because the rest could repeat a name")
  func endlessForm() throws {
    func answer(parameters count: Int) -> HTTPResponse {
      let more = (2..<count).map { "&x\($0)=y" }.joined()
      return HTTPResponse(
        status: 200, headers: [Parameter("Content-Type", "application/x-www-form-urlencoded")],
        body: Array("access_token=A&token_type=bearer\(more)".utf8))
    }
    #expect(try token(answer(parameters: 256)).accessToken == AccessToken("A"))
    #expect(throws: Failure.missingToken(["access_token", "token_type"])) {
      try token(answer(parameters: 257))
    }
  }

  // RFC 9396 section 7.
  @Test(
    "The answer must list authorization details if they were requested, and only of requested types",
    arguments: [
      (#"[{"type":"pay","amount":1}]"#, true), (#"[{"type":"pay"},{"type":"read"}]"#, true),
      (#"[{"type":"pay"},{"type":"all"}]"#, false), ("[]", false), ("null", false),
      (#"[{"amount":1}]"#, false),
      (#""pay""#, false),
    ])
  func granted(details: String, isRight: Bool) throws {
    var login = try Samples.login(Samples.code())
    let answer = try TokenResponse(
      .json(#"{"access_token":"T","token_type":"Bearer","authorization_details":\#(details)}"#))
    try answer.checkDetails(of: login)
    login.parameters = [Parameter("authorization_details", #"[{"type":"pay"},{"type":"read"}]"#)]
    if isRight {
      try answer.checkDetails(of: login)
    } else {
      expectFailure(.missingToken(["authorization_details"])) { try answer.checkDetails(of: login) }
    }
  }
}
