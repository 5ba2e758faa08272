import Testing

@testable import LoginCore

@Suite("AuthorizationResponse")
struct AuthorizationResponseTests {
  /// The sample's state, encoded.
  private static let state = "state=S-_.~%201"

  private static let otherIssuer = Failure(
    .issuerMismatch, "the callback comes from a different authorization server")

  /// A request to VK with a known issuer and two required callback parameters.
  private func login() throws -> LoginRequest {
    var provider = try Samples.vk()
    provider.issuer = try Issuer("https://as.test")
    provider.callbackParameters = ["device_id", "type"]
    return try Samples.login(provider)
  }

  private func response(_ tail: String, to login: LoginRequest? = nil) throws -> AuthorizationResponse {
    try Samples.response("https://oauth.vk.com/blank.html\(tail)", to: login ?? self.login())
  }

  @Test("A response lists the checks that it has passed")
  func checks() throws {
    let tail = "#device_id=D&type=t&access_token=T&\(Self.state)&iss=https%3A%2F%2Fas.test"
    let response = try response(tail)
    #expect(response.checks.redirect == .exact)
    #expect(response.checks.state)
    #expect(response.checks.issuer)
    #expect(response.parameters["access_token"] == "T")
    let alias = try Samples.response("https://oauth.vk.ru/blank.html\(tail)", to: login())
    #expect(alias.checks.redirect == .alias)
  }

  // RFC 6749 section 4.2.2: unknown parameters are ignored.
  @Test("Unknown parameters are ignored")
  func unknownParameters() throws {
    #expect(throws: Never.self) { try response("#foo=1&device_id=D&\(Self.state)&bar&type=t&baz=%FF%00") }
  }

  @Test(
    "The checks run in their order",
    arguments: [
      ("#a=1&a=2&iss=https://evil.test&state=wrong&error=access_denied", .duplicateParameter("a")),
      ("#iss=https://evil.test&state=wrong&error=access_denied", otherIssuer),
      ("#iss=https://evil.test&error=access_denied", otherIssuer),
      ("#state=wrong&error=access_denied", .stateMismatch),
      ("#state=wrong&error=%00", .stateMismatch),
      ("#state=wrong", .stateMismatch), ("#access_token=T", .stateMissing),
      ("#\(state)&error=access_denied", .refusal(code: "access_denied")),
      ("", .stateMissing),
    ] as [(String, Failure)])
  func order(tail: String, failure: Failure) throws {
    #expect(throws: failure) { try response(tail) }
  }

  @Test("The limits are checked first")
  func limits() throws {
    let many = "#a=1&a=2&iss=https://evil.test&state=wrong" + String(repeating: "&b=1", count: 253)
    expectMalformed("it has more than 256 parameters") { _ = try response(many) }
    expectMalformed("it is longer than 256 KiB") {
      _ = try response("#a=1&a=2&b=" + String(repeating: "x", count: 262_144))
    }
  }

  // RFC 6749 section 3.1.
  @Test(
    "A repeated parameter is refused, used or not",
    arguments: [
      ("#access_token=A&access_token=B&\(state)", "access_token"), ("#\(state)&\(state)", "state"),
      ("#\(state)&st%61te=x", "state"),
      ("#state=&\(state)", "state"), ("#foo=1&foo=2&\(state)", "foo"), ("#foo&foo", "foo"),
      ("#error=a&error=b", "error"),
      ("#iss=https://as.test&iss=https://as.test&\(state)", "iss"),
      ("?iss=https://as.test&iss=https://as.test#\(state)", "iss"),
      ("?error=access_denied&error=x", "error"), ("?error=access_denied&foo&foo", "foo"),
    ])
  func duplicates(tail: String, name: String) throws {
    #expect(throws: Failure.duplicateParameter(name)) { try response(tail) }
  }

  // RFC 6749 section 10.12.
  @Test(
    "Another state belongs to another request",
    arguments: [
      "x", "S-_.~ 1 ", "s-_.~ 1", "S-_.~ 1%00", "%00", "S-_.~ 11", "S-_.~ ", "S-_.~%25201", "S-_.~%2B1",
      "S-_.~ %EF%BC%91", "S-_.~ 1%CC%81", "%FF",
    ])
  func wrongState(value: String) throws {
    #expect(throws: Failure.stateMismatch) { try response("#device_id=D&type=t&state=\(value)") }
  }

  @Test("The state is compared decoded", arguments: ["S-_.~%201", "S-_.~+1", "S-_.~ 1", "%53-_.~%201"])
  func rightState(value: String) throws {
    #expect(try response("#device_id=D&type=t&state=\(value)").checks.state)
  }

  @Test(
    "A callback without a state is refused",
    arguments: [
      "", "#", "?", "#access_token=T", "#access_token=T&state=", "#access_token=T&state",
      "?\(state)#access_token=T", "#State=S-_.~%201", "?\(state)", "#error=&access_token=T",
    ])
  func missingState(tail: String) throws {
    #expect(throws: Failure.stateMissing) { try response(tail) }
  }

