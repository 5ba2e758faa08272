import GLibSupport
import LoginCore
import TestSupport
import Testing
import UserAgents

@Suite("A login that changes over from the window to the browser")
struct WindowAgentHandoverTests {
  @Test("Who changes over takes the same visit along, and what the browser brings ends the window")
  func handover() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'
      read -r ask && echo "$ask" >asked
      read -r answer && echo "$answer" >accepted
      """, onward: BroughtBack(uri: "https://app.example/done?code=BROWSER&state=S"))
    #expect(try run.callback == "https://app.example/done?code=BROWSER&state=S")
    #expect(run.file("opened").contains("\"ways\":[\"browser\"]"))
    #expect(run.file("asked") == "{\"ask\":{\"paste\":{\"code\":false,\"comes_back\":false}}}")
    #expect(run.file("accepted") == "{\"accept\":true}")
    #expect(run.notices == ["left"])
  }

  @Test("What the user pastes in the window ends the visit, or is asked for again")
  func pasted() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; read -r ask
      echo '{"pasted":{"text":"nonsense and more"}}'; read -r ask; echo "$ask" >asked
      echo '{"pasted":{"text":""}}'
      echo '{"pasted":{"text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: BroughtBack(uri: nil))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("asked").contains("\"problem\":\"something_else\""))
  }

  @Test("A window that fails while the browser is open ends nothing; one that is closed ends the login")
  func handoverEnds() async throws {
    let failed = try await WindowVisit(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; exit 1",
      onward: BroughtBack(uri: "https://app.example/done?code=1&state=S", after: .milliseconds(300)))
    #expect(try failed.callback == "https://app.example/done?code=1&state=S")
    let closed = try await WindowVisit(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; echo '{\"closed\":{\"by\":\"user\"}}'",
      onward: BroughtBack(uri: nil))
    #expect(closed.code == "cancelled")
  }

  @Test("Whoever cancels the visit when only the browser is left ends that as well")
  func cancellation() async throws {
    let folder = try WindowScript()
    try folder.write("echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; echo $$ >ended; exit 1")
    let agent = WindowAgent(
      candidates: [folder.program], hasDisplay: true, onward: BroughtBack(uri: nil))
    let visit = try WindowVisit.visit()
    await onMainLoop {
      let task = GLibActor.task { _ = try? await agent.visit(visit) }
      for _ in 0..<3_000 where folder.file("ended").isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
      // Time for the end of the window to be seen.
      try? await Task.sleep(for: .milliseconds(300))
      task.cancel()
      await task.value
      await agent.dismiss()
    }
  }

  @Test("Where no browser can be opened the window keeps its page, until the user goes elsewhere")
  func unopened() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; read -r told; echo "$told" >told
      echo '{"switch":{"to":"paste"}}'; read -r ask; echo "$ask" >asked
      echo '{"pasted":{"text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: BroughtBack(uri: nil, opens: [false]))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("told") == "{\"unopened\":true}")
    #expect(run.file("asked").contains("\"problem\":\"no_browser\""))
    #expect(run.notices == ["left"])
  }

  @Test("A window that fails where no browser could be opened is started again")
  func failsUnopened() async throws {
    let run = try await WindowVisit(
      """
      if [ -e told ]; then
        echo '{"callback":{"uri":"https://app.example/done?code=2&state=S","main_frame":true}}'; exec sleep 60
      fi
      echo '{"switch":{"to":"browser"}}'; read -r told; echo "$told" >told; exit 1
      """, onward: BroughtBack(uri: nil, opens: [false]))
    #expect(try run.callback == "https://app.example/done?code=2&state=S")
  }

  @Test("Whoever presses the key twice opens one page")
  func twice() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; echo '{"switch":{"to":"browser"}}'; read -r ask
      echo '{"pasted":{"text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: BroughtBack(uri: nil, opensAfter: .milliseconds(300)))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
  }

  @Test("A browser that turns out not to have opened is said to be none where its answer is asked for")
  func opensNotAfterAll() async throws {
    let run = try await WindowVisit(
      """
      echo '{"switch":{"to":"browser"}}'; read -r ask; read -r ask; echo "$ask" >asked
      echo '{"pasted":{"text":"https://app.example/done?code=1&state=S"}}'; exec sleep 60
      """, onward: BroughtBack(uri: nil, opens: [true, false]))
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("asked").contains("\"problem\":\"no_browser\""))
  }

  @Test("A page that can be asked for only once is not offered to the browser")
  func once() async throws {
    let run = try await WindowVisit(
      #"echo '{"closed":{"by":"user"}}'"#, mayOpenTwice: false, onward: BroughtBack(uri: nil))
    #expect(run.file("opened").contains(#""opens_once":true"#))
    #expect(!run.file("opened").contains("ways"))
  }

  @Test("Without a browser to go to nobody changes over")
  func nowhereToGo() async throws {
    let run = try await WindowVisit(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; echo '{\"closed\":{\"by\":\"user\"}}'")
    #expect(run.code == "cancelled")
    #expect(!run.file("opened").contains("ways"))
    #expect(run.notices == [])
  }
}

/// A browser that brings something back after a while, or nothing for as long as it is waited for.
private struct BroughtBack: OnwardAgent {
  let uri: String?
  var after = Duration.milliseconds(50)
  /// What becomes of the browser, at first and when it is tried once more.
  var opens = [true]
  var opensAfter = Duration.zero

  func visit(_ visit: Visit) async throws(Failure) -> Arrival { try await self.visit(visit) { _ in } }

  func reopen(_ visit: Visit) async { Issue.record("nobody has asked once more") }

  func visit(
    _ visit: Visit, opened: @escaping @GLibActor (Bool) -> Void
  ) async throws(Failure) -> Arrival {
    try? await Task.sleep(for: opensAfter)
    for isOpen in opens { opened(isOpen) }
    try? await Task.sleep(for: uri == nil ? .seconds(600) : after)
    guard let uri, case .callback(let callback) = visit.policy.decision(for: Array(uri.utf8)) else {
      throw .user(.cancelled(.task))
    }
    return .callback(callback)
  }

  func dismiss() async {}
}
