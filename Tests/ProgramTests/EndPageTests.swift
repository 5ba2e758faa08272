import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("What the browser says at the end", .blocking)
struct EndPageTests {
  @Test("That somebody is signed in, once there is a token")
  func signedIn() throws {
    let browser = try Browser()
    let outcome = try login(browser) { .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("<h1>You are signed in</h1>"), "\(browser.page())")
  }

  @Test("Why there is none, where the provider does not give one for its own answer")
  func refused() throws {
    let browser = try Browser()
    let outcome = try login(browser) {
      .json(#"{"error":"invalid_grant","error_description":"Too <late>"}"#, status: 400)
    }
    #expect(outcome.status == 1, "\(outcome.messages)")
    let page = browser.page()
    #expect(page.contains("<h1>Signing in did not work</h1>"), "\(page)")
    #expect(page.contains("Acme Mail has been told"), "\(page)")
    #expect(page.contains("Too &lt;late&gt;"), "\(page)")
    #expect(!page.contains("code=C") && !page.contains("state="), "\(page)")
  }

  @Test("That the application goes on, where the provider takes its time")
  func slow() throws {
    let browser = try Browser()
    let outcome = try login(browser) {
      for _ in 0..<100 where browser.runs[1] == 0 { usleep(200_000) }
      return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
    }
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("<h1>Almost done</h1>"), "\(browser.page())")
  }

  @Test(
    "That it did not work, where the deadline ends the login after the answer",
    arguments: ["timeout", "signal"])
  func deadline(_ end: String) throws {
    // A page waits for five seconds. On a busy machine the first end may come before the answer.
    for seconds in ["2", "4"] {
      if try ended(end, after: seconds) { return }
    }
    Issue.record("no answer came within 4 s")
  }

  /// Ends a login after so many seconds; false if it had no answer by then.
  private func ended(_ end: String, after seconds: String) throws -> Bool {
    let browser = try Browser()
    let isDeadline = end == "timeout"
    let hasAnswered = Mutex(false)
    let outcome = try login(
      browser, isDeadline ? ["--timeout", seconds] : [],
      wrapper: isDeadline ? [] : ["/usr/bin/timeout", "--preserve-status", "-s", "TERM", seconds]
    ) {
      hasAnswered.withLock { $0 = true }
      for _ in 0..<100 where browser.runs[1] == 0 { usleep(200_000) }
      return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
    }
    guard hasAnswered.withLock({ $0 }) else { return false }
    #expect(outcome.status == (isDeadline ? 4 : 3), "\(outcome.messages)")
    #expect(browser.page().contains("<h1>Signing in did not work</h1>"), "\(browser.page())")
    return true
  }

  private func login(
    _ browser: Browser, _ options: [String] = [], wrapper: [String] = [],
    token: @escaping @Sendable () -> StandInServer.Answer
  ) throws -> Program.Outcome {
    let server = try StandInServer { request, _ in
      if request.path == "/token" { return token() }
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
      return .redirect("\(value("redirect_uri"))?code=C&state=\(value("state"))")
    }
    return try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/auth", "--token-endpoint",
        server.base + "/token",
        "--client-id", "me", "--application", "Acme Mail", "--browser", browser.command,
      ] + options, wrapper: wrapper)
  }
}
