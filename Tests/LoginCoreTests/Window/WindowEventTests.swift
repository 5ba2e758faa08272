import Testing

@testable import LoginCore

@Suite("What the window tells")
struct WindowEventTests {
  private static let faults: [PageFault] = [
    .offline(reason: "no route"), .unknownHost("as.example"),
    .connection(host: "as.example:8443", reason: "refused"),
    .tls(host: "as.example", reason: "it has expired", fingerprint: "AB:CD"),
    .tls(host: "as.example", reason: "it is damaged", fingerprint: nil), .viewEnded(reason: "it crashed"),
  ]

  private static let events: [WindowEvent] =
    [
      .ready(protocolVersion: 1), .page(.init(origin: "https://as.example", isSecure: true, isLoaded: false)),
      .callback(uri: "app:/done?code=1", mainFrame: true),
      .callback(uri: "app:/done?code=1", mainFrame: false), .callback(uri: "app:/done", mainFrame: nil),
      .errorPage(uri: "https://as.example/error", body: "{\"error\":\"x\"}\n"),
      .errorPage(uri: "https://as.example/error", body: nil), .closed(by: .user, fault: nil),
      .closed(by: .caller, fault: nil), .switched(to: "browser"), .pasted(text: "app:/done?\"code\"=1\n"),
      .loginRequired(uri: "https://as.example/login?a=1"), .warning("there is no parent window"),
      .painted, .blank, .failed(error: "no_display", description: "there is none"),
      .checked(engine: "WebKitGTK 2.50.6", sandboxFault: nil),
      .checked(engine: "x", sandboxFault: "no bwrap"),
    ]
    + faults.flatMap { fault in
      [
        WindowEvent.closed(by: .user, fault: fault),
        .page(.init(origin: "", isSecure: false, isLoaded: false, fault: fault)),
      ]
    }

  @Test("Every event comes back from its line as it went in", arguments: events)
  func roundTrip(_ event: WindowEvent) {
    let line = event.line
    #expect(line.hasSuffix("\n"))
    #expect(!line.dropLast().contains("\n"))
    #expect(WindowEvent(line: Array(line.utf8.dropLast())) == event)
  }

  @Test("The lines are those of the contract")
  func lines() {
    #expect(WindowEvent.ready(protocolVersion: 1).line == "{\"ready\":{\"protocol\":1}}\n")
    #expect(
      WindowEvent.callback(uri: "app:/done", mainFrame: nil).line
        == "{\"callback\":{\"uri\":\"app:/done\",\"main_frame\":null}}\n")
    #expect(WindowEvent.closed(by: .user, fault: nil).line == "{\"closed\":{\"by\":\"user\"}}\n")
    #expect(
      WindowEvent.loginRequired(uri: "https://as.example/").line
        == "{\"login_required\":{\"uri\":\"https://as.example/\"}}\n")
    #expect(WindowEvent.warning("a").line == "{\"warning\":{\"description\":\"a\"}}\n")
  }

  @Test(
    "What is not an event is nothing",
    arguments: [
      "", "ready", "{}", "{\"ready\":{}}", "{\"ready\":true}", "{\"callback\":{}}", "{\"error_page\":{}}",
      "{\"closed\":{\"by\":\"wind\"}}", "{\"switch\":{}}", "{\"pasted\":{}}",
      "{\"login_required\":{}}", "{\"warning\":{}}", "{\"failed\":{}}", "{\"dance\":{}}",
      "{\"closed\":{\"by\":\"user\"},\"failed\":{}}",
    ])
  func unknown(_ line: String) {
    #expect(WindowEvent(line: Array(line.utf8)) == nil)
  }

  @Test("A callback of the greatest length fits into a line, however its bytes are escaped")
  func longest() {
    let uri = String(repeating: "\u{1}", count: Callback.maximumLength + 1)
    let event = WindowEvent.callback(uri: uri, mainFrame: nil)
    #expect(WindowEvent(line: Array(event.line.utf8.dropLast())) == event)
  }

  @Test("A failure page ends a login with its own error and status", arguments: faults)
  func failures(_ fault: PageFault) {
    let expected: (String, Int32) =
      switch fault {
      case .offline, .unknownHost, .connection: ("network_error", 5)
      case .tls: ("tls_error", 5)
      case .viewEnded: ("window_failed", 7)
      }
    #expect(fault.failure.code == expected.0)
    #expect(fault.failure.exitStatus == expected.1)
  }
}
