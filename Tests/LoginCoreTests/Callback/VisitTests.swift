import Testing

@testable import LoginCore

@Suite("Visit, callbacks")
struct VisitCallbackTests {
  /// The part that was added to the redirect URI, and whether it ends the visit if it comes from the page, from a frame,
  /// or from one of the two.
  struct Row: Sendable {
    let added: String
    let fromPage: Bool
    let fromFrame: Bool
    let fromEither: Bool
    init(_ added: String, _ fromPage: Bool, _ fromFrame: Bool, _ fromEither: Bool) {
      (self.added, self.fromPage, self.fromFrame, self.fromEither) = (added, fromPage, fromFrame, fromEither)
    }
  }

  @Test(
    "A callback of the page ends the visit, and one of a frame must repeat the state",
    arguments: [
      Row("?code=1&state=S", true, true, true), Row("#access_token=T&state=S", true, true, true),
      Row("?code=1&state=other", true, false, false), Row("#access_token=T&state=other", true, false, false),
      Row("?error=access_denied&state=S", true, true, true), Row("?error=access_denied", true, false, true),
      Row("?code=1", true, false, true), Row("", true, false, true), Row("?state=", true, false, true),
      // A repeated state is refused later, when the callback is checked.
      Row("?state=S&state=other", true, true, true),
      // too long to be read
      Row("?state=S&a=" + String(repeating: "a", count: Callback.maximumLength), true, false, true),
      Row("?a=" + String(repeating: "a", count: Callback.maximumLength), true, false, false),
      Row(String(repeating: "?a&", count: Callback.maximumParameters + 1), true, false, false),
    ])
  func frames(_ row: Row) throws {
    #expect(try isAnswered(row.added, state: OAuthState("S"), mainFrame: true) == row.fromPage)
    #expect(try isAnswered(row.added, state: OAuthState("S"), mainFrame: false) == row.fromFrame)
    #expect(try isAnswered(row.added, state: OAuthState("S"), mainFrame: nil) == row.fromEither)
  }

  @Test("Without a state every callback ends the visit", arguments: [true, false, nil])
  func withoutState(_ mainFrame: Bool?) throws {
    #expect(try isAnswered("?code=1&state=other", state: nil, mainFrame: mainFrame))
  }

  @Test(
    "A URI that a browser brought must repeat the state, or contain a known parameter if there is no state",
    arguments: [
      ("?code=1&state=S", true, true), ("?state=S", true, false), ("?code=1", false, true),
      ("", false, false),
      ("?x=1", false, false), ("?code=1&state=other", false, true), ("?error=access_denied", false, true),
    ])
  func brought(added: String, withState: Bool, without: Bool) throws {
    let redirect = "http://127.0.0.1:8080/cb"
    let policy = NavigationPolicy(redirectURI: try RedirectURI(redirect))
    var visit = Visit(url: "https://as.test/", policy: policy, state: OAuthState("S"))
    #expect((visit.callback(brought: redirect + added) != nil) == withState)
    visit = Visit(url: "https://as.test/", policy: policy)
    #expect((visit.callback(brought: redirect + added) != nil) == without)
    visit.isForCaller = true
    #expect(visit.callback(brought: redirect + added) != nil)
    #expect(visit.callback(brought: "http://127.0.0.1:8080/c%62" + added) == nil)
  }

  private func isAnswered(_ added: String, state: OAuthState?, mainFrame: Bool?) throws -> Bool {
    let policy = NavigationPolicy(redirectURI: try RedirectURI("https://app.example/done"))
    let visit = Visit(url: "https://as.example/", policy: policy, state: state)
    guard case .callback(let callback) = policy.decision(for: Array("https://app.example/done\(added)".utf8))
    else {
      Issue.record("\(added) is no callback")
      return false
    }
    return visit.isAnswered(by: callback, mainFrame: mainFrame)
  }
}

@Suite("Visit, pasted text")
struct VisitPasteTests {
  private func pasted(_ text: String, bareCode: Bool = false, state: String? = "S") throws -> String {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.test/done"),
      errorPages: [try ErrorPage("https://as.test/oops")])
    var visit = Visit(url: "https://as.test/auth", policy: policy, state: state.map { OAuthState($0) })
    visit.acceptsBareCode = bareCode
    switch visit.pasted(Array(text.utf8)) {
    case .answer(.callback(let callback)): return try callback.text()
    case .answer(.errorPage(let uri, _)): return "error page \(uri)"
    case .answer(.code(let code)): return "code \(code.revealed())"
    case .nothing: return "nothing"
    case .somethingElse: return "something else"
    case .answerToAnother: return "another's"
    case .codeAlone: return "code alone"
    }
  }

  @Test(
    "A pasted address is an answer if it may belong to this login",
    arguments: [
      ("https://app.test/done?code=C&state=S", "https://app.test/done?code=C&state=S"),
      (" \u{9}https://app.test/done?code=C&state=S\r ", "https://app.test/done?code=C&state=S"),
      ("https://app.test/done#access_token=T&state=S", "https://app.test/done#access_token=T&state=S"),
      ("https://app.test/done?code=C", "https://app.test/done?code=C"),
      ("https://app.test/done?error=access_denied", "https://app.test/done?error=access_denied"),
      ("https://app.test/done?code=C&state=old", "another's"),
      ("https://as.test/oops?err=2", "error page https://as.test/oops?err=2"),
      ("https://app.test/other?code=C&state=S", "something else"),
      ("https://app.test.evil.test/done?code=C&state=S", "something else"),
      ("javascript:alert(1)", "something else"), ("", "nothing"), ("  \r", "nothing"),
    ])
  func address(text: String, expected: String) throws {
    #expect(try pasted(text) == expected)
    #expect(try pasted(text, bareCode: true) == expected)
  }

  @Test(
    "A pasted code is an answer only if PKCE protects it",
    arguments: [
      ("4/P7q7W91a-oMsCeLvIaQm6bTrgtp7", "code 4/P7q7W91a-oMsCeLvIaQm6bTrgtp7"),
      (" abcd1234\r", "code abcd1234"),
      ("abcd123", "something else"), ("two words", "something else"), ("cödé", "something else"),
      ("a\u{1}b", "something else"),
      (String(repeating: "a", count: 8_193), "something else"),
    ])
  func code(text: String, expected: String) throws {
    #expect(try pasted(text, bareCode: true) == expected)
    let refusal = expected.hasPrefix("code ") ? "code alone" : expected
    #expect(try pasted(text) == refusal)
  }
}
