import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The closing page in the browser", .blocking)
struct EndPageTests {
  @Test("A token: the page says that the user is signed in")
  func signedIn() throws {
    let browser = try Browser()
    let outcome = try login(browser) { .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("<h1>You are signed in</h1>"), "\(browser.page())")
  }

  @Test("A refused code: the page says why")
  func refused() throws {
    let browser = try Browser()
    let outcome = try login(browser) {
      .json(#"{"error":"invalid_grant","error_description":"Too <late>"}"#, status: 400)
    }
    #expect(outcome.status == 1, "\(outcome.messages)")
    let page = browser.page()
    #expect(page.contains("<h1>Sign-in failed</h1>"), "\(page)")
    #expect(page.contains("return to Acme Mail"), "\(page)")
    #expect(page.contains("Too &lt;late&gt;"), "\(page)")
    #expect(!page.contains("code=C") && !page.contains("state="), "\(page)")
  }

  @Test("A provider that is down, or that refuses the request: the page gives the reason, and what helps")
  func reasons() throws {
    let browser = try Browser()
    let outcome = try login(browser) { .json("{}", status: 503) }
    #expect(outcome.status != 0)
    let page = browser.page()
    #expect(page.contains("HTTP 503") && page.contains("Try again in a few minutes."), "\(page)")
    let refused = try Browser()
    let server = try StandInServer { request, _ in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
      return .redirect(
        "\(value("redirect_uri"))?error=invalid_scope&error_description=no+such+scope&state=\(value("state"))"
      )
    }
    let refusal = try Tokentry.run(["login"] + server.endpoints() + ["--browser", refused.command])
    #expect(refusal.error == "invalid_scope", "\(refusal.messages)")
    let second = refused.page()
    #expect(
      second.contains("<h1>You are not signed in</h1>") && second.contains("no such scope"), "\(second)")
  }

  @Test("A slow provider: the page says that the application goes on")
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
    "A deadline or a signal after the callback: the page says that it did not work",
    arguments: ["timeout", "signal"])
  func deadline(_ end: String) throws {
    for seconds in [2, 4, 8, 16] {
      if try ended(end, after: seconds) { return }
    }
    Issue.record("no answer came within 16 s")
  }

  /// Ends a login after some seconds. Returns false if the machine was too slow: the callback had not come by then, or the
  /// page had waited for its five seconds. So the provider does not answer before the last two.
  private func ended(_ end: String, after seconds: Int) throws -> Bool {
    let start = ContinuousClock.now
    let browser = try Browser()
    let isDeadline = end == "timeout"
    let hasAnswered = Mutex(false)
    let outcome = try login(
      browser, isDeadline ? ["--timeout", "\(seconds)"] : [],
      wrapper: isDeadline ? [] : ["/usr/bin/timeout", "--preserve-status", "-s", "TERM", "\(seconds)"],
      page: { while .now < start + .seconds(seconds - 2) { usleep(50_000) } }
    ) {
      hasAnswered.withLock { $0 = true }
      for _ in 0..<100 where browser.runs[1] == 0 { usleep(200_000) }
      return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
    }
    guard hasAnswered.withLock({ $0 }) else { return false }
    #expect(outcome.status == (isDeadline ? 4 : 3), "\(outcome.messages)")
    let page = browser.page()
    if page.contains("<h1>Almost done</h1>") { return false }
    #expect(page.contains("<h1>Sign-in failed</h1>"), "\(page)")
    return true
  }

  private func login(
    _ browser: Browser, _ options: [String] = [], wrapper: [String] = [],
    page: @escaping @Sendable () -> Void = {}, token: @escaping @Sendable () -> StandInServer.Answer
  ) throws -> Outcome {
    let server = try StandInServer { request, _ in
      if request.path == "/token" { return token() }
      page()
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
      return .redirect("\(value("redirect_uri"))?code=C&state=\(value("state"))")
    }
    return try Tokentry.run(
      ["login"] + server.endpoints() + ["--application", "Acme Mail", "--browser", browser.command] + options,
      wrapper: wrapper)
  }
}
