import Foundation
@testable import TestSupport
import Testing

/// Dialogues as FreeRDP's document of its protocol has them (`client/common/aad-helper-protocol.md`).
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

  @Test("It greets, takes the user to several pages, and ends")
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

  @Test("In the window the host knows whom the gateway has signed in")
  func cookies() async throws {
    let screen = try await Screen()
    let server = try StandInServer { request, _ in
      if request.path == "/gateway" {
        return StandInServer.Answer(
          302,
          [
            "Location: https://app.example/nativeclient?code=G", "Set-Cookie: known=ann; Max-Age=600",
            "Content-Length: 0",
          ])
      }
      let isKnown = request.headers["cookie"]?.contains("known=ann") == true
      return .redirect("https://app.example/nativeclient?\(isKnown ? "code=H" : "error=login_required")")
    }
    let ok = #""result":{"status":"ok","redirect_url":"https://app.example/nativeclient?code="#
    let lines =
      Self.hello(try FreeRDPClient.version())
      + [
        Self.navigate(2, server.base + "/gateway"), #"< {"jsonrpc":"2.0","id":2,\#(ok)G"}}"#,
        Self.navigate(3, server.base + "/host"), #"< {"jsonrpc":"2.0","id":3,\#(ok)H"}}"#,
      ] + Self.goodbye
    let said = try await onThread { try FreeRDPClient.hold(lines, ["DISPLAY": screen.name]) }
    #expect(said == "0 True ''\n")
  }

  @Test("Many at once do not disturb each other, and their log has no code")
  func many() async throws {
    let server = try server()
    let log = FileManager.default.temporaryDirectory.appending(path: "freerdp-\(UUID().uuidString).log")
      .path()
    defer { try? FileManager.default.removeItem(atPath: log) }
    let hello = Self.hello(try FreeRDPClient.version())
    let said = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<20 {
        let state = "STATEOFTHIS\(number)"
        let lines =
          hello
          + [
            Self.navigate(2, server.base + "/host?state=\(state)"),
            #"< {"jsonrpc":"2.0","id":2,"result":{"status":"ok","redirect_url":"#
              + #""https://app.example/nativeclient?code=CODEOFTHEUSER&state=\#(state)"}}"#,
          ] + Self.goodbye
        group.addTask {
          try await onThread {
            try FreeRDPClient.hold(lines, ["TOKENTRY_HEADLESS_TEST": "1", "TOKENTRY_LOG": log])
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(said == Array(repeating: "0 True ''\n", count: 20))
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains("heard: {\"jsonrpc\"") && text.contains("said: {\"jsonrpc\""), "\(text)")
    #expect(!text.contains("CODEOFTHEUSER"), "\(text)")
  }

  @Test("Where no page can be shown FreeRDP is told, and the dialogue goes on")
  func nowhere() throws {
    let lines =
      Self.hello(try FreeRDPClient.version())
      + [
        Self.navigate(2, "https://login.example/"),
        #"< {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no_display"}}"#,
      ] + Self.goodbye
    #expect(try FreeRDPClient.hold(lines, [:]) == "0 True ''\n")
  }

  @Test("What ends a page says so by its name, in both spellings of cancel")
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

  @Test("What is not of the protocol is an error of its own, and the dialogue goes on")
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
    #expect(try FreeRDPClient.hold(lines) == "0 True ''\n", "the end of its input is its end")
  }

  @Test(
    "Without both descriptors there is nobody to talk to",
    arguments: [[], ["--cmdInFd=P0"], ["--cmdInFd=P3F"]])
  func descriptors(arguments: [String]) throws {
    let outcome = try Program.run(["helper", "freerdp"] + arguments)
    #expect(outcome.status == 2 && outcome.output.isEmpty && !outcome.messages.isEmpty)
  }
}
