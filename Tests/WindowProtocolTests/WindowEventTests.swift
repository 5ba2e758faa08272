import LoginCore
import Testing

@testable import WindowProtocol

@Suite("WindowEvent")
struct WindowEventTests {
  @Test(
    "An event is read from its line as it was written",
    arguments: [
      .ready(protocolVersion: 1),
      .page(.init(origin: "https://as.example", isSecure: true, isLoaded: false)),
      .callback(uri: "app:/done?code=1", mainFrame: true),
      .callback(uri: "app:/done?code=1", mainFrame: false), .callback(uri: "app:/done", mainFrame: nil),
      .finalPage(
        uri: "https://vpn.example/done",
        values: PageValues(cookies: [Parameter("a", "b=\"c\"")], headers: [Parameter("x-y", "z")])),
      .finalPage(uri: "https://vpn.example/done", values: PageValues()),
      .errorPage(uri: "https://as.example/error", body: "{\"error\":\"x\"}\n"),
      .errorPage(uri: "https://as.example/error", body: nil), .closed(by: .user, fault: nil),
      .closed(by: .caller, fault: nil), .closed(by: .passerby, fault: nil), .switched(to: .browser),
      .wantsCertificate(host: "as.example"), .wantsPIN(host: "as.example", wasWrong: false, tries: nil),
      .wantsPIN(host: "as.example", wasWrong: true, tries: .few),
      .loginRequired(uri: "https://as.example/login?a=1"),
      .warning("there is no parent window"), .painted, .blank, .active,
      .answered(Question.Answer(button: "continue", text: "app:/done?\"code\"=1\n")),
      .answered(Question.Answer(choice: 1)), .answered(Question.Answer(button: "without")),
      .waiting(host: "as.example:8443"), .arranged(WindowLayout(zoom: 50)),
      .arranged(WindowLayout(size: WindowSize("960x720"))),
      .failed(error: "no_display", description: "there is none"),
      .checked(engine: "WebKitGTK 2.50.6", sandboxFault: nil),
      .checked(engine: "x", sandboxFault: "no bwrap"),
    ] as [WindowEvent])
  func roundTrip(_ event: WindowEvent) {
    let line = event.line
    #expect(line.hasSuffix("\n"))
    #expect(!line.dropLast().contains("\n"))
    #expect(WindowEvent(line: Array(line.utf8.dropLast())) == event)
  }

  @Test("The lines are those that tokentry-window(1) documents")
  func lines() {
    #expect(WindowEvent.ready(protocolVersion: 1).line == #"{"ready":{"protocol":1}}"# + "\n")
    #expect(
      WindowEvent.callback(uri: "app:/done", mainFrame: nil).line
        == #"{"callback":{"uri":"app:/done","main_frame":null}}"# + "\n")
    #expect(
      WindowEvent.finalPage(uri: "https://a.example/", values: PageValues(cookies: [Parameter("b", "c")]))
        .line
        == #"{"callback":{"uri":"https://a.example/","main_frame":true,"cookies":{"b":"c"},"headers":{}}}"#
        + "\n")
    #expect(WindowEvent.closed(by: .user, fault: nil).line == #"{"closed":{"by":"user"}}"# + "\n")
    #expect(
      WindowEvent.loginRequired(uri: "https://as.example/").line
        == #"{"login_required":{"uri":"https://as.example/"}}"# + "\n")
    #expect(
      WindowEvent.answered(Question.Answer(button: "once", text: "a", choice: 0)).line
        == #"{"answered":{"button":"once","text":"a","choice":0}}"# + "\n")
    #expect(WindowEvent.warning("a").line == #"{"warning":{"description":"a"}}"# + "\n")
  }

  @Test(
    "A line that is not a known event is ignored",
    arguments: [
      "", "ready", "{}", #"{"ready":{}}"#, #"{"ready":true}"#, #"{"callback":{}}"#, #"{"error_page":{}}"#,
      #"{"closed":{"by":"wind"}}"#, #"{"switch":{}}"#, #"{"login_required":{}}"#,
      #"{"warning":{}}"#, #"{"failed":{}}"#, #"{"dance":{}}"#, #"{"answered":1}"#,
      #"{"closed":{"by":"user"},"failed":{}}"#,
    ])
  func unknown(_ line: String) {
    #expect(WindowEvent(line: Array(line.utf8)) == nil)
  }

  @Test("A callback of the greatest length fits into a line, even if every byte is escaped")
  func longest() {
    let uri = String(repeating: "\u{1}", count: Callback.maximumLength + 1)
    let event = WindowEvent.callback(uri: uri, mainFrame: nil)
    #expect(WindowEvent(line: Array(event.line.utf8.dropLast())) == event)
  }
}
