import Foundation
import GLibSupport
import LoginCore
import SignIn
import Synchronization
import TestSupport
import Testing
import WindowProtocol

/// Shell scripts replace the window's program. They have read the line that opens the window.
@Suite("WindowAgent")
struct WindowAgentTests {
  @Test("A callback ends the visit, and the window learns that it was the answer")
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
    "A prepared window is told where to go, unless the page can be requested only once",
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

  @Test("The window gets the caller's options")
  func options() async throws {
    var options = WindowOptions()
    options.parent = .x11(0x1A)
    options.session = "/s"
    options.isHidden = true
    let run = try await WindowVisit(#"echo '{"closed":{"by":"user"}}'"#, options: options)
    #expect(run.file("opened").contains(#""parent":"x11:1a","session":"/s","hidden":true"#))
  }

  @Test("In a hidden window, a page that needs the user or cannot be shown ends the visit")
  func hidden() async throws {
    var options = WindowOptions()
    options.isHidden = true
    let page = #"echo '{"login_required":{"uri":"https://as.example/login"}}'; exec sleep 60"#
    #expect(try await WindowVisit(page, options: options).code == "login_required")
    let fault = #""page_error":{"kind":"unknown_host","host":"a"}"#
    let failure = "echo '{\"page\":{\"origin\":\"\",\(fault)}}'; exec sleep 60"
    #expect(try await WindowVisit(failure, options: options).code == "network_error")
  }

  @Test("A window with a session gets a moment at the end to write its cookies")
  func writing() async throws {
    var options = WindowOptions()
    options.session = "/s"
    let callback =
      #"echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'"#
    let quick = try await WindowVisit(
      "\(callback); read -r first; read -r second; sleep 0.2; echo \"$first $second\" >told",
      options: options)
    #expect(quick.file("told") == #"{"accept":true} {"cancel":true}"#)
    let stuck = try await WindowVisit("\(callback); exec sleep 60", options: options)
    #expect(try stuck.callback != nil)
    #expect(stuck.duration < .seconds(30))
  }

  @Test("The window is told the deadline, and again after its user got more time")
  func deadline() async throws {
    let time = Run()
    await onMainLoop { time.setDeadline(seconds: 4_000, isGiven: false) }
    let run = try await WindowVisit(
      """
      read -r first; sleep 3; echo '{"active":{}}'; read -r second
      echo "$first $second" >told; echo '{"painted":{}}'
      echo '{"closed":{"by":"user"}}'
      """, in: time)
    let told = run.file("told").split(separator: " ").compactMap { line in
      line.firstMatch(of: /"seconds_left":(\d+)/).flatMap { Int($0.1) }
    }
    // Without more time for the user, the second number would be smaller by three.
    #expect(told.count == 2 && told[1] > told[0] - 3 && told[0] <= 4_000, "\(told)")
    #expect(await onMainLoop { time.hasSeenWindow })
  }

  @Test(
    "Events that do not end the visit are passed on",
    arguments: [
      (#"{"waiting":{"host":"as.example"}}"#, "slow as.example"),
      (#"{"warning":{"description":"there is no parent"}}"#, "warning there is no parent"),
    ])
  func notices(_ line: String, _ notice: String) async throws {
    let run = try await WindowVisit("echo '\(line)'; echo '{\"closed\":{\"by\":\"user\"}}'")
    #expect(run.notices == [notice])
    #expect(run.code == "cancelled")
  }

  @Test("The size and zoom that the user chose are remembered for the next window")
  func arranged() async throws {
    let run = try await WindowVisit(
      #"""
      echo '{"arranged":{"size":"640x480","zoom":110}}'; echo '{"closed":{"by":"user"}}'
      """#)
    #expect(run.notices == [] && run.memory.layout?.description == "640x480 110%")
  }

  @Test("Stray callbacks, other addresses and unknown lines do not end the visit")
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
    #expect(run.notices == ["stray", "stray"])
  }

  @Test("An error page ends the visit with its content")
  func errorPage() async throws {
    let run = try await WindowVisit(
      #"echo '{"error_page":{"uri":"https://as.example/error","body":"{}"}}'; exec sleep 60"#)
    guard case .success(.errorPage("https://as.example/error", let body)) = run.result else {
      Issue.record("the visit does not end with the error page: \(run.result)")
      return
    }
    #expect(body == Array("{}".utf8))
  }

  @Test(
    "A window that ends gives the reason",
    arguments: [
      (#"{"closed":{"by":"user"}}"#, "cancelled"),
      (#"{"closed":{"by":"user","page_error":{"kind":"unknown_host","host":"a"}}}"#, "network_error"),
      (#"{"closed":{"by":"user","page_error":{"kind":"tls","host":"a","reason":"b"}}}"#, "tls_error"),
      (#"{"closed":{"by":"user","page_error":{"kind":"view_ended","reason":"b"}}}"#, "window_failed"),
      (
        #"{"closed":{"by":"user","page_error":{"kind":"rejected","host":"a","status":400}}}"#,
        "bad_provider_response"
      ),
      (
        #"{"closed":{"by":"user","page_error":{"kind":"oauth_error","host":"a","error":"invalid_client"}}}"#,
        "invalid_client"
      ),
      (#"{"failed":{"error":"no_display","description":"there is none"}}"#, "no_display"),
      (#"{"failed":{"error":"no_sandbox","description":"no user namespaces"}}"#, "window_failed"),
      (#"{"failed":{"error":"other","description":"it is broken"}}"#, "window_failed"),
    ])
  func closed(_ line: String, _ code: String) async throws {
    #expect(try await WindowVisit("echo '\(line)'").code == code)
  }

  @Test("A failure page counts only while it is shown")
  func failurePage() async throws {
    let run = try await WindowVisit(
      """
      echo '{"page":{"origin":"","secure":false,"main_frame_loaded":false,"page_error":{"kind":"offline"}}}'
      echo '{"page":{"origin":"https://as.example","secure":true,"main_frame_loaded":true}}'
      echo '{"closed":{"by":"user"}}'
      """)
    #expect(run.notices == ["fault network_error", "no fault", "page https://as.example"])
    #expect(run.code == "cancelled")
  }

  @Test("Without a display, or without the window's program, the visit fails at once")
  func cannotStart() async throws {
    let run = try await WindowVisit("touch started", hasDisplay: false)
    #expect(run.code == "no_display")
    #expect(!run.folder.exists("started"))
    let agent = WindowAgent(candidates: ["/nowhere/tokentry-window"], hasDisplay: true)
    #expect(await WindowVisit.result(of: agent, try WindowVisit.visit()).failureCode == "window_failed")
  }

  @Test("Two hosts that want a certificate at once are asked about one after the other")
  func certificates() async throws {
    let keeper = await onMainLoop {
      CertificateKeeper(
        ["a.test", "b.test"].flatMap { host in
          ["one", "two"].map { (host, .file(name: $0, Array("no certificate".utf8))) }
        }, refusal: .noTokenCertificate, tell: { _ in }, hide: { _ in }, ask: nil)
    }
    let run = try await WindowVisit(
      """
      echo '{"wants_certificate":{"host":"a.test"}}'; echo '{"wants_certificate":{"host":"b.test"}}'
      for i in 1 2; do
        read -r asked && echo "$asked" >"asked$i" && echo '{"answered":{"button":"without"}}'
        read -r sent && echo "$sent" >"sent$i"
      done
      echo '{"closed":{"by":"user"}}'
      """, keeper: keeper)
    #expect(run.file("asked1").contains("to a.test") && run.file("asked2").contains("to b.test"))
    #expect(run.file("sent1") == #"{"certificate":{"host":"a.test"}}"#)
    #expect(run.file("sent2") == #"{"certificate":{"host":"b.test"}}"#)
    #expect(run.code == "cancelled")
  }

  @Test("Cancelling the visit ends the window and its child processes at once")
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

  @Test("The window inherits neither the secrets of the environment nor open descriptors")
  func inheritance() async {
    // In a process of its own, because no other thread may read the environment while it changes.
    await #expect(processExitsWith: .exitCode(7)) {
      // With a combining accent, the = before the value is part of another character.
      setenv("TOKENTRY_CLIENT_SECRET", "\u{301}hidden", 1)
      precondition(open("/dev/zero", O_RDONLY) >= 0)  // without O_CLOEXEC
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

@Suite("WindowAgent, windows that are started again")
struct WindowAgentRestartTests {
  @Test("A window that dies is started once more")
  func restart() async throws {
    let once = try await WindowVisit(
      """
      [ -e started ] || { touch started; kill -9 $$; }
      echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60
      """)
    #expect(try once.callback == "https://app.example/done?code=1&state=S")
    #expect(once.notices == ["restarted"])
    #expect(try await WindowVisit("exit 1").code == "window_failed")
  }

  @Test("If the second window finds no display, the failure says that the display has ended")
  func displayEnded() async throws {
    let refusal = #"echo '{"failed":{"error":"no_display","description":"there is none"}}'"#
    let first = try await WindowVisit(refusal)
    #expect(first.result.failure == .displayClosed)
    let second = try await WindowVisit("[ -e started ] || { touch started; kill -9 $$; }; \(refusal)")
    #expect(second.result.failure == .displayEnded)
    #expect(second.notices == ["restarted"])
  }

  @Test("After a blank page the same page is opened with software drawing")
  func blank() async throws {
    let run = try await WindowVisit(
      """
      echo "$line" >>all
      case $line in
        *software*) echo '{"painted":{}}'
          echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60;;
        *) echo '{"blank":{}}';;
      esac
      """)
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.notices == ["blank", "remembered"] && run.memory.rendering == .software)
    let lines = run.file("all").split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[1] == lines[0].replacing("}}", with: ",\"rendering\":\"software\"}}"))
  }

  @Test("Blank pages and deaths do not restart the window for ever", arguments: ["blank", "death"])
  func ladder(_ first: String) async throws {
    let die = first == "death" ? "[ -e died ] || { touch died; kill -9 $$; }" : ""
    let run = try await WindowVisit("echo >>starts; \(die)\necho '{\"blank\":{}}'")
    #expect(run.code == "window_failed")
    #expect(run.notices == [first == "death" ? "restarted" : "blank"])
  }

  @Test("The rendering is remembered only if a page was blank before")
  func visibleAtOnce() async throws {
    let run = try await WindowVisit(#"echo '{"painted":{}}'; echo '{"closed":{"by":"user"}}'"#)
    #expect(run.notices == [] && run.memory.rendering == nil)
  }

  @Test(
    "A page that can be requested only once is not requested by a second window",
    arguments: [
      (
        #"echo '{"page":{"origin":"https://as.example","secure":true,"main_frame_loaded":false}}'; kill -9 $$"#,
        1
      ), ("echo '{\"blank\":{}}'", 1), ("kill -9 $$", 2),
    ])
  func once(_ script: String, _ windows: Int) async throws {
    let run = try await WindowVisit("echo x >>starts; \(script)", mayOpenTwice: false)
    #expect(run.code == "window_failed")
    #expect(run.file("starts").filter { $0 == "x" }.count == windows)
    #expect(run.file("opened").contains("\"opens_once\":true"))
  }
}
