import LoginWays
import Foundation
import GLibSupport
import LoginCore
import TestSupport
import Testing
import UserAgents

/// The programs that take the place of the window here are shell scripts: they have read what to open.
@Suite("The window, seen from the program that starts it")
struct WindowAgentTests {
  @Test("A callback ends the visit, and the window is told that it was the answer")
  func callback() async throws {
    let run = try await WindowVisit(
      """
      echo '{"ready":{"protocol":1}}'
      echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'
      read -r answer && echo "$answer" >accepted && exec sleep 60
      """)
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("opened").contains("\"redirect_uris\":[\"https://app.example/done\",\"app:/done\"]"))
    #expect(run.file("opened").contains("\"title\":\"Mail\",\"no_close\":true"))
  }

  @Test(
    "A window that got ready is told where to go, unless the page can be asked for only once",
    arguments: [true, false])
  func prepared(mayOpenTwice: Bool) async throws {
    let run = try await WindowVisit(
      """
      case $line in *'"url"'*) echo whole >how;; *) read -r next && echo "$next" >how;; esac
      echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60
      """, mayOpenTwice: mayOpenTwice, isPrepared: true)
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.file("how") == (mayOpenTwice ? #"{"go":{"url":"https://as.example/"}}"# : "whole"))
  }

  @Test("Whether it may be seen, what it belongs to and where it keeps cookies is up to whoever starts it")
  func presentation() async throws {
    var presentation = WindowAgent.Presentation()
    presentation.parent = .x11(0x1A)
    presentation.cookies = WindowAgent.CookieFolder(folder: "/s", lock: 0)
    presentation.isSilent = true
    let run = try await WindowVisit(#"echo '{"closed":{"by":"user"}}'"#, presentation: presentation)
    #expect(run.file("opened").contains(#""parent":"x11:1a","session":"/s","hidden":true"#))
  }

  @Test("A page that somebody would have to deal with ends a visit that nobody sees, and so does a failure")
  func silent() async throws {
    var presentation = WindowAgent.Presentation()
    presentation.isSilent = true
    let page = #"echo '{"login_required":{"uri":"https://as.example/login"}}'; exec sleep 60"#
    #expect(try await WindowVisit(page, presentation: presentation).code == "login_required")
    let fault = #""page_error":{"kind":"unknown_host","host":"a"}"#
    let failure = "echo '{\"page\":{\"origin\":\"\",\(fault)}}'; exec sleep 60"
    #expect(try await WindowVisit(failure, presentation: presentation).code == "network_error")
  }

  @Test("A window that keeps cookies is told that it is over and has a moment to write them, and no more")
  func writing() async throws {
    var presentation = WindowAgent.Presentation()
    presentation.cookies = WindowAgent.CookieFolder(folder: "/s", lock: 0)
    let callback =
      #"echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'"#
    let told = try await WindowVisit(
      "\(callback); read -r first; read -r second; sleep 0.2; echo \"$first $second\" >told",
      presentation: presentation)
    #expect(told.file("told") == #"{"accept":true} {"cancel":true}"#)
    let untold = try await WindowVisit("\(callback); exec sleep 60", presentation: presentation)
    #expect(try untold.callback != nil)
    #expect(untold.duration < .seconds(30))
  }

  @Test("The window is told of the deadline, and again when its user has got more time")
  func deadline() async throws {
    var presentation = WindowAgent.Presentation()
    let time = Time()
    presentation.deadline = LoginDeadline {
      TimeLeft(time.seconds, of: 40, isExtendable: true)
    } extend: {
      time.seconds = 40
    }
    let run = try await WindowVisit(
      """
      read -r first; echo '{"active":{}}'; read -r second; echo "$first $second" >told
      echo '{"closed":{"by":"user"}}'
      """, presentation: presentation)
    let told = [9, 40].map { #"{"deadline":{"seconds_left":\#($0),"warn_at":10,"extendable":true}}"# }
    #expect(run.file("told") == told.joined(separator: " "))
  }

  @GLibActor
  private final class Time {
    var seconds: Int64 = 9
    nonisolated init() {}
  }

  @Test("What the user makes of the window is told, and which host does not answer")
  func arranged() async throws {
    let run = try await WindowVisit(
      #"""
      echo '{"arranged":{"size":"640x480","zoom":110}}'; echo '{"waiting":{"host":"as.example"}}'
      echo '{"closed":{"by":"user"}}'
      """#)
    #expect(run.notices == ["arranged 640x480 110%", "slow as.example"])
  }

  @Test("What is not as it was asked for is told, and the visit goes on")
  func warning() async throws {
    let run = try await WindowVisit(
      #"""
      echo '{"warning":{"description":"there is no parent"}}'; echo '{"closed":{"by":"user"}}'
      """#)
    #expect(run.notices == ["warning there is no parent"])
    #expect(run.code == "cancelled")
  }

  @Test("A stray callback does not end the visit, nor does a URL that is no redirect, nor an unknown line")
  func strays() async throws {
    let run = try await WindowVisit(
      """
      echo '{"callback":{"uri":"https://app.example/done?code=2&state=other","main_frame":false}}'
      echo '{"callback":{"uri":"https://evil.example/done?code=3&state=S","main_frame":true}}'
      echo '{"dance":{"how":"long"}}'
      echo 'not JSON'
      echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":false}}'
      exec sleep 60
      """)
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.notices.filter { $0 == "stray" }.count == 2)
  }

  @Test("An error page ends the visit with its body")
  func errorPage() async throws {
    let run = try await WindowVisit(
      #"echo '{"error_page":{"uri":"https://as.example/error","body":"{}"}}'; exec sleep 60"#)
    guard case .success(.errorPage("https://as.example/error", let body)) = run.result else {
      Issue.record("no error page: \(run.result)")
      return
    }
    #expect(body == Array("{}".utf8))
  }

  @Test(
    "A window that ends on purpose says why",
    arguments: [
      (#"{"closed":{"by":"user"}}"#, "cancelled"),
      (#"{"closed":{"by":"user","page_error":{"kind":"unknown_host","host":"a"}}}"#, "network_error"),
      (#"{"closed":{"by":"user","page_error":{"kind":"tls","host":"a","reason":"b"}}}"#, "tls_error"),
      (#"{"closed":{"by":"user","page_error":{"kind":"view_ended","reason":"b"}}}"#, "window_failed"),
      (#"{"failed":{"error":"no_display","description":"there is none"}}"#, "no_display"),
      (#"{"failed":{"error":"no_sandbox","description":"no user namespaces"}}"#, "window_failed"),
      (#"{"failed":{"error":"other","description":"it is broken"}}"#, "window_failed"),
    ])
  func closed(_ line: String, _ code: String) async throws {
    #expect(try await WindowVisit("echo '\(line)'").code == code)
  }

  @Test("What fails on the screen is told as long as it is there")
  func faults() async throws {
    let run = try await WindowVisit(
      """
      echo '{"page":{"origin":"","secure":false,"main_frame_loaded":false,"page_error":{"kind":"offline"}}}'
      echo '{"page":{"origin":"https://as.example","secure":true,"main_frame_loaded":true}}'
      echo '{"closed":{"by":"user"}}'
      """)
    #expect(run.notices == ["fault network_error", "no fault", "page https://as.example"])
    #expect(run.code == "cancelled")
  }

  @Test("Without a display, or without the program, nothing is started")
  func nothingToStart() async throws {
    #expect(try await WindowVisit("touch started", hasDisplay: false).code == "no_display")
    let agent = WindowAgent(candidates: ["/nowhere/tokentry-window"], hasDisplay: true)
    #expect(await WindowVisit.result(of: agent, try WindowVisit.visit()).failureCode == "window_failed")
  }

  @Test("Whoever cancels the visit ends the window and what it has started, at once")
  func cancellation() async throws {
    let folder = try WindowScript()
    try folder.write("sleep 60 & echo $! >child; echo '{\"ready\":{\"protocol\":1}}'; wait")
    let agent = WindowAgent(candidates: [folder.program], hasDisplay: true)
    let visit = try WindowVisit.visit()
    await onMainLoop {
      let task = GLibActor.task { _ = try? await agent.visit(visit) }
      for _ in 0..<3_000 where folder.file("child").isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
      task.cancel()
      await task.value
      await agent.dismiss()
    }
    let child = try #require(pid_t(folder.file("child")))
    #expect(await folder.ends(child))
  }

  @Test("The window is not told the secrets of the environment, and inherits no descriptor")
  func inheritance() async {
    // In a process of its own: nobody else may look at the environment while it changes.
    await #expect(processExitsWith: .exitCode(7)) {
      setenv("TOKENTRY_CLIENT_SECRET", "\u{301}hidden", 1)  // with which the sign is another character
      precondition(open("/dev/zero", O_RDONLY) >= 0)  // without FD_CLOEXEC
      var variables = ""
      var descriptors = ""
      do {
        let run = try await WindowVisit(
          "env >variables; readlink /proc/$$/fd/* >open; echo '{\"closed\":{\"by\":\"user\"}}'")
        (variables, descriptors) = (run.file("variables"), run.file("open"))
      }
      precondition(variables.contains("PATH=") && !variables.contains("TOKENTRY_CLIENT_SECRET"), variables)
      precondition(!descriptors.isEmpty && !descriptors.contains("/dev/zero"), descriptors)
      exit(7)
    }
  }
}
