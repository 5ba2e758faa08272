import Foundation
import GLibSupport
import LoginCore
import Synchronization
@testable import TestSupport
import Testing

@testable import UserAgents

@Suite("An answer that is pasted into a small window")
struct PasteDialogTests {
  private static let answer = "https://app.example/done?code=1&state=S"

  @Test("The browser is opened, the window asks at once, and asks again until there is an answer")
  func asked() async throws {
    let run = try await Run(
      """
      read -r ask; echo "$ask" >asked
      echo '{"pasted":{"text":"two words"}}'; read -r ask; echo "$ask" >>asked
      echo '{"pasted":{"text":" "}}'
      echo '{"pasted":{"text":"https://app.example/done?code=1&state=old"}}'; read -r ask; echo "$ask" >>asked
      echo $$ >process; echo '{"pasted":{"text":"\(Self.answer)"}}'; exec sleep 60
      """)
    #expect(run.callback == Self.answer)
    #expect(
      run.folder.file("opened")
        == #"{"open":{"url":"https://as.example/","redirect_uris":[],"title":"Mail","ways":["browser"]}}"#)
    let plain = #"{"ask":{"paste":{"code":false,"comes_back":false"#
    #expect(
      run.folder.file("asked").split(separator: "\n") == [
        "\(plain)}}}", #"\#(plain),"problem":"something_else"}}}"#,
        #"\#(plain),"problem":"another_login"}}}"#,
      ])
    // The browser is a program of its own, and nobody waits for it.
    #expect(await eventually { run.folder.file("address") == "https://as.example/" })
    let process = try #require(pid_t(run.folder.file("process")))
    #expect(await run.folder.ends(process))
  }

  @Test("Whoever closes it has cancelled the login; a window that cannot be shown ends it, too")
  func ended() async throws {
    #expect(try await Run(#"read -r ask; echo '{"closed":{"by":"user"}}'"#).code == "cancelled")
    let failed = #"echo '{"failed":{"error":"no_display","description":"there is none"}}'"#
    #expect(try await Run(failed).code == "no_display")
    #expect(try await Run("exit 1").code == "window_failed")
  }

  @Test(
    "If no browser can be opened the window says so, and offers no other try where there is nothing to try")
  func noBrowser() async throws {
    let script = """
      while read -r ask; do
        case $ask in *no_browser*) touch said; echo '{"pasted":{"text":"\(Self.answer)"}}';; esac
      done
      """
    let broken = try await Run(script, browser: [.command(["false"])])
    #expect(broken.callback == Self.answer)
    #expect(broken.folder.file("opened").contains(#""ways":["browser"]"#))
    let none = try await Run(script, browser: [])
    #expect(none.callback == Self.answer)
    #expect(!none.folder.file("opened").contains("ways"))
  }

  @Test("The page can be opened once more")
  func again() async throws {
    let run = try await Run(
      """
      read -r ask; while ! [ -e address ]; do sleep 0.05; done
      rm address; echo '{"switch":{"to":"browser"}}'
      while ! [ -e address ]; do sleep 0.05; done; echo '{"pasted":{"text":"\(Self.answer)"}}'
      """)
    #expect(run.callback == Self.answer)
    #expect(run.folder.file("address") == "https://as.example/")
  }

  @Test(
    "Where the browser comes back it is asked only if none can be opened, and is not needed",
    arguments: [true, false])
  func comesBack(opens: Bool) async throws {
    let run = try await Run(
      "read -r ask; echo \"$ask\" >asked; exit 1", browser: [.command([opens ? "true" : "false"])],
      listener: BroughtBack(after: opens ? "" : "asked"))
    #expect(run.callback == Self.answer)
    #expect(run.folder.file("asked").contains(#""comes_back":true,"problem":"no_browser""#) == !opens)
  }

  @Test(
    "Where the browser is long in coming back the window comes up behind it, and either may bring the answer")
  func late() async throws {
    for (script, listener) in [
      ("read -r ask; echo \"$ask\" >asked; echo '{\"pasted\":{\"text\":\"\(Self.answer)\"}}'", "never"),
      ("read -r ask; echo \"$ask\" >asked; exec sleep 60", "asked"),
    ] {
      let run = try await Run(
        script, browser: [.command(["true"])], listener: BroughtBack(after: listener),
        patience: .milliseconds(50))
      #expect(run.callback == Self.answer)
      #expect(run.folder.file("opened").contains(#""quiet":true"#))
      #expect(run.folder.file("asked") == #"{"ask":{"paste":{"code":false,"comes_back":true}}}"#)
    }
  }

  @Test(
    "Whoever puts the window away that has come up by itself cancels nothing; whoever closes another one does"
  )
  func putAway() async throws {
    for (closer, isOver) in [("passerby", false), ("user", true)] {
      let run = try await Run(
        "read -r ask; echo '{\"closed\":{\"by\":\"\(closer)\"}}'; echo \"$ask\" >asked",
        browser: [.command(["true"])], listener: BroughtBack(after: "asked"), patience: .milliseconds(50))
      #expect(run.callback == (isOver ? nil : Self.answer))
      #expect(run.code == (isOver ? "cancelled" : nil))
    }
    let alone = try await Run("read -r ask; echo '{\"closed\":{\"by\":\"passerby\"}}'")
    #expect(alone.code == "cancelled", "where the browser brings nothing back")
  }

  /// A browser that brings the answer once a file is there.
  @GLibActor
  fileprivate final class BroughtBack: AnswerListener {
    let file: String
    /// It goes with its test, which may end before the task below does: where no main loop goes on that never ends.
    weak var folder: WindowScript?
    nonisolated init(after file: String) { self.file = file }

    func wait(
      for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
      miss: @escaping @GLibActor (String) -> Void
    ) async throws(Failure) {
      guard case .callback(let callback) = visit.policy.decision(for: Array(PasteDialogTests.answer.utf8))
      else { throw .defect(.here()) }
      GLibActor.task { [self] in
        for _ in 0..<1_000 where !file.isEmpty && folder?.file(file).isEmpty != false {
          try? await Task.sleep(for: .milliseconds(10))
        }
        try? await Task.sleep(for: .milliseconds(file.isEmpty ? 300 : 100))
        deliver(.callback(callback))
      }
    }

    var port: UInt16? { nil }
    func close(_ conclusion: Conclusion) async {}
  }
}

