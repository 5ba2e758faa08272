import Foundation
@testable import TestSupport
import Testing

/// Dialogues from FreeRDP's description of its protocol (`client/common/aad-helper-protocol.md`), in the order of FreeRDP
/// 3.32, which starts a helper for each token.
@Suite("FreeRDP and its helper", .blocking)
struct FreeRDPTests {
  private static func navigate(_ id: Int, _ url: String, _ more: String = "") -> String {
    #"> {"jsonrpc":"2.0","id":\#(id),"method":"navigate","params":{"title":"Sign in","url":"\#(url)","#
      + #""redirect_uri":"https://app.example/nativeclient"\#(more)}}"#
  }

  private static func hello(_ version: String) -> [String] {
    [
      #"> {"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol_version":1,"client":"freerdp"}}"#,
      #"< {"jsonrpc":"2.0","id":1,"result":{"protocol_version":1,"helper":"tokentry/\#(version)"}}"#,
    ]
  }

  private static let goodbye = [
    #"> {"jsonrpc":"2.0","id":9,"method":"shutdown"}"#, #"< {"jsonrpc":"2.0","id":9,"result":null}"#,
    #"> {"jsonrpc":"2.0","method":"exit"}"#,
  ]

  private func server() throws -> StandInServer {
    try StandInServer { request, _ in
      switch request.path {
      case "/denied":
        .redirect("https://app.example/nativeclient?error=access_denied&error_subcode=cancel")
      case "/slow":
        {
          for _ in 0..<1_000 where !request.isAbandoned() { usleep(10_000) }
          return .hangUp
        }()
      case "/host" where request.query["state"]?.hasPrefix("STATEOFTHIS") == true:
        .redirect(
          "https://app.example/nativeclient?code=CODEOFTHEUSER&state=\(request.query["state"] ?? "")")
      default: .redirect("https://app.example/nativeclient?code=C&state=\(request.query["state"] ?? "")")
      }
    }
  }

