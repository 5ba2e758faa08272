import LoginCore
import Testing

@testable import LoginWays

@Suite("What the window tells")
struct WindowEventTests {
  private static let faults: [PageFault] = [
    .offline, .unknownHost("as.example"), .connection(host: "as.example:8443", reason: "refused"),
    .tls(host: "as.example", CertificateFlaw.allCases, fingerprint: "AB:CD"),
    .tls(host: "as.example", [.damaged], fingerprint: nil), .viewEnded(.memory), .viewEnded(.crash),
    .viewEnded(.silence),
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
      .painted, .blank, .active, .waiting(host: "as.example:8443"), .arranged(WindowLayout(zoom: 50)),
      .arranged(WindowLayout(size: WindowSize("960x720"))),
      .failed(error: "no_display", description: "there is none"),
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
    "What is wrong with a page has a name that programs know",
    arguments: zip(
      faults,
      [
        #"{"kind":"offline"}"#, #"{"kind":"unknown_host","host":"as.example"}"#,
        #"{"kind":"connection","host":"as.example:8443","reason":"refused"}"#,
        #"{"kind":"tls","host":"as.example","flaws":["revoked","other_host","expired","not_yet_valid","#
          + #""insecure","unknown_issuer","damaged"],"fingerprint":"AB:CD"}"#,
        #"{"kind":"tls","host":"as.example","flaws":["damaged"]}"#,
        #"{"kind":"view_ended","reason":"memory"}"#, #"{"kind":"view_ended","reason":"crash"}"#,
        #"{"kind":"view_ended","reason":"silence"}"#,
      ]))
  func faultLines(_ fault: PageFault, _ json: String) {
    let line = WindowEvent.closed(by: .user, fault: fault).line
    #expect(line == #"{"closed":{"by":"user","page_error":\#(json)}}"# + "\n")
  }

  @Test(
    "What a later window may say of a page is left out, and the rest is understood",
    arguments: [
      (
        #"{"kind":"tls","host":"a","flaws":["expired","haunted",1],"fingerprint":null}"#,
        .tls(host: "a", [], fingerprint: nil)
      ),
      (
        #"{"kind":"tls","host":"a","flaws":["haunted","expired"]}"#,
        .tls(host: "a", [.expired], fingerprint: nil)
      ),
      (#"{"kind":"tls","host":"a"}"#, .tls(host: "a", [], fingerprint: nil)),
      (#"{"kind":"view_ended","reason":"boredom"}"#, .viewEnded(.crash)), (#"{"kind":"haunted"}"#, nil),
    ] as [(String, PageFault?)])
  func laterFaults(_ json: String, _ fault: PageFault?) {
    let line = #"{"closed":{"by":"user","page_error":\#(json)}}"#
    #expect(WindowEvent(line: Array(line.utf8)) == .closed(by: .user, fault: fault))
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

  @Test(
    "A failure page ends a login for the same reason",
    arguments: [
      (.offline, .network(.offline)), (.unknownHost("a"), .network(.unknownHost("a"))),
      (.connection(host: "a", reason: "b"), .network(.connection(host: "a", .system("b")))),
      (
        .tls(host: "a", [.expired, .otherHost], fingerprint: "AB"),
        .network(.tls(host: "a", .certificate([.expired, .otherHost]), fingerprint: "AB"))
      ),
      (.viewEnded(.memory), .way(.window(.viewEnded(.memory)))),
    ] as [(PageFault, Failure)])
  func failures(_ fault: PageFault, _ failure: Failure) { #expect(fault.failure == failure) }
}
