import Testing

@testable import LoginCore

/// The answer to the question who signed in.
@Suite("UserinfoResponse")
struct UserinfoResponseTests {
  private func answer(
    _ body: String, status: Int = 200, _ headers: [Parameter] = [], subject: String? = "ann"
  ) throws -> UserinfoResponse {
    try UserinfoResponse(
      HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), subject: subject)
  }

  @Test("claims about the user of the id_token pass unchanged, and say that they were compared")
  func sameUser() throws {
    let answer = try answer(#"{"sub":"ann","n":1.50,"checks":"evil","a":[null]}"#)
    #expect(answer.json.text == #"{"sub":"ann","n":1.50,"checks":{"sub":"verified"},"a":[null]}"#)
    #expect("\(answer)" == "[redacted]")
  }

  // OpenID Connect Core section 5.3.2.
  @Test(
    "claims about anybody else are refused",
    arguments: [
      #"{"sub":"eve"}"#, #"{"sub":"ann "}"#, #"{"sub":"Ann"}"#, #"{"sub":1}"#, #"{"sub":["ann"]}"#, "{}",
      #"{"sub":""}"#,
    ])
  func otherUser(body: String) {
    #expect(throws: Failure.untrusted(.subjectMismatch)) { try answer(body) }
  }

  @Test("subjects are compared byte by byte")
  func normalisation() {
    #expect(throws: Failure.untrusted(.subjectMismatch)) {
      try answer(#"{"sub":"e\u0301"}"#, subject: "\u{E9}")
    }
  }

  @Test("where no id_token said who it is, nothing is compared and nothing claimed")
  func unknownUser() throws {
    #expect(try answer(#"{"user":{"id":1}}"#, subject: nil).json.text == #"{"user":{"id":1}}"#)
    #expect(try answer(#"{"sub":"ann","checks":1}"#, subject: nil).json.text == #"{"sub":"ann"}"#)
  }

  // RFC 6750 section 3.
  @Test(
    "a refusal is the provider's, wherever it says so",
    arguments: [
      ("", 401, #"Bearer realm="x", error="invalid_token", error_description="It has \"expired\"""#),
      (#"{"error":"invalid_token","error_description":"It has \"expired\""}"#, 401, ""),
      (#"{"error":"invalid_token","error_description":"It has \"expired\""}"#, 200, "Basic"),
    ])
  func refusal(body: String, status: Int, challenge: String) {
    let error = ProviderError(code: "invalid_token", description: #"It has "expired""#)
    #expect(throws: Failure.provider(error)) {
      try answer(body, status: status, [Parameter("WWW-Authenticate", challenge)])
    }
  }

  @Test(
    "what is no answer of OAuth is refused",
    arguments: [
      ("", 401, .status(401, from: .userinfo)), ("<h1>", 404, .status(404, from: .userinfo)),
      ("{}", 500, .status(500, from: .userinfo)),
      ("", 200, .notJSON(.unexpectedEnd, status: 200, from: .userinfo)),
      ("[]", 200, .notJSON(.notAnObject, status: 200, from: .userinfo)),
      (#"{"sub":"ann","sub":"eve"}"#, 200, .notJSON(.repeatedName("sub"), status: 200, from: .userinfo)),
      ("", 302, .redirect(from: .userinfo)), (#"{"sub":"ann"}"#, 307, .redirect(from: .userinfo)),
    ] as [(String, Int, ResponseFault)])
  func noAnswer(body: String, status: Int, fault: ResponseFault) {
    expectBadResponse(fault) { _ = try answer(body, status: status) }
  }

  @Test("a signed or encrypted answer is refused: no client registered for one")
  func jwt() {
    expectBadResponse(.signedUserinfo) {
      _ = try answer("e30.e30.", [Parameter("content-type", "application/jwt; charset=x")])
    }
  }
}
