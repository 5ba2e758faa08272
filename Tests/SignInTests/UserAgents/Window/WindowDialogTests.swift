import Foundation
import GLibSupport
import LoginCore
import Synchronization
import TestSupport
import Testing
import WindowProtocol

@testable import SignIn

/// Shell scripts replace the window's program. They have read the line that opens it.
@Suite("DeviceDialog")
struct DeviceDialogTests {
  @Test("The window gets the code but no page, and is closed when there is a token")
  func shown() async throws {
    let run = try await Run("read -r code && echo \"$code\" >told; echo $$ >process; exec sleep 60")
    #expect(run.value == "token")
    #expect(run.folder.file("opened") == #"{"open":{"redirect_uris":[],"title":"Mail","ways":["browser"]}}"#)
    #expect(run.folder.file("told").contains(#""address":"https://as.example/d","code":"A-B","buttons":"#))
    let process = try #require(pid_t(run.folder.file("process")))
    #expect(await run.folder.ends(process))
  }

  @Test("A user who closes the window cancels the login")
  func closed() async throws {
    let run = try await Run(#"read -r code; echo '{"closed":{"by":"user"}}'"#, waits: true)
    #expect(run.code == "cancelled")
    #expect(run.notices == [])
  }

  @Test(
    "If the window fails, the login goes on, unless the user asked for the window", arguments: [false, true])
  func lost(isRequired: Bool) async throws {
    let scripts = [
      #"echo '{"failed":{"error":"no_display","description":"there is none"}}'"#: "no_display",
      "exit 1": "window_failed",
    ]
    for (script, code) in scripts {
      let run = try await Run(script, waits: isRequired, isRequired: isRequired)
      #expect(run.value == (isRequired ? nil : "token"))
      #expect(run.code == (isRequired ? code : nil))
    }
    let missing = try await Run("", program: "/nowhere/tokentry-window", isRequired: isRequired)
    #expect(missing.code == (isRequired ? "window_failed" : nil))
    #expect(missing.notices == (isRequired ? [] : ["lost window_failed"]))
  }

  @Test("A window that dies is started once more, with the same code")
  func death() async throws {
    let run = try await Run(
      """
      read -r code; echo "$code" >>told; [ -e died ] || { touch died; kill -9 $$; }
      echo '{"closed":{"by":"user"}}'
      """, waits: true)
    #expect(run.code == "cancelled")
    let lines = run.folder.file("told").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == lines.last)
  }

  @Test("If the display is gone when the window is started again, the failure says that it has ended")
  func displayEnded() async throws {
    let run = try await Run(
      """
      read -r code; [ -e died ] || { touch died; kill -9 $$; }
      echo '{"failed":{"error":"no_display","description":"there is none"}}'
      """, waits: true, isRequired: true)
    #expect(run.failure == .displayEnded)
  }

  @Test("The browser opens the address with the code in it; if none can be opened, the window says so")
  func browser() async throws {
    let script = """
      read -r code; sleep 1.2; echo '{"switch":{"to":"browser"}}'; read -r again && echo "$again" >again
      echo '{"closed":{"by":"user"}}'
      """
    let run = try await Run(script, completeURI: "https://as.example/d?c=A-B", browser: "false", waits: true)
    #expect(run.folder.file("again").contains(#""problem":"Couldn't open a browser. Copy the address.""#))
    #expect(!run.folder.file("again").contains("buttons"))
    #expect(run.folder.file("again").contains("\"expires_in\":"))
    #expect(!run.folder.file("again").contains("\"expires_in\":600"), "less time is left by then")
    let opening = """
      read -r code; echo '{"switch":{"to":"browser"}}'
      while ! [ -e address ]; do sleep 0.05; done; echo '{"closed":{"by":"user"}}'
      """
    let opened = try await Run(opening, completeURI: "https://as.example/d?c=A-B", waits: true)
    #expect(opened.folder.file("address") == "https://as.example/d?c=A-B")
  }

