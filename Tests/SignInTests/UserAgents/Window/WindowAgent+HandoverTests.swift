import GLibSupport
import LoginCore
import SignIn
import TestSupport
import Testing

/// The user changes over from the window to the browser. Shell scripts replace the window's program.
@Suite("WindowAgent, change to the browser")
struct WindowAgentHandoverTests {
  @Test("The browser opens the same visit, and its answer ends the window")
  func handover() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'
      read -r ask && echo "$ask" >asked
      read -r answer && echo "$answer" >accepted
      """, onward: FakeBrowser(uri: "https://app.example/done?code=BROWSER&state=S"))
    #expect(try run.callback == "https://app.example/done?code=BROWSER&state=S")
    #expect(run.file("opened").contains("\"ways\":[\"browser\"]"))
    #expect(run.file("asked").contains(#""id":"here""#) && !run.file("asked").contains(#""id":"browser""#))
    #expect(run.file("accepted") == "{\"accept\":true}")
    #expect(run.notices == ["left"])
  }

  @Test("The user may paste the answer into the window, which asks again after a wrong text")
  func pasted() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; read -r ask
      echo '{"answered":{"button":"continue","text":"nonsense and more"}}'; read -r ask; echo "$ask" >asked
      echo '{"answered":{"button":"continue","text":" "}}'; read -r ask
      echo '{"answered":{"button":"continue","text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: FakeBrowser(uri: nil))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("asked").contains("That isn't the right address."))
  }

  @Test("While the browser is open, a window that fails does not end the login, but one that is closed does")
  func handoverEnds() async throws {
    let failed = try await WindowVisit(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; exit 1",
      onward: FakeBrowser(uri: "https://app.example/done?code=1&state=S", after: .milliseconds(300)))
    #expect(try failed.callback == "https://app.example/done?code=1&state=S")
    let closed = try await WindowVisit(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; echo '{\"closed\":{\"by\":\"user\"}}'",
      onward: FakeBrowser(uri: nil))
    #expect(closed.code == "cancelled")
  }

  @Test("Cancelling the visit also ends the wait for the browser after the window has ended")
  func cancellation() async throws {
    let folder = try WindowScript()
    try folder.write("echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; echo $$ >ended; exit 1")
    let agent = WindowAgent(
      candidates: [folder.program], hasDisplay: true, onward: FakeBrowser(uri: nil))
    let visit = try WindowVisit.visit()
    await onMainLoop {
      let task = GLibActor.task { _ = try? await agent.visit(visit) }
      for _ in 0..<3_000 where folder.file("ended").isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
      // The agent needs time to notice that the window has ended.
      try? await Task.sleep(for: .milliseconds(300))
      task.cancel()
      await task.value
      await agent.dismiss()
    }
  }

  @Test("If no browser can be opened, the window keeps its page until the user goes on elsewhere")
  func unopened() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; read -r told; echo "$told" >told
      echo '{"switch":{"to":"paste"}}'; read -r ask; echo "$ask" >asked
      echo '{"answered":{"button":"continue","text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: FakeBrowser(uri: nil, opens: [false]))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("told") == "{\"unopened\":true}")
    #expect(run.file("asked").contains("Couldn't open a browser."))
    #expect(run.notices == ["left"])
  }

  @Test("If no browser could be opened, a window that dies is started again")
  func failsUnopened() async throws {
    let run = try await WindowVisit(
      """
      if [ -e told ]; then
        echo '{"callback":{"uri":"https://app.example/done?code=2&state=S","main_frame":true}}'; exec sleep 60
      fi
      echo '{"switch":{"to":"browser"}}'; read -r told; echo "$told" >told; exit 1
      """, onward: FakeBrowser(uri: nil, opens: [false]))
    #expect(try run.callback == "https://app.example/done?code=2&state=S")
  }

  @Test("Pressing the button twice opens one page")
  func twice() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; echo '{"switch":{"to":"browser"}}'; read -r ask
      echo '{"answered":{"button":"continue","text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: FakeBrowser(uri: nil, opensAfter: .milliseconds(300)))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
  }

  @Test("If the browser turns out not to have opened, the question says so")
  func opensNotAfterAll() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; read -r ask; read -r ask; echo "$ask" >asked
      echo '{"answered":{"button":"continue","text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: FakeBrowser(uri: nil, opens: [true, false]))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("asked").contains("Couldn't open a browser."))
  }

  @Test("A page that can be requested only once is not offered to the browser")
  func once() async throws {
    let run = try await WindowVisit(
      #"echo '{"closed":{"by":"user"}}'"#, mayOpenTwice: false, onward: FakeBrowser(uri: nil))
    #expect(run.file("opened").contains(#""opens_once":true"#))
    #expect(!run.file("opened").contains("ways"))
  }

  @Test("Without a browser the window cannot change over")
  func nowhereToGo() async throws {
    let run = try await WindowVisit(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; echo '{\"closed\":{\"by\":\"user\"}}'")
    #expect(run.code == "cancelled")
    #expect(!run.file("opened").contains("ways"))
    #expect(run.notices == [])
  }
}

/// A browser that brings the answer after a while, or never.
private struct FakeBrowser: OnwardAgent {
  let uri: String?
  var comesBack: Bool { false }
  var after = Duration.milliseconds(50)
  /// The results of opening the browser, one after the other.
  var opens = [true]
  var opensAfter = Duration.zero

  func visit(_ visit: Visit) async throws(Failure) -> Arrival { try await self.visit(visit) { _ in } }

  func reopen(_ visit: Visit) async { Issue.record("the page was opened again") }

  func visit(
    _ visit: Visit, opened: @escaping @GLibActor (Bool) -> Void
  ) async throws(Failure) -> Arrival {
    try? await Task.sleep(for: opensAfter)
    for isOpen in opens { opened(isOpen) }
    try? await Task.sleep(for: uri == nil ? .seconds(600) : after)
    guard let uri, case .callback(let callback) = visit.policy.decision(for: Array(uri.utf8)) else {
      throw .cancelled
    }
    return .callback(callback)
  }

  func dismiss() async {}
}
