import Foundation
import GLibSupport
import LoginCore
import Synchronization
import TestSupport
import Testing
import UserAgents

/// The programs that take the place of the window here are shell scripts: they have read what to open.
@Suite("The window, seen from the program that starts it")
struct WindowAgentTests {
  @Test("A callback ends the visit, and the window is told that it was the answer")
  func callback() async throws {
    let run = try await Run(
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
    let run = try await Run(
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
    presentation.session = WindowAgent.Session(folder: "/s", lock: 0)
    presentation.isSilent = true
    let run = try await Run(#"echo '{"closed":{"by":"user"}}'"#, presentation: presentation)
    #expect(run.file("opened").contains(#""parent":"x11:1a","session":"/s","hidden":true"#))
  }

  @Test("A page that somebody would have to deal with ends a visit that nobody sees, and so does a failure")
  func silent() async throws {
    var presentation = WindowAgent.Presentation()
    presentation.isSilent = true
    let page = #"echo '{"login_required":{"uri":"https://as.example/login"}}'; exec sleep 60"#
    #expect(try await Run(page, presentation: presentation).code == "login_required")
    let fault = #""page_error":{"kind":"unknown_host","host":"a"}"#
    let failure = "echo '{\"page\":{\"origin\":\"\",\(fault)}}'; exec sleep 60"
    #expect(try await Run(failure, presentation: presentation).code == "network_error")
  }

  @Test("A window that keeps cookies is told that it is over and has a moment to write them, and no more")
  func writing() async throws {
    var presentation = WindowAgent.Presentation()
    presentation.session = WindowAgent.Session(folder: "/s", lock: 0)
    let callback =
      #"echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'"#
    let told = try await Run(
      "\(callback); read -r first; read -r second; sleep 0.2; echo \"$first $second\" >told",
      presentation: presentation)
    #expect(told.file("told") == #"{"accept":true} {"cancel":true}"#)
    let untold = try await Run("\(callback); exec sleep 60", presentation: presentation)
    #expect(try untold.callback != nil)
    #expect(untold.duration < .seconds(5))
  }

  @Test("What is not as it was asked for is told, and the visit goes on")
  func warning() async throws {
    let run = try await Run(
      #"""
      echo '{"warning":{"description":"there is no parent"}}'; echo '{"closed":{"by":"user"}}'
      """#)
    #expect(run.notices == ["warning there is no parent"])
    #expect(run.code == "cancelled")
  }

  @Test("A stray callback does not end the visit, nor does a URL that is no redirect, nor an unknown line")
  func strays() async throws {
    let run = try await Run(
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
    let run = try await Run(
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
    #expect(try await Run("echo '\(line)'").code == code)
  }

  @Test("A window that dies is started again, once")
  func restart() async throws {
    let once = try await Run(
      """
      [ -e started ] || { touch started; kill -9 $$; }
      echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60
      """)
    #expect(try once.callback == "https://app.example/done?code=1&state=S")
    #expect(once.notices == ["restarted"])
    #expect(try await Run("exit 1").code == "window_failed")
  }

  @Test("A window whose page stays blank is started with the next rendering, with the same page")
  func blank() async throws {
    let run = try await Run(
      """
      echo "$line" >>all
      case $line in
        *no-compositing*) echo '{"painted":{}}'
          echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60;;
        *) echo '{"blank":{}}';;
      esac
      """)
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.notices == ["blank no-compositing", "painted no-compositing"])
    let lines = run.file("all").split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[1] == lines[0].replacing("}}", with: ",\"rendering\":\"no-compositing\"}}"))
  }

  @Test("Blank pages and a death together come to an end", arguments: ["blank", "death"])
  func ladder(_ first: String) async throws {
    let die = first == "death" ? "[ -e died ] || { touch died; kill -9 $$; }" : ""
    let run = try await Run("echo >>starts; \(die)\necho '{\"blank\":{}}'")
    #expect(run.code == "window_failed")
    let notices = ["blank no-compositing", "blank software"]
    #expect(run.notices == (first == "death" ? ["restarted", "blank software"] : notices))
  }

  @Test("A page that painted at first is nothing to remember")
  func paintedAtFirst() async throws {
    let run = try await Run(#"echo '{"painted":{}}'; echo '{"closed":{"by":"user"}}'"#)
    #expect(run.notices == [])
  }

  @Test("A page that may be asked for only once is not opened again after that")
  func once() async throws {
    let page = #"echo '{"page":{"origin":"https://as.example","secure":true,"main_frame_loaded":false}}'"#
    for (script, windows) in [("\(page); kill -9 $$", 1), ("echo '{\"blank\":{}}'", 1), ("kill -9 $$", 2)] {
      let run = try await Run("echo x >>starts; \(script)", mayOpenTwice: false)
      #expect(run.code == "window_failed")
      #expect(run.file("starts").filter { $0 == "x" }.count == windows, "\(script)")
      #expect(run.file("opened").contains("\"opens_once\":true"))
    }
  }

  @Test("What fails on the screen is told as long as it is there")
  func faults() async throws {
    let run = try await Run(
      """
      echo '{"page":{"origin":"","secure":false,"main_frame_loaded":false,"page_error":{"kind":"offline"}}}'
      echo '{"page":{"origin":"https://as.example","secure":true,"main_frame_loaded":true}}'
      echo '{"closed":{"by":"user"}}'
      """)
    #expect(run.notices == ["fault network_error", "no fault", "page https://as.example"])
    #expect(run.code == "cancelled")
  }

  @Test("Who changes over takes the same visit along, and what the browser brings ends the window")
  func handover() async throws {
    let run = try await Run(
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
    let run = try await Run(
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
    let failed = try await Run(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; exit 1",
      onward: BroughtBack(uri: "https://app.example/done?code=1&state=S", after: .milliseconds(300)))
    #expect(try failed.callback == "https://app.example/done?code=1&state=S")
    let closed = try await Run(
      "echo '{\"switch\":{\"to\":\"browser\"}}'; read -r ask; echo '{\"closed\":{\"by\":\"user\"}}'",
      onward: BroughtBack(uri: nil))
    #expect(closed.code == "cancelled")
  }

  @Test("Without a browser to go to nobody changes over")
  func nowhereToGo() async throws {
    let run = try await Run("echo '{\"switch\":{\"to\":\"browser\"}}'; echo '{\"closed\":{\"by\":\"user\"}}'")
    #expect(run.code == "cancelled")
    #expect(!run.file("opened").contains("ways"))
    #expect(run.notices == [])
  }

  @Test("Without a display, or without the program, nothing is started")
  func nothingToStart() async throws {
    #expect(try await Run("touch started", hasDisplay: false).code == "no_display")
    let agent = WindowAgent(candidates: ["/nowhere/tokentry-window"], hasDisplay: true)
    #expect(await Run.result(of: agent, try Run.visit()).failureCode == "window_failed")
  }

  @Test("Whoever cancels the visit ends the window and what it has started, at once")
  func cancellation() async throws {
    let folder = try WindowScript()
    try folder.write("sleep 60 & echo $! >child; echo '{\"ready\":{\"protocol\":1}}'; wait")
    let agent = WindowAgent(candidates: [folder.program], hasDisplay: true)
    let visit = try Run.visit()
    await onMainLoop {
      let task = GLibActor.task { _ = try? await agent.visit(visit) }
      for _ in 0..<200 where folder.file("child").isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
      task.cancel()
      await task.value
      await agent.dismiss()
    }
    let child = try #require(pid_t(folder.file("child")))
    for _ in 0..<100 where !folder.hasEnded(child) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(folder.hasEnded(child))
  }

  @Test("The window is not told the secrets of the environment, and inherits no descriptor")
  func inheritance() async throws {
    setenv("TOKENTRY_CLIENT_SECRET", "hidden", 1)
    defer { unsetenv("TOKENTRY_CLIENT_SECRET") }
    let inherited = open("/dev/null", O_RDONLY)  // without FD_CLOEXEC
    defer { close(inherited) }
    let run = try await Run("env >variables; ls -l /proc/$$/fd >open; echo '{\"closed\":{\"by\":\"user\"}}'")
    #expect(run.file("variables").contains("PATH="))
    #expect(!run.file("variables").contains("TOKENTRY_CLIENT_SECRET"))
    // Standard error alone, and not what this test has open.
    #expect(run.file("open").components(separatedBy: "/dev/null").count == 2, "\(run.file("open"))")
  }
}

/// A visit with a script in place of the window.
private struct Run {
  let folder: WindowScript
  let result: Result<Arrival, Failure>
  let notices: [String]
  /// How long it took, once it was its turn on the main loop.
  let duration: Duration

  /// What the window is told if a test does not care.
  private static var usual: WindowAgent.Presentation {
    var presentation = WindowAgent.Presentation()
    presentation.title = "Mail"
    presentation.hasNoClose = true
    return presentation
  }

  init(
    _ script: String, hasDisplay: Bool = true, mayOpenTwice: Bool = true,
    presentation: WindowAgent.Presentation = usual, onward: (any UserAgent)? = nil, isPrepared: Bool = false
  ) async throws {
    signal(SIGPIPE, SIG_IGN)  // as the program does, whose window may end at any time
    let folder = try WindowScript()
    try folder.write(script)
    let log = Log()
    let agent = WindowAgent(
      candidates: ["/nowhere/tokentry-window", folder.program], hasDisplay: hasDisplay,
      presentation: presentation, onward: onward
    ) { log.add($0) }
    let visit = try Self.visit(mayOpenTwice: mayOpenTwice)
    (result, duration) = await Self.timedResult(of: agent, visit, isPrepared: isPrepared)
    (self.folder, notices) = (folder, log.entries)
  }

  static func visit(mayOpenTwice: Bool = true) throws -> Visit {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.example/done"), aliases: [try RedirectURI("app:/done")],
      errorPages: [try ErrorPage("https://as.example/error")])
    return Visit(url: "https://as.example/", policy: policy, state: State("S"), mayOpenTwice: mayOpenTwice)
  }

  static func result(of agent: WindowAgent, _ visit: Visit) async -> Result<Arrival, Failure> {
    await timedResult(of: agent, visit, isPrepared: false).0
  }

  private static func timedResult(
    of agent: WindowAgent, _ visit: Visit, isPrepared: Bool
  ) async -> (Result<Arrival, Failure>, Duration) {
    signal(SIGPIPE, SIG_IGN)  // as the program does: a window may have ended when it is told something
    return await onMainLoop { () async -> (Result<Arrival, Failure>, Duration) in
      if isPrepared { await agent.prepare(for: visit.policy) }
      let started = ContinuousClock.now
      let result: Result<Arrival, Failure>
      do throws(Failure) { result = .success(try await agent.visit(visit)) } catch {
        result = .failure(error)
      }
      await agent.dismiss()
      return (result, ContinuousClock.now - started)
    }
  }

  var callback: String? {
    get throws {
      guard case .success(.callback(let callback)) = result else { return nil }
      return try callback.text()
    }
  }

  var code: String? { result.failureCode }

  func file(_ name: String) -> String { folder.file(name) }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var entries: [String] { lines.withLock { $0 } }

    func add(_ notice: WindowAgent.Notice) {
      let line =
        switch notice {
        case .page(let origin): "page \(origin)"
        case .fault(let failure): failure.map { "fault \($0.code)" } ?? "no fault"
        case .stray: "stray"
        case .warning(let text): "warning \(text)"
        case .restarted: "restarted"
        case .blank(let next): "blank \(next.rawValue)"
        case .painted(let rendering): "painted \(rendering.rawValue)"
        case .left: "left"
        }
      lines.withLock { $0.append(line) }
    }
  }
}

extension Result<Arrival, Failure> {
  fileprivate var failureCode: String? {
    if case .failure(let failure) = self { failure.code } else { nil }
  }
}

/// A browser that brings something back after a while, or nothing for as long as it is waited for.
private struct BroughtBack: UserAgent {
  let uri: String?
  var after = Duration.milliseconds(50)

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    try? await Task.sleep(for: uri == nil ? .seconds(600) : after)
    guard let uri, case .callback(let callback) = visit.policy.decision(for: Array(uri.utf8)) else {
      throw .user(.cancelled("nothing was brought back"))
    }
    return .callback(callback)
  }

  func dismiss() async {}
}