  @Test(
    "A user can replace a code that has expired; one who closes the window ends the login with its failure",
    arguments: [
      (#"{"answered":{"button":"renew"}}"#, nil), (#"{"closed":{"by":"user"}}"#, "expired_token"),
      (#"{"failed":{"error":"no_display","description":"x"}}"#, "expired_token"),
    ] as [(String, String?)])
  func expired(event: String, code: String?) async throws {
    signal(SIGPIPE) { _ in }
    let folder = try WindowScript()
    try folder.write("read -r code; read -r expired; echo \"$expired\" >told; echo '\(event)'; exec sleep 60")
    let result = await onMainLoop { () async -> Result<String, Failure> in
      let window = Run.window([folder.program], BrowserOpener([]), isRequired: false) { _ in }
      window.show(DeviceInstruction(userCode: "A-B", verificationURI: "https://as.example/d"))
      do throws(Failure) {
        return .success(
          try await window.value { () async throws(Failure) -> String in
            try await window.offerNewCode(insteadOf: Failure(.expiredToken, "x"))
            return "token"
          })
      } catch {
        return .failure(error)
      }
    }
    #expect(folder.file("told").contains(#""title":"The code has expired""#))
    let failure = if case .failure(let failure) = result { failure } else { Failure?.none }
    #expect(failure?.code.description == code)
  }

  @Test("Without a code, the window shows the provider's page, from which no answer comes back")
  func page() async throws {
    signal(SIGPIPE) { _ in }
    let folder = try WindowScript()
    try folder.write("read -r going; echo \"$going\" >told; exec sleep 60")
    let value = await onMainLoop { () async -> String? in
      let window = DeviceDialog(
        WindowHost([folder.program], WindowOptions()), opener: BrowserOpener([.command(["true"])]),
        isRequired: true, showsPage: true)
      window.show(DeviceInstruction(userCode: "", verificationURI: "https://as.example/flow"))
      return try? await window.value { [weak folder] () async throws(Failure) -> String in
        while folder?.file("told").isEmpty == true { try? await Task.sleep(for: .milliseconds(10)) }
        return "token"
      }
    }
    #expect(value == "token")
    #expect(folder.file("told") == #"{"go":{"url":"https://as.example/flow"}}"#)
    #expect(folder.file("opened").contains(#""redirect_uris":["nc://login"]"#))
    #expect(!folder.file("opened").contains(#""ways""#), "the browser would have been taken first")
  }

  @Test("A failure is explained in a window without pages, which is told everything in its first line")
  func explained() async throws {
    let folder = try WindowScript()
    try folder.write("echo $$ >process")
    var options = WindowOptions()
    options.hasNoClose = true
    WindowHost(["/nowhere/tokentry-window", folder.program], options).explain(Question("Late", "Go back."))
    for _ in 0..<3_000 where folder.file("process").isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    // A child that is not waited for would keep Swift Testing from noticing the end of tests in processes of their own.
    let process = try #require(pid_t(folder.file("process")))
    #expect(waitpid(process, nil, 0) == process)
    #expect(
      folder.file("opened")
        == #"{"open":{"redirect_uris":[],"explain":{"title":"Late","paragraphs":["Go back."]}}}"#)
  }

  @Test("Cancelling the login ends the window at once")
  func cancellation() async throws {
    let folder = try WindowScript()
    try folder.write("echo $$ >process; exec sleep 60")
    await onMainLoop {
      let window = Run.window([folder.program], BrowserOpener([]), isRequired: true) { _ in }
      let task = GLibActor.task {
        _ = try? await window.value { () async throws(Failure) -> Int in
          try? await Task.sleep(for: .seconds(600))
          return 0
        }
      }
      for _ in 0..<1_000 where folder.file("process").isEmpty {
        try? await Task.sleep(for: .milliseconds(10))
      }
      task.cancel()
      await task.value
    }
    let process = try #require(pid_t(folder.file("process")))
    #expect(await folder.ends(process))
  }
}

@Suite("WindowHost")
struct WindowHostTests {
  @Test(
    "A question has an answer, or a failure that is none",
    arguments: [
      (#"echo '{"answered":{"button":"once"}}'"#, "once"), (#"echo '{"closed":{"by":"user"}}'"#, "closed"),
      (#"echo '{"closed":{"by":"caller"}}'"#, "cancelled"), ("exit 1", "window_failed"),
      (#"[ -e died ] || { touch died; kill -9 $$; }; echo '{"answered":{"button":"once"}}'"#, "once"),
      (#"echo '{"failed":{"error":"no_display","description":"x"}}'"#, "no_display"),
    ])
  func answers(script: String, outcome: String) async throws {
    let folder = try WindowScript()
    try folder.write("echo x >>starts; read -r ask; echo \"$ask\" >asked; \(script)")
    #expect(await Self.outcome(folder.program) == outcome)
    #expect(folder.file("opened") == #"{"open":{"redirect_uris":[],"title":"Mail"}}"#)
    #expect(folder.file("asked") == #"{"ask":{"title":"Allow?"}}"#)
    // A window that has died is started once more, but one that has answered is not.
    let dies = script == "exit 1" || script.contains("died")
    #expect(folder.file("starts") == (dies ? "x\nx" : "x"))
  }

  @Test("A question that cannot be shown fails")
  func missing() async { #expect(await Self.outcome("/nowhere/tokentry-window") == "window_failed") }

  @Test("Cancelling the question closes its window")
  func cancellation() async throws {
    let folder = try WindowScript()
    try folder.write("echo $$ >process; exec sleep 60")
    #expect(await Self.outcome(folder.program) { !folder.file("process").isEmpty } == "cancelled")
    let process = try #require(pid_t(folder.file("process")))
    #expect(await folder.ends(process))
  }

  /// Asks, and cancels that as soon as `isCancelled` returns true. Returns the button or the code of the failure.
  private static func outcome(
    _ program: String, until isCancelled: (@Sendable () -> Bool)? = nil
  ) async -> String {
    signal(SIGPIPE) { _ in }  // as in the program: the window may end at any time
    return await onMainLoop {
      let task = GLibActor.task { () async -> String in
        var options = WindowOptions()
        options.title = "Mail"
        do throws(Failure) {
          let answer = try await WindowHost([program], options).ask(Question("Allow?"))
          return answer.map { $0.button ?? "" } ?? "closed"
        } catch {
          return error.code.description
        }
      }
      if let isCancelled {
        while !isCancelled() { try? await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
      }
      return await task.value
    }
  }
}

/// A login with a script instead of the window, and with a token once the window has the code.
private struct Run {
  let folder: WindowScript
  let value: String?
  let failure: Failure?
  let notices: [String]
  var code: String? { failure?.code.description }

  /// If it `waits`, there is never a token.
  init(
    _ script: String, program: String? = nil, completeURI: String? = nil, browser: String? = nil,
    waits: Bool = false, isRequired: Bool = false
  ) async throws {
    signal(SIGPIPE) { _ in }  // as in the program: the window may end at any time
    let folder = try WindowScript()
    try folder.write(script)
    let opener = BrowserOpener([
      .command(browser.map { [$0] } ?? ["sh", "-c", "echo \"$1\" >'\(folder.path)/address'", "sh"])
    ])
    let log = Mutex<[String]>([])
    let result = await onMainLoop { () async -> Result<String, Failure> in
      let window = Self.window([program ?? folder.program], opener, isRequired: isRequired) { notice in
        log.withLock { $0.append(notice) }
      }
      var instruction = DeviceInstruction(userCode: "A-B", verificationURI: "https://as.example/d")
      instruction.completeURI = completeURI
      instruction.secondsLeft = completeURI == nil ? nil : 600
      window.show(instruction)
      do throws(Failure) {
        return .success(
          // Weak, because this may outlive the test: it never ends if its main loop stops first.
          try await window.value { [weak folder] () async throws(Failure) -> String in
            while !waits, script.contains("process"), folder?.file("process").isEmpty == true {
              try? await Task.sleep(for: .milliseconds(10))
            }
            if waits { try? await Task.sleep(for: .seconds(60)) }
            return "token"
          })
      } catch {
        return .failure(error)
      }
    }
    self.folder = folder
    value = try? result.get()
    failure = if case .failure(let failure) = result { failure } else { nil }
    notices = log.withLock { $0 }
  }

  @GLibActor
  static func window(
    _ candidates: [String], _ opener: BrowserOpener, isRequired: Bool,
    _ log: @escaping @Sendable (String) -> Void
  ) -> DeviceDialog {
    var options = WindowOptions()
    options.title = "Mail"
    return DeviceDialog(WindowHost(candidates, options), opener: opener, isRequired: isRequired) { notice in
      switch notice {
      case .codeWindowLost(let failure): log("lost \(failure.code)")
      case .windowWarning(let text): log("warning \(text)")
      default: log("\(notice)")
      }
    }
  }
}
