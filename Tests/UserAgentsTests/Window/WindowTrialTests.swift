import LoginWays
import Foundation
import GLibSupport
import LoginCore
import TestSupport
import Testing
import UserAgents

@Suite("A trial of the window's program")
struct WindowTrialTests {
  @Test("It is asked what it is made of, and answers whether there is a sandbox")
  func engine() async throws {
    let script = try WindowScript()
    try script.write(#"echo '{"checked":{"engine":"WebKitGTK 2.50.6","sandbox_fault":"no bwrap"}}'"#)
    let engine = try await result(script) { trial throws(Failure) in try await trial.engine() }.get()
    #expect(engine.name == "WebKitGTK 2.50.6" && engine.sandboxFault == "no bwrap")
    #expect(script.file("opened") == #"{"check":true}"#)
  }

  @Test("A program that is not there, or ends at once as without a library, is a failure of the window")
  func missing() async throws {
    let script = try WindowScript()
    for content in [nil, "exit 127"] {
      if let content { try script.write(content) }
      let engine = await result(script) { trial throws(Failure) in try await trial.engine() }
      guard case .failure(let failure) = engine, case .window(let fault)? = failure.way else {
        Issue.record("\(engine)")
        continue
      }
      if content == nil, case .notFound = fault { continue }
      #expect(fault == .endedAtOnce)
    }
  }

  @Test(
    "A page that is complete is painted, blank, or not to be seen",
    arguments: [
      (#"echo '{"painted":{}}'; exec sleep 60"#, false, true), (#"echo '{"blank":{}}'"#, false, false),
      ("exec sleep 60", true, nil), ("read -r cancel", false, nil),
    ] as [(String, Bool, Bool?)])
  func shown(_ rest: String, _ isHidden: Bool, _ isPainted: Bool?) async throws {
    let page = #"echo '{"page":{"origin":"http://127.0.0.1:1","secure":false,"main_frame_loaded":true}}'"#
    let shown = try await show("\(page); \(rest)", hidden: isHidden)
    #expect(try shown.get() == isPainted)
  }

  @Test(
    "A page that does not come is a failure, with its reason",
    arguments: [
      (#"echo '{"failed":{"error":"no_display","description":"x"}}'"#, Failure.way(.displayClosed)),
      (#"echo '{"failed":{"error":"no_sandbox","description":"x"}}'"#, .way(.noSandbox("x"))),
      (
        #"echo '{"page":{"origin":"","page_error":{"kind":"unknown_host","host":"a"}}}'; exec sleep 60"#,
        .network(.unknownHost("a"))
      ), ("exit 1", .way(.window(.endedWithoutWord))),
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
    signal(SIGPIPE) { _ in }  // as the program does, whose window may end at any time
    let trial = WindowTrial([script.program], patience: .milliseconds(200))
    return await onMainLoop { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await body(trial)) } catch { return .failure(error) }
    }
  }
}
