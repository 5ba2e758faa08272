import LoginWays
import Foundation
import LoginWays
import QRCode
@testable import TestSupport
import Testing

extension WindowPageTests {
  @Suite("A window without pages of others")
  struct OwnPageTests {
    @Test(
      "Everything in it has a name and a role, and nothing is there that only a page needs",
      arguments: chosen([true, false], telling: true))
    func names(isDevice: Bool) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.showOwn(isDevice ? "device" : "paste", reader.variables)
      let parts =
        ["dialog 'Mail'", "push button 'Cancel'", "push button 'Open in browser'"]
        + (isDevice ? Self.deviceParts : Self.pasteParts)
      var shown: [ScreenReader.Thing] = []
      #expect(
        try await eventually {
          shown = try reader.read().filter(\.isShowing)
          return parts.allSatisfy { part in shown.contains { $0.description == part } }
        }, "\(parts.filter { part in !shown.contains { $0.description == part } }) of \(shown) \(window.text)"
      )
      let nameless = shown.filter { $0.name == "" && Self.namedRoles.contains($0.role) }
      #expect(nameless.isEmpty, "\(nameless)")
      let names = shown.map(\.name)
      #expect(!["Reload", "Stop", "Menu", "Back", "Loading"].contains(where: names.contains), "\(names)")
    }

    private static let deviceParts = [
      "heading 'Sign in on any device'", "image 'QR code of the address'", "label '\(Desk.ownAddress)'",
      "push button 'Copy address'", "label 'WDJB-MJHT'", "push button 'Copy code'",
      "label 'The code is valid for 15 more minutes.'",
    ]
    private static let pasteParts = [
      "heading 'Continue in your browser'", "password text 'Code or address'", "push button 'Continue'",
      "push button 'Copy link'",
    ]
    private static let namedRoles = [
      "dialog", "push button", "toggle button", "image", "heading", "password text",
    ]

    @Test(
      "The obvious control has the focus at first, and the Tab key reaches every other",
      arguments: chosen([true, false], telling: false))
    func tab(isDevice: Bool) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let focus = try await reader.watchFocus()
      let window = try desk.showOwn(isDevice ? "device" : "paste", reader.variables)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      let first = isDevice ? "push button 'Open in browser'" : "password text 'Code or address'"
      // It may have come there before it was heard that somebody wants to be told.
      #expect(
        try await eventually {
          try reader.read().filter { $0.states.contains("focused") }.map(\.description) == [first]
        }, "\(focus.text)")
      for _ in 1...6 {
        try desk.screen.press("Tab")
        try await Task.sleep(for: .milliseconds(100))
      }
      let order =
        isDevice
        ? ["Cancel", Desk.ownAddress, "Copy address", "WDJB-MJHT", "Copy code", "Open in browser"]
        : ["Continue", "Open in browser", "Copy link", "Cancel", "Code or address"]
      let names = {
        focus.text.split(separator: "\n").map { $0.split(separator: "|").last.map(String.init) ?? "" }
      }
      #expect(
        await eventually {
          var rest = order[...]
          for name in names() where name == rest.first { rest.removeFirst() }
          return rest.isEmpty
        }, "\(names())")
    }

    @Test(
      "On a low screen it is no higher than that", arguments: chosen(["device", "paste"], telling: "device"))
    func low(page: String) async throws {
      let desk = try await Desk(size: "800x480")
      let window = try desk.showOwn(page, [:])
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try await desk.screen.shoot("window-own-low-\(page)")
      let geometry = try desk.screen.run(
        "xdotool", "search", "--onlyvisible", "--name", "^Mail$", "getwindowgeometry", "--shell")
      let height = geometry.split(separator: "\n").first { $0.hasPrefix("HEIGHT=") }?.dropFirst(7)
      #expect(height.flatMap { Int($0) } ?? 481 <= 480, "\(geometry)")
    }

    @Test("Keys that are for pages do nothing, and Ctrl+B opens the browser")
    func keys() async throws {
      let desk = try await Desk()
      let window = try desk.showOwn("device", [:])
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      for key in ["F5", "ctrl+r", "F10", "alt+Left", "ctrl+plus", "ctrl+b"] { try desk.screen.press(key) }
      #expect(
        await eventually { window.text.hasSuffix("{\"switch\":{\"to\":\"browser\"}}\n") },
        "\(window.text)")
      #expect(window.text.split(separator: "\n").count == 2)
      #expect(Processes.names(inGroup: window.identifier) == ["tokentry-window"])
      try desk.screen.press("Escape")
      #expect(await eventually { window.text.contains("{\"closed\":{\"by\":\"user\"}}") })
    }

    @Test(
      "Without a word about a code or a question nothing is seen of it, and a second one takes the first one's place"
    )
    func order() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write("{\"open\":{\"redirect_uris\":[],\"title\":\"Mail\"}}\n{\"raise\":true}\n")
      try #require(await eventually { window.text.contains("ready") })
      #expect(!desk.screen.shows("Mail"))
      try window.write("{\"device\":{\"user_code\":\"A\",\"verification_uri\":\"https://as.example/d\"}}\n")
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try window.write("{\"ask\":{\"paste\":{}}}\n")
      try await desk.screen.shoot("window-own-after-another")
      try desk.screen.type("pasted")
      try desk.screen.press("Return")
      #expect(
        await eventually { window.text.contains("{\"pasted\":{\"text\":\"pasted\"}}") },
        "\(window.text)")
      try window.write("{\"accept\":true}\n")
      #expect(await window.end() != nil)
    }
  }
}

extension Desk {
  static let ownAddress = "https://as.example/device"

  /// The window's own program with a page of ours: `device` or `paste`.
  func showOwn(_ page: String, _ variables: [String: String]) throws -> Program {
    let window = try window(variables)
    let opening =
      #"{"open":{"url":"https://as.example/auth","redirect_uris":[],"title":"Mail","ways":["browser"]}}"#
    try window.write("\(opening)\n\(page == "paste" ? Self.question : Self.instruction())\n")
    return window
  }

  private static let question = #"{"ask":{"paste":{"code":true}}}"#

  private static func instruction() throws -> String {
    let code = try #require(CodePicture(qrCodeOf: ownAddress))
    let rows = (0..<code.size).map { row in
      "\"" + (0..<code.size).map { code.isDark(row: row, column: $0) ? "1" : "0" }.joined() + "\""
    }
    return #"{"device":{"user_code":"WDJB-MJHT","verification_uri":"\#(ownAddress)","expires_in":898,"#
      + #""qr":[\#(rows.joined(separator: ","))]}}"#
  }
}
