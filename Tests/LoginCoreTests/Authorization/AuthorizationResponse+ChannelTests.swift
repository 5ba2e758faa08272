import Testing

@testable import LoginCore

@Suite("AuthorizationResponse, channels")
struct AuthorizationResponseChannelTests {
  /// The sample's state, encoded.
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
  @Test("A code is read from the query, a token from the fragment")
  func ownChannel() throws {
    #expect(try code("?code=A&\(Self.state)").parameters["code"] == "A")
    #expect(try implicit("#access_token=T&\(Self.state)").parameters["access_token"] == "T")
  }

  @Test(
    "A token in the query is not read",
    arguments: ["?access_token=EVIL&\(state)", "?access_token=EVIL&\(state)#", "?access_token=EVIL#foo"])
  func tokenInQuery(tail: String) throws {
    #expect(throws: Failure.stateMissing) { try implicit(tail) }
  }

  @Test("Parameters of the other channel are not mixed into the answer")
  func noMixing() throws {
    let token = try implicit("?access_token=EVIL&user_id=2&error=access_denied#\(Self.state)&expires_in=0")
    #expect(token.parameters["access_token"] == nil)
    #expect(token.parameters["user_id"] == nil)
    let answer = try code("?\(Self.state)#code=EVIL&error=access_denied")
    #expect(answer.parameters["code"] == nil)
  }

  @Test("A code in the fragment of a code request is not read")
  func codeInFragment() throws {
    #expect(throws: Failure.stateMissing) { try code("#code=EVIL&\(Self.state)") }
  }

  @Test("An error may come in the other channel if the own channel is empty", arguments: ["", "#"])
  func errorElsewhere(mark: String) throws {
    expectRefusal("access_denied") { _ = try implicit("?error=access_denied&\(Self.state)\(mark)") }
    expectRefusal("access_denied") { _ = try implicit("?error=access_denied\(mark)") }
    expectRefusal("server_error") { _ = try code("?#error=server_error&\(Self.state)") }
  }

  @Test(
    "An error in the other channel is checked like one in the own channel",
    arguments: [
      ("?error=access_denied&state=wrong", .stateMismatch),
      ("?error=x&error=y", .duplicateParameter("error")), ("?error=x&a&a", .duplicateParameter("a")),
      ("?error=&\(state)", .stateMissing),
      ("?error=access_denied&access_token=EVIL&\(state)", .refusal(code: "access_denied")),
    ] as [(String, Failure)])
  func errorElsewhereIsJudged(tail: String, failure: Failure) throws {
    #expect(throws: failure) { try implicit(tail) }
  }

  @Test("An error in the other channel that is not text is malformed")
  func errorElsewhereIsText() throws {
    expectMalformed("error is not text") { _ = try implicit("?error=%00") }
  }

  @Test("An error in the other channel is ignored beside an answer in the own channel")
  func errorBesideAnswer() throws {
    #expect(
      try implicit("?error=access_denied#access_token=T&\(Self.state)").parameters["access_token"] == "T")
    #expect(try code("?code=A&\(Self.state)#error=access_denied").parameters["code"] == "A")
  }

  @Test(
    "A fragment that some providers append to a query does no harm",
    arguments: ["#_=_", "#", "#_", "#access_token=x"])
  func appendedFragment(mark: String) throws {
    let response = try code("?code=A&\(Self.state)\(mark)")
    #expect(response.parameters.parameters.map(\.name) == ["code", "state"])
    expectRefusal("access_denied") { _ = try code("?error=access_denied&\(Self.state)\(mark)") }
  }

  @Test("An error in the query is found even if such a fragment follows")
  func errorBeforeAppendedFragment() throws {
    expectRefusal("access_denied") { _ = try implicit("?error=access_denied&\(Self.state)#_=_") }
    expectRefusal("access_denied") { _ = try implicit("?error=access_denied#/login?next=x") }
  }

  // OAuth 2.0 Multiple Response Types section 5, and providers that answer in the query all the same.
  @Test("A hybrid answer comes in the fragment unless a response mode is named")
  func hybrid() throws {
    #expect(try code("#code=A&\(Self.state)", responseType: "code id_token").parameters["code"] == "A")
    #expect(throws: Failure.stateMissing) {
      try code("?code=A&\(Self.state)", responseType: "code id_token")
    }
    let response = try code("?code=A&\(Self.state)", responseMode: .query, responseType: "code id_token")
    #expect(response.parameters["code"] == "A")
  }

  @Test("The hint of an error in the wrong part of a hybrid callback says so")
  func misplacedError() throws {
    for (tail, mode, isMisplaced) in [
      ("?error=server_error&\(Self.state)", nil, true), ("#error=server_error&\(Self.state)", nil, false),
      ("?error=server_error&\(Self.state)", .query, false),
      ("#error=server_error&\(Self.state)", .query, true),
    ] as [(String, ResponseMode?, Bool)] {
      let failure = #expect(throws: Failure.self) {
        try code(tail, responseMode: mode, responseType: "code id_token")
      }
      #expect(failure?.code == .provider("server_error"))
      #expect(
        failure?.hint?.text?.description.contains("although the answer belongs in") ?? false == isMisplaced,
        "\(tail)")
    }
  }

  @Test("A code comes in the fragment if that is the response mode")
  func fragmentMode() throws {
    #expect(try code("#code=A&\(Self.state)", responseMode: .fragment).parameters["code"] == "A")
    #expect(throws: Failure.stateMissing) {
      try code("?code=A&\(Self.state)", responseMode: .fragment)
    }
  }
}
