import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The browser is offered")
  struct OfferTests {
    private static let asks = """
      <h1>Sign in</h1><script>const name = 'PublicKeyCredential', type = typeof window[name];
      fetch(`/saw-${type}-${name in window}-${typeof window.webkit}-${typeof navigator.credentials}-${window[name]}`)</script>
      """
    private static let puts = """
      <h1>Sign in</h1><script>'use strict'; window.PublicKeyCredential = 1;
      fetch(`/put-${PublicKeyCredential}-${Object.keys(window).includes('PublicKeyCredential')}`)</script>
      """

    @Test("Where a page asks for passkeys, which is answered as ever, if the caller knows that way")
    func passkey() async throws {
      let desk = try await Desk()
      for ways in chosen(["[\"browser\"]", "[]"], at: 0) {
        let window = try await desk.window(showing: "/html?body=\(try encoded(Self.asks))", ways: ways)
        #expect(
          await eventually {
            desk.requests.contains { $0.contains("/saw-undefined-false-undefined-undefined-undefined ") }
          }, "\(desk.requests)")
        try await desk.screen.shoot(ways == "[]" ? "window-passkey-without" : "window-passkey")
        let isOffered = ways != "[]"
        #expect(try await desk.leadsToBrowser(window, isOffered: isOffered) == isOffered, "\(window.text)")
      }
    }

    @Test("Where the address of a page says that the provider refuses embedded views")
    func refused() async throws {
      let desk = try await Desk()
      let path =
        "/html?authError=ChRkaXNhbGxvd2VkX3VzZXJhZ2VudBJH&body=\(try encoded("<h1>Access blocked</h1>"))"
      let window = try await desk.window(showing: path, ways: "[\"browser\"]")
      try await desk.screen.shoot("window-refused")
      #expect(try await desk.leadsToBrowser(window), "\(window.text)")
    }

    @Test("Where a page, or a frame in it, calls another program, which comes to nothing here")
    func program() async throws {
      for page in [
        "<script>location.href = 'bankid:///?x=1'</script>", "<iframe src='mailto:a@b.example'></iframe>",
      ] {
        let desk = try await Desk()
        let reader = try await ScreenReader(desk)
        let window = try desk.window(reader.variables)
        try window.write(
          "{\"open\":{\"url\":\"\(desk.provider)/html?body=\(try encoded("<h1>Hello</h1>" + page))\","
            + "\"redirect_uris\":[\"app:/done\"]}}\n")
        #expect(
          try await eventually {
            try reader.readOurs().contains {
              $0.isShowing
                && $0.name == "This page wants to open another program, which this window does not do."
            }
          }, "\(window.text)")
        try await desk.screen.shoot("window-program")
      }
    }

    @Test("And not above other pages, such as one that puts something of its own in that place")
    func notOffered() async throws {
      let desk = try await Desk()
      for path in chosen(["/auth", "/html?body=\(try encoded(Self.puts))"], at: 1) {
        let window = try await desk.window(showing: path, ways: "[\"browser\"]")
        #expect(!(try await desk.leadsToBrowser(window, isOffered: false)), "\(window.text)")
      }
      #expect(desk.requests.contains { $0.contains("/put-1-true ") }, "\(desk.requests)")
    }

    @Test(
      "Where a page stays blank there is no button for a browser that the caller does not know",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func withoutBrowser(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.window(reader.variables)
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/empty\",\"redirect_uris\":[\"https://as.example/done\"]}}\n")
      var shown: [String] = []
      #expect(
        try await eventually {
          shown = try reader.readOurs().filter(\.isShowing).map(\.description)
          return shown.contains("push button 'Open in safe mode'")
        }, "\(shown)")
      #expect(!shown.contains("push button 'Open in browser'"), "\(shown)")
    }

    @Test("No longer when the next page is there")
    func gone() async throws {
      let desk = try await Desk()
      let page = Self.asks + "<script>setTimeout(() => { location.href = '/auth' }, 1000)</script>"
      let window = try await desk.window(showing: "/html?body=\(try encoded(page))", ways: "[\"browser\"]")
      try #require(
        await eventually { window.text.components(separatedBy: "\"main_frame_loaded\":true").count == 3 })
      #expect(!(try await desk.leadsToBrowser(window, isOffered: false)), "\(window.text)")
    }

    private func encoded(_ text: String) throws -> String {
      try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }
  }
}

extension Desk {
  /// A window with a complete page of the provider.
  fileprivate func window(showing path: String, ways: String) async throws -> Program {
    let window = try window()
    try window.write(
      "{\"open\":{\"url\":\"\(provider)\(path)\",\"redirect_uris\":[\"app:/done\"],\"ways\":\(ways)}}\n")
    try #require(
      await eventually {
        window.text.contains("\"main_frame_loaded\":true") && self.screen.shows("Sign in")
      })
    return window
  }

  /// Whether the button of the bar is there and leads to the browser. Ends the window.
  fileprivate func leadsToBrowser(_ window: Program, isOffered: Bool = true) async throws -> Bool {
    try screen.press("alt+b")
    // Nothing tells that a key does nothing.
    let leads = await eventually(within: isOffered ? patience : 2) {
      window.text.contains("{\"switch\":{\"to\":\"browser\"}}")
    }
    try window.closeInput()
    #expect(await window.end() != nil)
    return leads
  }
}