  @Test("A request without a state does not check one", arguments: ["", "&state=x", "&state="])
  func omittedState(tail: String) throws {
    var login = try Samples.login(Samples.code())
    login.omitsState = true
    let response = try Samples.response("https://app.test/cb?code=A\(tail)", to: login)
    #expect(!response.checks.state)
    #expect(response.parameters["code"] == "A")
  }

  @Test(
    "A denial is the provider's refusal, with or without a state",
    arguments: [
      "#error=access_denied", "#error=access_denied&state=", "#error=access_denied&\(state)",
      "#error=access_denied&\(state)&iss=https://as.test",
    ])
  func denial(tail: String) throws {
    expectRefusal("access_denied") { _ = try response(tail) }
  }

  // RFC 6749 section 4.2.2.1.
  @Test("An error comes with the provider's description and page")
  func errorMembers() throws {
    let tail =
      "#error=access_denied&error_description=The+user+or+authorization+server+denied+the+request."
      + "&error_uri=https%3A%2F%2Fas.test%2Fe&\(Self.state)"
    let refusal = Failure.refusal(
      code: "access_denied", description: "The user or authorization server denied the request.",
      uri: "https://as.test/e")
    #expect(throws: refusal) { try response(tail) }
  }

  @Test("An error beside a token is an error")
  func errorAndToken() throws {
    expectRefusal("access_denied") {
      _ = try response(
        "#access_token=T&device_id=D&type=t&token_type=bearer&error=access_denied&\(Self.state)")
    }
  }

  @Test("An empty error is ignored")
  func emptyError() throws {
    #expect(throws: Never.self) { try response("#error=&device_id=D&type=t&\(Self.state)") }
  }

  @Test(
    "An error code that is not text is malformed",
    arguments: ["%00", "a%0Ab", "%1B[31m", "%FF", "%C2%85", "a%7F", "%ED%A0%80", "%EF%BF%BD"])
  func errorIsNoText(code: String) throws {
    expectMalformed("error is not text") { _ = try response("#error=\(code)&\(Self.state)") }
    expectMalformed("error is not text") { _ = try response("#error=\(code)") }
  }

  @Test("A description may contain anything and is passed on as it came")
  func descriptionIsNoText() throws {
    #expect(throws: Failure.refusal(code: "x", description: "\u{1B}[2J\u{FFFD}\u{0}\n")) {
      try response("#error=x&error_description=%1B[2J%FF%00%0A&\(Self.state)")
    }
  }

  @Test(
    "The page of an error is left out if it is not text", arguments: ["%FF%09", "a%00", "%1B"])
  func errorURIIsNoText(uri: String) throws {
    #expect(throws: Failure.refusal(code: "x")) {
      try response("#error=x&error_uri=\(uri)&\(Self.state)")
    }
  }

  @Test(
    "All missing callback parameters are named at once",
    arguments: [
      ("", ["device_id", "type"]), ("&device_id=D", ["type"]), ("&type=t", ["device_id"]),
      ("&device_id=&type=t", ["device_id"]),
      ("&Device_id=D&type=t", ["device_id"]),
    ])
  func callbackParameters(tail: String, missing: [String]) throws {
    expectMalformed("it lacks \(missing.verbatim.list)", missing: missing) {
      _ = try response("#\(Self.state)\(tail)")
    }
  }

  @Test("Callback parameters count only in the answer's own channel")
  func callbackParametersElsewhere() throws {
    expectMalformed("it lacks device_id, type", missing: ["device_id", "type"]) {
      _ = try response("?device_id=D&type=t#\(Self.state)")
    }
  }

  @Test(
    "Callback parameters must be text", arguments: ["%00", "%0D%0A", "%FF", "a%C2%9Bb"])
  func callbackParametersText(value: String) throws {
    expectMalformed("device_id is not text") { _ = try response("#\(Self.state)&device_id=\(value)&type=t") }
  }

  @Test("An error page is the provider's refusal")
  func errorPage() throws {
    let request = try AuthorizationRequest(login(), cryptography: FakeCryptography())
    let uri = "https://oauth.vk.com/error?err=2"
    let body = "{\"error\":\"invalid_request\",\"error_description\":\"Security Error\"}"
    #expect(throws: Failure.refusal(code: "invalid_request", description: "Security Error", page: uri)) {
      try AuthorizationResponse(.errorPage(uri: uri, body: Array(body.utf8)), to: request)
    }
  }

  @Test("A pasted code passes no checks of a callback, and is refused without PKCE")
  func pastedCode() throws {
    var login = try Samples.login(Samples.code())
    var request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    let response = try AuthorizationResponse(.code(AuthorizationCode("C")), to: request)
    #expect(try response.code() == AuthorizationCode("C"))
    #expect(response.checks == Checks())
    login.provider.pkce = .none
    request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    expectMalformed("it is only a code") {
      _ = try AuthorizationResponse(.code(AuthorizationCode("C")), to: request)
    }
  }
}
