import Foundation
import GLibSupport
import LoginCore
import Testing
import WindowProtocol

@testable import SignIn
@testable import TestSupport

/// Shell scripts replace the window's program.
@Suite("PasteDialog")
struct PasteDialogTests {
  private static let answer = "https://app.example/done?code=1&state=S"

  @Test("The browser and the window open together, and the window asks until there is an answer")
  func asked() async throws {
    let run = try await Run(
      """
      read -r ask; echo "$ask" >asked
      echo '{"answered":{"button":"continue","text":"two words"}}'; read -r ask; echo "$ask" >>asked
      echo '{"answered":{"button":"continue","text":" "}}'; read -r ask; echo "$ask" >>asked
      echo '{"answered":{"button":"continue","text":"https://app.example/done?code=1&state=old"}}'; read -r ask; echo "$ask" >>asked
      echo $$ >process; echo '{"answered":{"button":"continue","text":"\(Self.answer)"}}'; exec sleep 60
      """)
    #expect(run.callback == Self.answer)
    #expect(
      run.folder.file("opened")
        == #"{"open":{"url":"https://as.example/","redirect_uris":[],"title":"Mail","ways":["browser"]}}"#)
    let asked = run.folder.file("asked").split(separator: "\n")
    #expect(asked.count == 4)
    let problems = asked.map { $0.firstMatch(of: /"problem":"(.*?)"/).map { String($0.1) } }
    #expect(
      problems == [
        nil, "That isn't the right address. Copy the whole address from the browser.", nil,
        "That address belongs to a different sign-in.",
      ])
    #expect(asked.allSatisfy { $0.contains(#""id":"continue""#) && $0.contains(#""id":"browser""#) })
    // The login does not wait for the browser to start.
    #expect(
      await eventually { run.folder.file("address") == "https://as.example/" },
      "\(run.folder.file("address"))")
    let process = try #require(pid_t(run.folder.file("process")))
    #expect(await run.folder.ends(process))
  }

  @Test("A user who closes the window cancels the login, and a window that fails ends it")
  func ended() async throws {
    #expect(try await Run(#"read -r ask; echo '{"closed":{"by":"user"}}'"#).code == "cancelled")
    let failed = #"echo '{"failed":{"error":"no_display","description":"there is none"}}'"#
    #expect(try await Run(failed).code == "no_display")
    #expect(try await Run("exit 1").code == "window_failed")
  }

  @Test(
    "If no browser can be opened the window says so, and offers to try again only if there is one")
  func noBrowser() async throws {
    let script = """
      while read -r ask; do
        case $ask in *Couldn*) touch said; echo '{"answered":{"button":"continue","text":"\(Self.answer)"}}';; esac
      done
      """
    let broken = try await Run(script, browser: [.command(["false"])])
    #expect(broken.callback == Self.answer)
    #expect(broken.folder.file("opened").contains(#""ways":["browser"]"#))
    let none = try await Run(script, browser: [])
    #expect(none.callback == Self.answer)
    #expect(!none.folder.file("opened").contains("ways"))
  }

  @Test("The user can have the page opened again")
  func again() async throws {
    let run = try await Run(
      """
      read -r ask; while ! [ -e address ]; do sleep 0.05; done
      rm address; echo '{"switch":{"to":"browser"}}'
      while ! [ -e address ]; do sleep 0.05; done; echo '{"answered":{"button":"continue","text":"\(Self.answer)"}}'
      """)
    #expect(run.callback == Self.answer)
    #expect(run.folder.file("address") == "https://as.example/")
  }

  @Test(
    "If the browser comes back by itself, the window appears only if none could be opened, and may fail",
    arguments: [true, false])
  func comesBack(opens: Bool) async throws {
    let run = try await Run(
      "read -r ask; echo \"$ask\" >asked; exit 1", browser: [.command([opens ? "true" : "false"])],
      listener: FakeListener(after: opens ? "" : "asked"))
    #expect(run.callback == Self.answer)
    #expect(run.folder.file("asked").contains("Couldn't open a browser.") == !opens)
  }

  @Test(
    "If the browser takes long, the window appears behind it, and the answer may come from either")
  func late() async throws {
    for (script, listener) in [
      ("read -r ask; echo \"$ask\" >asked; echo '{\"answered\":{\"text\":\"\(Self.answer)\"}}'", "never"),
      ("read -r ask; echo \"$ask\" >asked; exec sleep 60", "asked"),
    ] {
      let run = try await Run(
        script, browser: [.command(["true"])], listener: FakeListener(after: listener),
        patience: .milliseconds(50))
      #expect(run.callback == Self.answer)
      #expect(run.folder.file("opened").contains(#""quiet":true"#))
      #expect(run.folder.file("asked").contains("this window then closes."))
    }
  }

  @Test(
    "A user may close a window that appeared by itself, unless the answer can only come through it"
  )
  func putAway() async throws {
    for (closer, endsLogin) in [("passerby", false), ("user", true)] {
      let run = try await Run(
        "read -r ask; echo '{\"closed\":{\"by\":\"\(closer)\"}}'; echo \"$ask\" >asked",
        browser: [.command(["true"])], listener: FakeListener(after: "asked"), patience: .milliseconds(50))
      #expect(run.callback == (endsLogin ? nil : Self.answer))
      #expect(run.code == (endsLogin ? "cancelled" : nil))
    }
    let alone = try await Run("read -r ask; echo '{\"closed\":{\"by\":\"passerby\"}}'")
    #expect(alone.code == "cancelled")
  }

  /// Receives the answer from the browser once a file exists.
  @GLibActor
  fileprivate final class FakeListener: AnswerListener {
    let file: String
    /// Weak, because the task below may outlive the test: it never ends if its main loop stops first.
    weak var folder: WindowScript?
    nonisolated init(after file: String) { self.file = file }

    func wait(
      for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
      miss: @escaping @GLibActor (MissedAnswer) -> Void
    ) async throws(Failure) {
      guard case .callback(let callback) = visit.policy.decision(for: Array(PasteDialogTests.answer.utf8))
      else { throw .defect() }
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

/// A visit in a browser, with a script instead of the window.
private struct Run {
  let folder: WindowScript
  let callback: String?
  let code: String?

  init(
    _ script: String, browser: [BrowserOpener.Method]? = nil, listener: PasteDialogTests.FakeListener? = nil,
    patience: Duration = BrowserAgent.usualPatience
  ) async throws {
    signal(SIGPIPE) { _ in }  // as in the program: the window may end at any time
    let folder = try WindowScript()
    try folder.write(script)
    let opener = BrowserOpener(
      browser ?? [.command(["sh", "-c", "echo \"$1\" >'\(folder.path)/address'", "sh"])])
    let policy = NavigationPolicy(redirectURI: try RedirectURI("https://app.example/done"))
    let visit = Visit(url: "https://as.example/", policy: policy, state: OAuthState("S"))
    let result = await onMainLoop { () async -> Result<String?, Failure> in
      var options = WindowOptions()
      options.title = "Mail"
      listener?.folder = folder
      let agent = BrowserAgent(
        opener: opener, listener: listener, paste: .window(WindowHost([folder.program], options)),
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
    code = if case .failure(let failure) = result { failure.code.description } else { nil }
  }
}
