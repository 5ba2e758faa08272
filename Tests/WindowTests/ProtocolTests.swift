import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The window's program, tokentry-window")
  struct ProtocolTests {
    @Test("The window reports its pages, and ends with its input")
    func endOfInput() async throws {
      let desk = try await Desk()
      let window = try desk.window(at: "auth?state=S")
      #expect(await eventually { window.pagesLoaded > 0 })
      #expect(window.text.hasPrefix("{\"ready\":{\"protocol\":1}}\n"))
      #expect(window.text.contains("{\"page\":{\"origin\":\"\(desk.provider)\",\"secure\":false,"))
      let group = window.identifier
      #expect(Processes.names(inGroup: group).count > 2, "WebKit's processes are in its group")
      try window.closeInput()
      #expect(await window.end(within: soon) != nil)
      #expect(await eventually(within: soon) { Processes.names(inGroup: group).isEmpty })
    }

    @Test("The window ends with its input even while the display does not answer")
    func endOfInputWhileBusy() async throws {
      let desk = try await Desk()
      let window = try desk.mailWindow(at: "auth")
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      let group = window.identifier
      let holder = try Program(
        "/usr/bin/python3", [Desk.file("hold-display.py")], environment: desk.environment,
        errorPath: desk.folder + "/holder")
      try #require(await eventually { holder.text == "held\n" }, "\(holder.errors)")
      try window.write("{\"raise\":true}\n")
      try await Task.sleep(for: .milliseconds(200))  // by then the window waits for the display
      try window.closeInput()
      #expect(await window.end() != nil)
      #expect(await eventually(within: soon) { Processes.names(inGroup: group).isEmpty })
      try holder.closeInput()
      #expect(await holder.end() == 0, "\(holder.errors)")
    }

    @Test("A callback does not end the window, because it may be a stray one, but the command `accept` does")
    func accept() async throws {
      let desk = try await Desk()
      let window = try desk.window(at: "good?redirect_uri=\(Desk.redirect)&state=S")
      let callback =
        #"{"callback":{"uri":"https://oauth.vk.com/blank.html#access_token=T&token_type=Bearer&expires_in=60&state=S","main_frame":true}}"#
      #expect(await eventually { window.text.contains(callback) }, "\(window.text)")
      #expect(await window.end(within: 0.5) == nil)
      try window.write("{\"accept\":true}\n")
      #expect(await window.end() != nil)
      #expect(!window.text.contains("closed"))
    }

    @Test("A window without a page is ready but hidden, and has no page to go back to later")
    func ready() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write(
        "{\"open\":{\"redirect_uris\":[\"app:/done\"],\"title\":\"Mail\"}}\n{\"raise\":true}\n")
      try #require(await eventually { window.text.contains("ready") })
      try await Task.sleep(for: .milliseconds(1_500))  // a window whose page loads appears sooner
      #expect(!desk.screen.shows("Mail"))
      #expect(window.text == "{\"ready\":{\"protocol\":1}}\n")
      try window.write("{\"go\":{\"url\":\"\(desk.provider)/auth\"}}\n")
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      try desk.screen.press("alt+Left")
      try window.write("{\"go\":{\"url\":\"\(desk.provider)/empty\"}}\n")
      try await Task.sleep(for: .seconds(1))  // neither has an effect
      #expect(!window.text.contains("about:"), "\(window.text)")
      #expect(desk.requests.map { $0.prefix(9) } == ["GET /auth"])
    }

    @Test("A page cannot go back to the empty page with which a window without a page starts")
    func emptyPage() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write("{\"open\":{\"redirect_uris\":[\"app:/done\"]}}\n")
      try await Task.sleep(for: .seconds(2))  // by then the empty page is complete, which is not reported
      let page =
        "<script>setTimeout(() => history.back(), 300); setTimeout(() => fetch('/still-there'), 1500)</script>"
      try window.write("{\"go\":{\"url\":\"\(desk.provider)/html?body=\(page.percentEncoded)\"}}\n")
      #expect(await desk.isHit("/still-there"), "\(window.text)")
      try window.write("{\"cancel\":true}\n")
      _ = await window.end()
    }

    @Test("`show` makes the window visible before its page is complete, and `cancel` ends it")
    func cancel() async throws {
      let desk = try await Desk()
      let window = try desk.mailWindow(at: "auth")
      try window.write("{\"show\":true}\n")
      #expect(await eventually { desk.screen.shows("Mail") })
      try window.write("{\"cancel\":true}\n")
      #expect(await window.end() != nil)
      #expect(window.text.hasSuffix("{\"closed\":{\"by\":\"caller\"}}\n"))
    }

    @Test(
      "The environment cannot start a web inspector",
      arguments: chosen(["WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER"], at: 0))
    func inspector(_ variable: String) async throws {
      let desk = try await Desk()
      let port = 20_000 + Int(getpid()) % 20_000
      let window = try desk.window(at: "auth", variables: [variable: "127.0.0.1:\(port)"])
      try #require(await eventually { window.pagesLoaded > 0 })
      #expect(!Processes.listens(inGroup: window.identifier))
    }

    @Test("A command that cannot be carried out is reported, with an exit status")
    func refusals() async throws {
      let desk = try await Desk()
      for line in [
        "nonsense\n", "{\"open\":{\"url\":\"https://as.example/\",\"redirect_uris\":[\"javascript:x\"]}}\n",
      ] {
        let window = try desk.window()
        try window.write(line)
        try window.closeInput()
        #expect(await window.end() == 2)
        #expect(window.text.hasPrefix("{\"failed\":{\"error\":\"invalid_option\""))
      }
      let window = try desk.window(at: "auth", variables: ["DISPLAY": ":4096"])
      #expect(await window.end() == 7)
      #expect(window.text.hasPrefix("{\"failed\":{\"error\":\"no_display\""))
    }
  }
}
