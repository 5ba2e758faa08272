import Testing

@testable import LoginCore

/// In which part of a callback an answer is looked for.
@Suite("AuthorizationResponse+Channel")
struct AuthorizationResponseChannelTests {
  /// The sample's state as it comes back.
  private static let state = "state=S-_.~%201"

  private func implicit(_ tail: String) throws -> AuthorizationResponse {
    try Samples.response("https://oauth.vk.com/blank.html\(tail)", to: Samples.login(Samples.vk()))
  }

  private func code(_ tail: String, responseMode: ResponseMode? = nil, responseType: String = "code") throws
    -> AuthorizationResponse
  {
    var login = try Samples.login(Samples.code(), responseType: responseType)
    login.responseMode = responseMode
    return try Samples.response("https://app.test/cb\(tail)", to: login)
  }

  // RFC 6749 sections 4.1.2 and 4.2.2.
  @Test("a code is read from the query, a token from the fragment")
  func ownChannel() throws {
    #expect(try code("?code=A&\(Self.state)").parameters["code"] == "A")
    #expect(try implicit("#access_token=T&\(Self.state)").parameters["access_token"] == "T")
  }

  @Test(
    "a token in the query is never read",
    arguments: ["?access_token=EVIL&\(state)", "?access_token=EVIL&\(state)#", "?access_token=EVIL#foo"])
  func tokenInQuery(tail: String) throws {
    #expect(throws: Failure.untrusted(.stateMissing)) { try implicit(tail) }
  }

  @Test("nothing of the other channel is mixed into the answer")
  func noMixing() throws {
    let token = try implicit("?access_token=EVIL&user_id=2&error=access_denied#\(Self.state)&expires_in=0")
    #expect(token.parameters["access_token"] == nil)
    #expect(token.parameters["user_id"] == nil)
    let answer = try code("?\(Self.state)#code=EVIL&error=access_denied")
    #expect(answer.parameters["code"] == nil)
  }

  @Test("a code in the fragment of a code request is never read")
  func codeInFragment() throws {
    #expect(throws: Failure.untrusted(.stateMissing)) { try code("#code=EVIL&\(Self.state)") }
  }

  @Test("an error may come in the other channel if the own one is empty", arguments: ["", "#"])
  func errorElsewhere(mark: String) throws {
    expectProviderError("access_denied") { _ = try implicit("?error=access_denied&\(Self.state)\(mark)") }
    expectProviderError("access_denied") { _ = try implicit("?error=access_denied\(mark)") }
    expectProviderError("server_error") { _ = try code("?#error=server_error&\(Self.state)") }
  }

  @Test(
    "an error in the other channel is judged like one in the own",
    arguments: [
      ("?error=access_denied&state=wrong", .untrusted(.stateMismatch)),
      ("?error=x&error=y", .untrusted(.duplicateParameter("error"))),
      ("?error=x&a&a", .untrusted(.duplicateParameter("a"))), ("?error=&\(state)", .untrusted(.stateMissing)),
      ("?error=access_denied&access_token=EVIL&\(state)", .provider(ProviderError(code: "access_denied"))),
    ] as [(String, Failure)])
  func errorElsewhereIsJudged(tail: String, failure: Failure) throws {
    #expect(throws: failure) { try implicit(tail) }
  }

  @Test("an error in the other channel that is no text is malformed")
  func errorElsewhereIsText() throws {
    expectMalformed(.notText("error")) { _ = try implicit("?error=%00") }
  }

  @Test("an error in the other channel does not count beside an answer in the own")
  func errorBesideAnswer() throws {
    #expect(
      try implicit("?error=access_denied#access_token=T&\(Self.state)").parameters["access_token"] == "T")
    #expect(try code("?code=A&\(Self.state)#error=access_denied").parameters["code"] == "A")
  }

  @Test(
    "a fragment that some providers append to a query does no harm",
    arguments: ["#_=_", "#", "#_", "#access_token=x"])
  func appendedFragment(mark: String) throws {
    let response = try code("?code=A&\(Self.state)\(mark)")
    #expect(response.parameters.parameters.map(\.name) == ["code", "state"])
    expectProviderError("access_denied") { _ = try code("?error=access_denied&\(Self.state)\(mark)") }
  }

  @Test("an error in the query of an implicit request is found behind such a fragment, too")
  func errorBeforeAppendedFragment() throws {
    expectProviderError("access_denied") { _ = try implicit("?error=access_denied&\(Self.state)#_=_") }
    expectProviderError("access_denied") { _ = try implicit("?error=access_denied#/login?next=x") }
  }

  // OAuth 2.0 Multiple Response Types section 5, and providers that answer in the query all the same.
  @Test("a hybrid answer comes in the fragment unless a response mode is named")
  func hybrid() throws {
    #expect(try code("#code=A&\(Self.state)", responseType: "code id_token").parameters["code"] == "A")
    #expect(throws: Failure.untrusted(.stateMissing)) {
      try code("?code=A&\(Self.state)", responseType: "code id_token")
    }
    let response = try code("?code=A&\(Self.state)", responseMode: .query, responseType: "code id_token")
    #expect(response.parameters["code"] == "A")
  }

  @Test("a code comes in the fragment if that is the mode")
  func fragmentMode() throws {
    #expect(try code("#code=A&\(Self.state)", responseMode: .fragment).parameters["code"] == "A")
    #expect(throws: Failure.untrusted(.stateMissing)) {
      try code("?code=A&\(Self.state)", responseMode: .fragment)
    }
  }
}
