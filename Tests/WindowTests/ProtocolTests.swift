import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The window's own program")
  struct ProtocolTests {
    private static let redirects = #""redirect_uris":["https://oauth.vk.com/blank.html"]"#

    @Test("It says what happens, and is gone at once when its input ends")
    func endOfInput() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write("{\"open\":{\"url\":\"\(desk.provider)/auth?state=S\",\(Self.redirects)}}\n")
      #expect(await eventually { window.text.contains("\"main_frame_loaded\":true") })
      #expect(window.text.hasPrefix("{\"ready\":{\"protocol\":1}}\n"))
      #expect(window.text.contains("{\"page\":{\"origin\":\"\(desk.provider)\",\"secure\":false,"))
      let group = window.identifier
      #expect(Processes.names(inGroup: group).count > 2, "WebKit's processes are in its group")
      try window.closeInput()
      #expect(await window.end(within: soon) != nil)
      #expect(await eventually(within: soon) { Processes.names(inGroup: group).isEmpty })
    }

    @Test("It is gone when its input ends even while it waits for a display that does not answer")
    func endOfInputWhileBusy() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/auth\",\(Self.redirects),\"title\":\"Mail\"}}\n")
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      let group = window.identifier
      let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hold-display.py")
      let holder = try Program(
        "/usr/bin/python3", [script.path()], environment: desk.environment, errorPath: desk.folder + "/holder"
      )
      try #require(await eventually { holder.text == "held\n" }, "\(holder.errors)")
      try window.write("{\"raise\":true}\n")
      try await Task.sleep(for: .milliseconds(200))  // nothing tells that it waits
      try window.closeInput()
      #expect(await window.end() != nil)
      #expect(await eventually(within: soon) { Processes.names(inGroup: group).isEmpty })
      try holder.closeInput()
      #expect(await holder.end() == 0, "\(holder.errors)")
    }

    @Test("A callback does not end it, since it may be a stray one; accepting it does")
    func accept() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      let redirect = "redirect_uri=https://oauth.vk.com/blank.html"
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/good?\(redirect)&state=S\",\(Self.redirects)}}\n")
      let callback =
        #"{"callback":{"uri":"https://oauth.vk.com/blank.html#access_token=T&token_type=Bearer&expires_in=60&state=S","main_frame":true}}"#
      #expect(await eventually { window.text.contains(callback) }, "\(window.text)")
      #expect(await window.end(within: 0.5) == nil)
      try window.write("{\"accept\":true}\n")
      #expect(await window.end() != nil)
      #expect(!window.text.contains("closed"))
    }

    @Test("A window whose page is not known yet gets ready without being seen, and has nothing to go back to")
    func ready() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write("{\"open\":{\(Self.redirects),\"title\":\"Mail\"}}\n{\"raise\":true}\n")
      try #require(await eventually { window.text.contains("ready") })
      try await Task.sleep(for: .milliseconds(1_500))  // a page that is on its way is shown sooner
      #expect(!desk.screen.shows("Mail"))
      #expect(window.text == "{\"ready\":{\"protocol\":1}}\n")
      try window.write("{\"go\":{\"url\":\"\(desk.provider)/auth\"}}\n")
      let isShown = await eventually {
        window.text.contains("\"main_frame_loaded\":true") && desk.screen.shows("Mail")
      }
      try #require(isShown, "\(window.text)")
      try desk.screen.press("alt+Left")
      try window.write("{\"go\":{\"url\":\"\(desk.provider)/empty\"}}\n")
      try await Task.sleep(for: .seconds(1))  // nothing tells that nothing happens
      #expect(!window.text.contains("about:"), "\(window.text)")
      #expect(desk.requests.map { $0.prefix(9) } == ["GET /auth"])
    }

    @Test("Told to show itself it does not wait for a page, and told to cancel it says that it was told")
    func cancel() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/auth\",\(Self.redirects),\"title\":\"Mail\"}}\n{\"show\":true}\n"
      )
      #expect(await eventually { desk.screen.shows("Mail") })
      try window.write("{\"cancel\":true}\n")
      #expect(await window.end() != nil)
      #expect(window.text.hasSuffix("{\"closed\":{\"by\":\"caller\"}}\n"))
    }

    @Test(
      "Nobody can look into the page, whatever the environment says",
      arguments: chosen(["WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER"], at: 0))
    func inspector(_ variable: String) async throws {
      let desk = try await Desk()
      let port = 20_000 + Int(getpid()) % 20_000
      let window = try desk.window([variable: "127.0.0.1:\(port)"])
      try window.write("{\"open\":{\"url\":\"\(desk.provider)/auth\",\(Self.redirects)}}\n")
      try #require(await eventually { window.text.contains("\"main_frame_loaded\":true") })
      #expect(!Processes.listens(inGroup: window.identifier))
    }

    @Test("What it cannot open it says, with a status")
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
      let window = try desk.window(["DISPLAY": ":4096"])
      try window.write("{\"open\":{\"url\":\"https://as.example/\",\(Self.redirects)}}\n")
      #expect(await window.end() == 7)
      #expect(window.text.hasPrefix("{\"failed\":{\"error\":\"no_display\""))
    }

    @Test("A page cannot go back to the empty one that a window begins with while it waits for an address")
    func emptyPage() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write("{\"open\":{\(Self.redirects)}}\n")
      // The empty page has to be there, of which nothing is told.
      try await Task.sleep(for: .seconds(2))
      let page =
        "<script>setTimeout(() => history.back(), 300); setTimeout(() => fetch('/still-there'), 1500)</script>"
      let body = try #require(page.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      try window.write("{\"go\":{\"url\":\"\(desk.provider)/html?body=\(body)\"}}\n")
      #expect(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /still-there ") } }, "\(window.text)")
      try window.write("{\"cancel\":true}\n")
      _ = await window.end()
    }
  }
}

extension Desk {
  /// The window's program without the one that usually starts it.
  func window(_ variables: [String: String] = [:]) throws -> Program {
    try Program(
      Self.program("tokentry-window"), [], environment: environment.merging(variables) { $1 },
      errorPath: "\(folder)/\(UUID().uuidString)")
  }
}