/// A visit in a browser, with a script in place of the window.
private struct Run {
  let folder: WindowScript
  let callback: String?
  let code: String?

  init(
    _ script: String, browser: [BrowserOpener.Means]? = nil, listener: PasteDialogTests.BroughtBack? = nil,
    patience: Duration = BrowserAgent.usualPatience
  ) async throws {
    signal(SIGPIPE) { _ in }  // as the program does, whose window may end at any time
    let folder = try WindowScript()
    try folder.write(script)
    let opener = BrowserOpener(
      browser ?? [.command(["sh", "-c", "echo \"$1\" >'\(folder.path)/address'", "sh"])])
    let policy = NavigationPolicy(redirectURI: try RedirectURI("https://app.example/done"))
    let visit = Visit(url: "https://as.example/", policy: policy, state: State("S"))
    let result = await onMainLoop { () async -> Result<String?, Failure> in
      var presentation = WindowAgent.Presentation()
      presentation.title = "Mail"
      listener?.folder = folder
      let agent = BrowserAgent(
        opener: opener, listener: listener, paste: .window(candidates: [folder.program], presentation),
        patience: patience)
      defer { withExtendedLifetime(agent) {} }
      do throws(Failure) {
        let arrival = try await agent.visit(visit)
        await agent.dismiss()
        guard case .callback(let callback) = arrival else { return .success(nil) }
        return .success(try callback.text())
      } catch {
        await agent.dismiss()
        return .failure(error)
      }
    }
    self.folder = folder
    callback = (try? result.get()) ?? nil
    code = if case .failure(let failure) = result { failure.code } else { nil }
  }
}
