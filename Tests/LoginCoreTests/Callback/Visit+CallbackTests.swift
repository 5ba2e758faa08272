import Testing

@testable import LoginCore

@Suite("Which callbacks end a visit")
struct VisitCallbackTests {
  /// What was added to the redirect URI, and whether it is an answer from the page, from a frame, or from
  /// where nobody knows.
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
    "The page itself is always answered for; a frame has to know the state",
    arguments: [
      Row("?code=1&state=S", true, true, true), Row("#access_token=T&state=S", true, true, true),
      Row("?code=1&state=other", true, false, false), Row("#access_token=T&state=other", true, false, false),
      Row("?error=access_denied&state=S", true, true, true), Row("?error=access_denied", true, false, true),
      Row("?code=1", true, false, true), Row("", true, false, true), Row("?state=", true, false, true),
      // Sent twice it is judged by those who judge the callback.
      Row("?state=S&state=other", true, true, true),
      // Too long to be read.
      Row("?state=S&a=" + String(repeating: "a", count: Callback.maximumLength), true, false, true),
      Row("?a=" + String(repeating: "a", count: Callback.maximumLength), true, false, false),
      Row(String(repeating: "?a&", count: Callback.maximumParameters + 1), true, false, false),
    ])
  func frames(_ row: Row) throws {
    #expect(try isAnswered(row.added, state: State("S"), mainFrame: true) == row.fromPage)
    #expect(try isAnswered(row.added, state: State("S"), mainFrame: false) == row.fromFrame)
    #expect(try isAnswered(row.added, state: State("S"), mainFrame: nil) == row.fromEither)
  }

  @Test("Without a state to compare every callback is an answer", arguments: [true, false, nil])
  func withoutState(_ mainFrame: Bool?) throws {
    #expect(try isAnswered("?code=1&state=other", state: nil, mainFrame: mainFrame))
  }

  @Test(
    "What is brought to this machine is an answer if it repeats the state, or says something where there is none",
    arguments: [
      ("?code=1&state=S", true, true), ("?state=S", true, false), ("?code=1", false, true),
      ("", false, false),
      ("?x=1", false, false), ("?code=1&state=other", false, true), ("?error=access_denied", false, true),
    ])
  func brought(added: String, withState: Bool, without: Bool) throws {
    let redirect = "http://127.0.0.1:8080/cb"
    let policy = NavigationPolicy(redirectURI: try RedirectURI(redirect))
    var visit = Visit(url: "https://as.test/", policy: policy, state: State("S"))
    #expect((visit.callback(brought: redirect + added) != nil) == withState)
    visit = Visit(url: "https://as.test/", policy: policy)
    #expect((visit.callback(brought: redirect + added) != nil) == without)
    visit.isForCaller = true
    #expect(visit.callback(brought: redirect + added) != nil)
    #expect(visit.callback(brought: "http://127.0.0.1:8080/c%62" + added) == nil)
  }

  private func isAnswered(_ added: String, state: State?, mainFrame: Bool?) throws -> Bool {
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
