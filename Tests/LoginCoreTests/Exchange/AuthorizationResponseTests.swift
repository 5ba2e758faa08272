import Testing

@testable import LoginCore

/// Which callbacks answer a request: in the order limits, duplicates, `iss`, `state`, `error`, content.
@Suite("AuthorizationResponse")
struct AuthorizationResponseTests {
  /// The sample's state as it comes back.
  private static let state = "state=S-_.~%201"

  /// A request to VK of which the issuer is known, and two parameters that every callback carries.
  private func login() throws -> LoginRequest {
    var provider = try Samples.vk()
    provider.issuer = try Issuer("https://as.test")
    provider.callbackParameters = ["device_id", "type"]
    return try Samples.login(provider)
  }

  private func response(_ tail: String, to login: LoginRequest? = nil) throws -> AuthorizationResponse {
    try Samples.response("https://oauth.vk.com/blank.html\(tail)", to: login ?? self.login())
  }

  @Test("an answer is held to have been verified as far as it was")
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
  @Test("unknown parameters do no harm")
  func unknownParameters() throws {
    #expect(throws: Never.self) { try response("#foo=1&device_id=D&\(Self.state)&bar&type=t&baz=%FF%00") }
  }

  @Test(
    "the checks come in the order of the contract",
    arguments: [
      (
        "#a=1&a=2&iss=https://evil.test&state=wrong&error=access_denied", .untrusted(.duplicateParameter("a"))
      ),
      ("#iss=https://evil.test&state=wrong&error=access_denied", .untrusted(.issuerMismatch)),
      ("#iss=https://evil.test&error=access_denied", .untrusted(.issuerMismatch)),
      ("#state=wrong&error=access_denied", .untrusted(.stateMismatch)),
      ("#state=wrong&error=%00", .untrusted(.stateMismatch)),
      ("#state=wrong", .untrusted(.stateMismatch)), ("#access_token=T", .untrusted(.stateMissing)),
      ("#\(state)&error=access_denied", .provider(ProviderError(code: "access_denied"))),
      ("", .untrusted(.stateMissing)),
    ] as [(String, Failure)])
  func order(tail: String, failure: Failure) throws {
    #expect(throws: failure) { try response(tail) }
  }

  @Test("limits come before everything else")
  func limits() throws {
    let many = "#a=1&a=2&iss=https://evil.test&state=wrong" + String(repeating: "&b=1", count: 253)
    expectMalformed(.tooManyParameters) { _ = try response(many) }
    expectMalformed(.tooLong) { _ = try response("#a=1&a=2&b=" + String(repeating: "x", count: 262_144)) }
  }

  // RFC 6749 section 3.1.
  @Test(
    "a parameter given twice is an error, whether it is used or not",
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
    #expect(throws: Failure.untrusted(.duplicateParameter(name))) { try response(tail) }
  }

  // RFC 6749 section 10.12.
  @Test(
    "another state is the state of another request",
    arguments: [
      "x", "S-_.~ 1 ", "s-_.~ 1", "S-_.~ 1%00", "%00", "S-_.~ 11", "S-_.~ ", "S-_.~%25201", "S-_.~%2B1",
      "S-_.~ %EF%BC%91", "S-_.~ 1%CC%81", "%FF",
    ])
  func wrongState(value: String) throws {
    #expect(throws: Failure.untrusted(.stateMismatch)) { try response("#device_id=D&type=t&state=\(value)") }
  }

  @Test("the state is compared decoded", arguments: ["S-_.~%201", "S-_.~+1", "S-_.~ 1", "%53-_.~%201"])
  func rightState(value: String) throws {
    #expect(try response("#device_id=D&type=t&state=\(value)").checks.state)
  }

  @Test(
    "without a state a callback answers no request",
    arguments: [
      "", "#", "?", "#access_token=T", "#access_token=T&state=", "#access_token=T&state",
      "?\(state)#access_token=T", "#State=S-_.~%201", "?\(state)", "#error=&access_token=T",
    ])
  func missingState(tail: String) throws {
    #expect(throws: Failure.untrusted(.stateMissing)) { try response(tail) }
  }

  @Test("a request without a state neither compares nor claims one", arguments: ["", "&state=x", "&state="])
  func omittedState(tail: String) throws {
    var login = try Samples.login(Samples.code())
    login.omitsState = true
    let response = try Samples.response("https://app.test/cb?code=A\(tail)", to: login)
    #expect(!response.checks.state)
    #expect(response.parameters["code"] == "A")
  }