  @Test("The helper greets, takes the user to several pages, and ends")
  func dialogue() throws {
    let server = try server()
    let ok = #""result":{"status":"ok","redirect_url":"https://app.example/nativeclient?code=C&state="#
    let lines =
      Self.hello(try FreeRDPClient.version())
      + [
        Self.navigate(2, server.base + "/gateway?state=G", #","timeout_ms":180000"#),
        #"< {"jsonrpc":"2.0","id":2,\#(ok)G"}}"#,
        Self.navigate(3, server.base + "/host?state=H", #","timeout_ms":0"#),
        #"< {"jsonrpc":"2.0","id":3,\#(ok)H"}}"#,
        Self.navigate(4, server.base + "/denied"),
        #"< {"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"access_denied: cancel"}}"#,
      ] + Self.goodbye
    #expect(try FreeRDPClient.hold(lines) == "0 True ''\n")
  }

  @Test(
    "In the window, the host's page gets the cookies of the gateway's page from another helper, also those without a lifetime"
  )
  func cookies() async throws {
    let screen = try await Screen()
    let server = try StandInServer { request, _ in
      if request.path == "/gateway" {
        return StandInServer.Answer(
          302,
          [
            "Location: https://app.example/nativeclient?code=G", "Set-Cookie: known=ann; Max-Age=600",
            "Set-Cookie: brief=b; HttpOnly", "Content-Length: 0",
          ])
      }
      let sent = request.headers["cookie"] ?? ""
      let isKnown = sent.contains("known=ann") && sent.contains("brief=b")
      return .redirect("https://app.example/nativeclient?\(isKnown ? "code=H" : "error=login_required")")
    }
    let ok = #""result":{"status":"ok","redirect_url":"https://app.example/nativeclient?code="#
    let lines =
      Self.hello(try FreeRDPClient.version())
      + [
        Self.navigate(2, server.base + "/gateway"), #"< {"jsonrpc":"2.0","id":2,\#(ok)G"}}"#,
      ] + Self.goodbye + Self.hello(try FreeRDPClient.version()) + [
        Self.navigate(2, server.base + "/host"), #"< {"jsonrpc":"2.0","id":2,\#(ok)H"}}"#,
      ] + Self.goodbye
    let said = try await onThread { try FreeRDPClient.hold(lines, ["DISPLAY": screen.name]) }
    #expect(said == "0 True ''\n0 True ''\n")
  }

  @Test(
    "Cookies of a connection that has ended are removed, but not those of a running one or of a session of the user"
  )
  func forsaken() throws {
    let folder = TemporaryFolder()
    let sessions = folder.path + "/tokentry/sessions"
    let (this, none) = (getpid(), pid_t.max)
    let status = try String(contentsOfFile: "/proc/\(this)/stat", encoding: .utf8)
    let start = status.split(separator: ")").last?.split(separator: " ").dropFirst(19).first ?? ""
    let (running, locked) = ("freerdp-\(this)-\(start)", "freerdp-\(none)-2")
    for name in ["freerdp-\(none)-1", "freerdp-\(this)-1", running, locked, "freerdp-work"] {
      try FileManager.default.createDirectory(
        atPath: "\(sessions)/\(name)", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try folder.write("x", to: "tokentry/sessions/\(name)/cookies.sqlite")
    }
    let lock = open("\(sessions)/\(locked)", O_RDONLY | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let lines = Self.hello(try FreeRDPClient.version()) + Self.goodbye
    let said = try FreeRDPClient.hold(lines, ["XDG_RUNTIME_DIR": folder.path])
    #expect(said == "0 True ''\n")
    let left = try FileManager.default.contentsOfDirectory(atPath: sessions)
    #expect(Set(left) == [running, locked, "freerdp-work"])
  }

  @Test("The cookies are removed if FreeRDP is killed while its helper shows a page")
  func killed() throws {
    let server = try server()
    // No window opens at this display, but there could be one.
    let variables = ["TOKENTRY_HEADLESS_TEST": "1", "DISPLAY": ":9"]
    #expect(try FreeRDPClient.hold([Self.navigate(2, server.base + "/slow"), "killed"], variables) == "")
  }

  @Test("Twenty helpers at once do not disturb each other, and their log has no code")
  func many() async throws {
    let server = try server()
    let folder = TemporaryFolder()
    let log = folder.path + "/log"
    let hello = Self.hello(try FreeRDPClient.version())
    let said = try await atOnce(20) { number in
      let state = "STATEOFTHIS\(number)"
      let lines =
        hello + [
          Self.navigate(2, server.base + "/host?state=\(state)"),
          #"< {"jsonrpc":"2.0","id":2,"result":{"status":"ok","redirect_url":"#
            + #""https://app.example/nativeclient?code=CODEOFTHEUSER&state=\#(state)"}}"#,
        ] + Self.goodbye
      return try FreeRDPClient.hold(lines, ["TOKENTRY_HEADLESS_TEST": "1", "TOKENTRY_LOG": log])
    }
    #expect(said == Array(repeating: "0 True ''\n", count: 20))
    let text = folder.text(of: "log")
    #expect(text.contains("received: {\"jsonrpc\"") && text.contains("sent: {\"jsonrpc\""), "\(text)")
    #expect(!text.contains("CODEOFTHEUSER"), "\(text)")
  }

  @Test("Without a display FreeRDP gets an error, and the dialogue goes on")
  func nowhere() throws {
    let lines =
      Self.hello(try FreeRDPClient.version())
      + [
        Self.navigate(2, "https://login.example/"),
        #"< {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no_display"}}"#,
      ] + Self.goodbye
    #expect(try FreeRDPClient.hold(lines, [:]) == "0 True ''\n")
  }

  @Test("The end of a page is reported with its reason, and cancel works in both spellings")
  func ends() throws {
    let server = try server()
    let slow = server.base + "/slow"
    func refused(_ id: Int, _ reason: String) -> String {
      #"< {"jsonrpc":"2.0","id":\#(id),"error":{"code":1,"message":"\#(reason)"}}"#
    }
    let lines =
      Self.hello(try FreeRDPClient.version())
      + [
        Self.navigate(2, slow), Self.navigate(3, slow), refused(3, "navigate_already_in_progress"),
        #"> {"jsonrpc":"2.0","method":"$/cancel"}"#, refused(2, "user_cancelled"),
        Self.navigate(4, slow), #"> {"jsonrpc":"2.0","method":"cancel"}"#, refused(4, "user_cancelled"),
        Self.navigate(5, slow, #","timeout_ms":100"#), refused(5, "timeout"),
        Self.navigate(6, slow), #"> {"jsonrpc":"2.0","id":7,"method":"shutdown"}"#,
        #"< {"jsonrpc":"2.0","id":7,"result":null}"#, refused(6, "shutting_down"),
        Self.navigate(8, slow), refused(8, "shutting_down"),
      ] + Self.goodbye
    #expect(try FreeRDPClient.hold(lines) == "0 True ''\n")
  }

  @Test("Messages that are not part of the protocol get errors, and the dialogue goes on")
  func malformed() throws {
    let server = try server()
    func wrong(_ id: String, _ code: Int, _ reason: String) -> String {
      #"< {"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(reason)"}}"#
    }
    let parameters = [
      #"{}"#, #"{"url":"https://a.example/"}"#,
      #"{"url":"http://a.example/","redirect_uri":"https://app.example/"}"#,
      #"{"url":"\#(server.base)/","redirect_uri":"javascript:0"}"#,
      #"{"url":"\#(server.base)/","redirect_uri":"https://app.example/","timeout_ms":-1}"#,
      #"{"url":"\#(server.base)/","redirect_uri":"https://app.example/","timeout_ms":"1"}"#,
    ]
    let lines =
      ["> ?", wrong("null", -32_700, "parse_error"), "> " + String(repeating: "x", count: 300_000)]
      + [wrong("null", -32_700, "parse_error")]
      + parameters.flatMap { text in
        [
          #"> {"jsonrpc":"2.0","id":2,"method":"navigate","params":\#(text)}"#,
          wrong("2", -32_602, "invalid_params"),
        ]
      } + [
        #"> {"jsonrpc":"2.0","id":3,"method":"teleport"}"#, wrong("3", -32_601, "method_not_found"),
        #"> {"jsonrpc":"2.0","method":"teleport"}"#,
      ] + Self.hello(try FreeRDPClient.version())
    #expect(try FreeRDPClient.hold(lines) == "0 True ''\n", "the helper ends with its input")
  }

  @Test("The helper needs both descriptors", arguments: [[], ["--cmdInFd=P0"], ["--cmdInFd=P3F"]])
  func descriptors(arguments: [String]) throws {
    let outcome = try Tokentry.run(["helper", "freerdp"] + arguments)
    #expect(outcome.status == 2 && outcome.output.isEmpty && !outcome.messages.isEmpty)
  }
}

/// FreeRDP's side of a dialogue with its helper.
enum FreeRDPClient {
  /// Sends the lines that begin with `>`, expects the lines that begin with `<`, and prints each helper's status and True
  /// if it ended soon. After `exit`, the next line goes to a new helper. At `killed` it waits for cookies, and kills itself.
  private static let program = #"""
    import os, subprocess, sys, time
    def start():
        (reading, down), (up, writing) = os.pipe(), os.pipe()
        helper = subprocess.Popen(
            [sys.argv[1], f"--cmdInFd=P{reading:x}", f"--cmdOutFd=P{writing:x}"], pass_fds=(reading, writing))
        os.close(reading), os.close(writing)
        return helper, down, os.fdopen(up)
    def end(helper, down, answers, hanging_up=False):
        if hanging_up:
            os.close(down)
        start = time.monotonic()
        print(helper.wait(10), time.monotonic() - start < 3, repr(answers.read()))
    running = None
    for line in sys.stdin:
        running = running or start()
        if line.startswith("> "):
            os.write(running[1], line[2:].encode())
            if '"method":"exit"' in line:
                running = end(*running)
        elif line.startswith("killed"):
            sessions = os.environ["XDG_RUNTIME_DIR"] + "/tokentry/sessions"
            while not os.path.exists(sessions) or not os.listdir(sessions):
                time.sleep(0.02)
            os.kill(os.getpid(), 9)
        elif line.startswith("< "):
            heard = running[2].readline()
            assert heard == line[2:], f"{heard!r} in place of {line[2:]!r}"
    if running:
        end(*running, hanging_up=True)
    """#

  /// Returns a line for each helper: its status, True if it ended soon, and the rest of its output.
  static func hold(
    _ lines: [String], _ more: [String: String] = ["TOKENTRY_HEADLESS_TEST": "1"]
  ) throws -> String {
    let folder = TemporaryFolder()
    let link = folder.path + "/freerdp-webview-aad-helper"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try Tokentry.path())
    let environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path]
    let outcome = try Command.run(
      ["/usr/bin/python3", "-c", Self.program, link], input: lines.joined(separator: "\n") + "\n",
      environment: environment.merging(more) { $1 })
    var left: [String]?
    for _ in 0..<1_000 {
      left = try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/tokentry/sessions")
      if left ?? [] == [] { break }
      usleep(20_000)
    }
    #expect(left ?? [] == [], "cookies end with the connection")
    return outcome.output
  }

  /// The version that the helper names.
  static func version() throws -> String {
    try Tokentry.run(["--version"]).output.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
  }
}
