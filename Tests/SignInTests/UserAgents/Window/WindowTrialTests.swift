import Foundation
import GLibSupport
import LoginCore
import SignIn
import TestSupport
import Testing
import WindowProtocol

/// Shell scripts replace the window's program.
@Suite("WindowTrial")
struct WindowTrialTests {
  @Test("The program names its web engine, and says if there is no sandbox")
  func engine() async throws {
    let script = try WindowScript()
    try script.write(#"echo '{"checked":{"engine":"WebKitGTK 2.50.6","sandbox_fault":"no bwrap"}}'"#)
    let engine = try await result(script) { trial throws(Failure) in try await trial.engine() }.get()
    #expect(engine.name == "WebKitGTK 2.50.6" && engine.sandboxFault == "no bwrap")
    #expect(script.file("opened") == #"{"check":true}"#)
  }

  @Test("A program that does not exist, or ends at once, is a failure of the window")
  func missing() async throws {
    let script = try WindowScript()
    for (content, message) in [
      (nil, "there is no /"), ("exit 127", "it stopped at once: one of its libraries may be missing"),
    ] {
      if let content { try script.write(content) }
      let engine = await result(script) { trial throws(Failure) in try await trial.engine() }
      guard case .failure(let failure) = engine else {
        Issue.record("\(engine)")
        continue
      }
      #expect(failure.code == .windowFailed)
      #expect(failure.description.contains(message), "\(failure)")
      #expect(failure.hint == "install tokentry-window, with GTK 3 and WebKitGTK 4.1")
    }
  }

  @Test(
    "A complete page is visible or blank, or its visibility is unknown",
    arguments: [
      (#"echo '{"painted":{}}'; exec sleep 60"#, false, true), (#"echo '{"blank":{}}'"#, false, false),
      ("exec sleep 60", true, nil), ("read -r cancel", false, nil),
    ] as [(String, Bool, Bool?)])
  func shown(_ rest: String, _ isHidden: Bool, _ isVisible: Bool?) async throws {
    let page = #"echo '{"page":{"origin":"http://127.0.0.1:1","secure":false,"main_frame_loaded":true}}'"#
    let shown = try await show("\(page); \(rest)", hidden: isHidden)
    #expect(try shown.get() == isVisible)
  }

  @Test(
    "A page that does not arrive is a failure, with its reason",
    arguments: [
      (#"echo '{"failed":{"error":"no_display","description":"x"}}'"#, Failure.displayClosed),
      (#"echo '{"failed":{"error":"no_sandbox","description":"x"}}'"#, .noSandbox("x")),
      (
        #"echo '{"page":{"origin":"","page_error":{"kind":"unknown_host","host":"a"}}}'; exec sleep 60"#,
        .unknownHost("a")
      ), ("exit 1", .windowFailed("it stopped without an error message")),
    ])
  func failed(_ content: String, _ failure: Failure) async throws {
    #expect(try await show(content, hidden: false) == .failure(failure))
  }

  private func show(_ content: String, hidden: Bool) async throws -> Result<Bool?, Failure> {
    let script = try WindowScript()
    try script.write(content)
    return await result(script) { trial throws(Failure) in
      try await trial.show("http://127.0.0.1:1/", hidden: hidden, rendering: .software)
    }
  }

  private func result<Value: Sendable>(
    _ script: WindowScript,
    _ body: @escaping @GLibActor @Sendable (WindowTrial) async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    signal(SIGPIPE) { _ in }  // as in the program: the window may end at any time
    let trial = WindowTrial([script.program], patience: .milliseconds(200))
    return await onMainLoop { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await body(trial)) } catch { return .failure(error) }
    }
  }
}