  @Test(
    "a denial is the provider's error, with a state or without",
    arguments: [
      "#error=access_denied", "#error=access_denied&state=", "#error=access_denied&\(state)",
      "#error=access_denied&\(state)&iss=https://as.test",
    ])
  func denial(tail: String) throws {
    expectProviderError("access_denied") { _ = try response(tail) }
  }

  // RFC 6749 section 4.2.2.1.
  @Test("an error comes with what the provider says about it")
  func errorMembers() throws {
    let tail =
      "#error=access_denied&error_description=The+user+or+authorization+server+denied+the+request."
      + "&error_uri=https%3A%2F%2Fas.test%2Fe&\(Self.state)"
    let error = ProviderError(
      code: "access_denied", description: "The user or authorization server denied the request.",
      uri: "https://as.test/e")
    #expect(throws: Failure.provider(error)) { try response(tail) }
  }

  @Test("an error beside a token is an error")
  func errorAndToken() throws {
    expectProviderError("access_denied") {
      _ = try response(
        "#access_token=T&device_id=D&type=t&token_type=bearer&error=access_denied&\(Self.state)")
    }
  }

  @Test("an empty error is none")
  func emptyError() throws {
    #expect(throws: Never.self) { try response("#error=&device_id=D&type=t&\(Self.state)") }
  }

  @Test(
    "a code of an error that is no text is malformed",
    arguments: ["%00", "a%0Ab", "%1B[31m", "%FF", "%C2%85", "a%7F", "%ED%A0%80", "%EF%BF%BD"])
  func errorIsNoText(code: String) throws {
    expectMalformed(.notText("error")) { _ = try response("#error=\(code)&\(Self.state)") }
    expectMalformed(.notText("error")) { _ = try response("#error=\(code)") }
  }

  @Test("descriptions may contain anything, and are passed on as they came")
  func descriptionIsNoText() throws {
    let error = ProviderError(code: "x", description: "\u{1B}[2J\u{FFFD}\u{0}\n")
    #expect(throws: Failure.provider(error)) {
      try response("#error=x&error_description=%1B[2J%FF%00%0A&\(Self.state)")
    }
  }

  @Test(
    "an address of a page about the error that is no text is left out", arguments: ["%FF%09", "a%00", "%1B"])
  func errorURIIsNoText(uri: String) throws {
    #expect(throws: Failure.provider(ProviderError(code: "x"))) {
      try response("#error=x&error_uri=\(uri)&\(Self.state)")
    }
  }

  @Test(
    "parameters that every callback carries are missed all at once",
    arguments: [
      ("", ["device_id", "type"]), ("&device_id=D", ["type"]), ("&type=t", ["device_id"]),
      ("&device_id=&type=t", ["device_id"]),
      ("&Device_id=D&type=t", ["device_id"]),
    ])
  func callbackParameters(tail: String, missing: [String]) throws {
    expectMalformed(.missing(missing)) { _ = try response("#\(Self.state)\(tail)") }
  }

  @Test("parameters that every callback carries are looked for in the answer's own channel")
  func callbackParametersElsewhere() throws {
    expectMalformed(.missing(["device_id", "type"])) { _ = try response("?device_id=D&type=t#\(Self.state)") }
  }

  @Test(
    "parameters that every callback carries have to be text", arguments: ["%00", "%0D%0A", "%FF", "a%C2%9Bb"])
  func callbackParametersText(value: String) throws {
    expectMalformed(.notText("device_id")) { _ = try response("#\(Self.state)&device_id=\(value)&type=t") }
  }

  @Test("an error page of the provider is the provider's error")
  func errorPage() throws {
    let request = try AuthorizationRequest(login(), cryptography: FakeCryptography())
    let uri = "https://oauth.vk.com/error?err=2"
    // The body that VK shows there.
    let body = "{\"error\":\"invalid_request\",\"error_description\":\"Security Error\"}"
    let error = ProviderError(code: "invalid_request", description: "Security Error", page: uri)
    #expect(throws: Failure.provider(error)) {
      try AuthorizationResponse(.errorPage(uri: uri, body: Array(body.utf8)), to: request)
    }
  }
}
