import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  @Suite("For those who do not see the window, or have no pointer")
  struct AccessibilityTests {
    @Test("Everything in the window has a name and a role")
    func names() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.show("auth", reader.variables)
      try #require(await desk.shows(window), "\(window.text)")
      var ours: [ScreenReader.Thing] = []
      #expect(
        try await eventually {
          ours = try reader.readOurs()
          return Self.parts.allSatisfy { part in ours.contains { $0.description == part } }
        }, "\(Self.parts.filter { part in !ours.contains { $0.description == part } }) of \(ours)")
      // GTK's bar has a button to close it, which is never made visible.
      let nameless = ours.filter { $0.name == "" && $0.isVisible && Self.namedRoles.contains($0.role) }
      #expect(nameless.isEmpty, "\(nameless)")
      #expect(ours.filter { $0.description == "push button 'Back'" }.map(\.isShowing) == [false])
      #expect(try reader.read().contains { $0.description == "entry 'Name'" }, "the page can be read too")
    }

    @Test(
      "Above every page stands for whom somebody signs in, and who has really started that",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func requester(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        at: "auth", "--application", "Acme \u{202E}Mail", variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      var shown: [String] = []
      // The program that runs this test.
      let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      #expect(
        try await eventually {
          shown = try reader.readOurs().filter(\.isShowing).map(\.description)
          return shown.contains("label 'for Acme Mail'")
            && shown.contains("label 'started by \(runner)'")
        }, "\(shown)")
      try await desk.seat.shoot("window-requester-\(desktop)")
    }

    @Test(
      "So it does above a code for another device", arguments: chosen(Desktop.allCases, telling: .wayland))
    func requesterOfCode(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let server = try StandInServer.givingCodes { _ in
        .json(#"{"error":"authorization_pending"}"#, status: 400)
      }
      let login = try Program(
        Desk.program("tokentry"),
        server.deviceOptions + ["--grant", "device", "--application", "Acme Mail", "--title", "Mail"],
        environment: desk.environment.merging(reader.variables) { $1 }, errorPath: desk.folder + "/device")
      try #require(await eventually { desk.seat.shows("Mail") }, "\(login.errors)")
      var shown: [String] = []
      #expect(
        try await eventually {
          shown = try reader.read().filter(\.isShowing).map(\.description)
          return shown.contains("label 'for Acme Mail'")
            && shown.contains { $0.hasPrefix("label 'started by /") }
        }, "\(shown)")
      try await desk.seat.shoot("window-requester-device-\(desktop)")
    }

    private static let parts = [
      "frame 'Mail'", "panel 'Mail'", "push button 'Cancel'", "push button 'Back'", "push button 'Reload'",
      "toggle button 'Menu'", "menu item 'Open in browser'", "menu item 'Copy link'", "menu item 'Zoom in'",
      "menu item 'Zoom out'", "menu item 'Normal size'", "icon 'The page comes from this computer'",
      "panel 'Address of the page'", "progress bar 'Loading'",
    ]

    private static let namedRoles = [
      "frame", "push button", "toggle button", "menu item", "icon", "progress bar", "heading", "entry",
    ]

    @Test(
      "A page that is on its way can be stopped, and a page of ours says what is wrong and what can be done",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func failure(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.show("endless", reader.variables)
      try #require(await eventually { desk.seat.shows("Mail") }, "\(window.text)")
      let loading = try reader.readOurs().filter(\.isShowing).map(\.description)
      #expect(loading.contains("push button 'Stop'"), "\(loading)")
      #expect(loading.contains("progress bar 'Loading'"), "\(loading)")

      let other = try desk.show("to-file", reader.variables)
      try #require(await eventually { other.text.contains("view_ended") })
      try window.closeInput()
      var shown: [String] = []
      #expect(
        try await eventually {
          shown = try reader.readOurs().filter(\.isShowing).map(\.description)
          return [
            "alert 'The page has stopped'", "heading 'The page has stopped'", "push button 'Try again'",
            "push button 'Open in browser'",
            "push button 'Cancel'",
          ].allSatisfy(shown.contains)
        }, "\(shown)")
    }

    @Test(
      "An open connection is called that, a foreign letter in a name is not shown as ours, and the title is plain"
    )
    func address() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(reader.variables.merging(["http_proxy": desk.provider]) { $1 })
      try window.write(
        """
        {"open":{"url":"http://\u{430}s.example/auth?state=S","redirect_uris":["https://as.example/done"],\
        "title":"Mail\\u202E\\u0007"}}

        """)
      try #require(await desk.shows(window), "\(window.text)")
      var shown: [String] = []
      let expected = [
        "frame 'Mail'", "label 'xn--s-7sb.example'", "label 'not encrypted'",
        "icon 'Others can read what you enter here'",
      ]
      #expect(
        try await eventually {
          shown = try reader.readOurs().filter(\.isShowing).map(\.description)
          return expected.allSatisfy(shown.contains)
        }, "\(shown)")
      try await desk.screen.shoot("window-not-encrypted")
      let warning = try #require(try reader.readOurs().first { $0.name == "not encrypted" && $0.isShowing })
      #expect(try Screen.contrast(in: "window-not-encrypted", warning.place) >= 4.5)
    }

    @Test(
      "The Tab key reaches every control, and F10 the menu, of which each entry can be chosen",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func tab(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.show("auth", reader.variables)
      try #require(await desk.shows(window), "\(window.text)")
      let focus = try await reader.watchFocus()
      for _ in 1...8 {
        try desk.seat.press("Tab")
        try await Task.sleep(for: .milliseconds(100))
      }
      for control in ["push button|Cancel", "push button|Reload", "toggle button|Menu", "filler|"] {
        #expect(
          await eventually { focus.text.contains(control + "\n") }, "\(control): \(focus.text)")
      }
      try desk.seat.press("F10")
      try await desk.seat.shoot("window-menu-\(desktop)")
      try desk.seat.press("Home")
      try desk.seat.press("Return")
      #expect(
        await eventually { window.text.contains("{\"switch\":{\"to\":\"browser\"}}") },
        "\(window.text)")
    }

    @Test("Keys reload, go back, change the size of the page, and cancel")
    func keys() async throws {
      let desk = try await Desk()
      let window = try desk.show("size", [:])
      let requests = { (path: String) in desk.requests.filter { $0.hasPrefix("GET \(path) ") }.count }
      let pages = { window.text.components(separatedBy: "\"main_frame_loaded\":true").count - 1 }
      try #require(await desk.shows(window), "\(window.text)")
      for key in ["ctrl+r", "F5", "ctrl+27"] {
        // On a Russian keyboard key number 27, the one with the R, has another letter first.
        if key == "ctrl+27" { try desk.screen.setKeyboard("ru,us") }
        let before = (requests("/size"), pages())
        try desk.screen.press(key)
        #expect(await eventually { requests("/size") == before.0 + 1 && pages() > before.1 }, "\(key)")
      }
      try desk.screen.setKeyboard("us")
      // The page asks for a file that says how large it is shown.
      for (key, size) in [
        ("ctrl+plus", "110"), ("ctrl+equal", "120"), ("ctrl+minus", "110"), ("ctrl+0", "100"),
      ] {
        let before = requests("/size-\(size)")
        try desk.screen.press(key)
        #expect(
          await eventually { requests("/size-\(size)") > before }, "\(key): \(desk.requests)")
      }
      let before = pages()
      try desk.screen.click()  // on a link to another page
      try #require(await eventually { requests("/other") == 1 && pages() > before }, "\(desk.requests)")
      try desk.screen.press("alt+Left")
      #expect(await eventually { requests("/back") == 1 }, "\(desk.requests)")
      try desk.screen.press("Escape")
      #expect(await eventually { window.text.contains("{\"closed\":{\"by\":\"user\"}}") })
    }
  }
}

extension Desk {
  /// The window's own program with a page of the provider, and with another way to offer.
  func show(_ page: String, _ variables: [String: String]) throws -> Program {
    let window = try window(variables)
    try window.write(
      """
      {"open":{"url":"\(provider)/\(page)?redirect_uri=https://oauth.vk.com/blank.html&state=S",\
      "redirect_uris":["https://oauth.vk.com/blank.html"],"title":"Mail","ways":["browser"]}}

      """)
    return window
  }

  /// Waits until the window can be seen, with a page that is complete.
  func shows(_ window: Program) async -> Bool {
    await eventually {
      window.text.contains("\"main_frame_loaded\":true") && self.seat.shows("Mail")
    }
  }
}

extension Screen {
  /// The contrast of the lightest and the darkest colour in a part of a picture (WCAG 2.2, "contrast ratio").
  static func contrast(in picture: String, _ place: [Int]) throws -> Double {
    try #require(place.count == 4)
    let area = "\(place[2])x\(place[3])+\(place[0])+\(place[1])"
    let path = try resultPath(picture + ".png")
    let pixels = try run(["convert", path, "-crop", area, "+repage", "-depth", "8", "txt:-"], [:])
    let luminances = pixels.matches(of: /#([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})/).map { match in
      let parts = [match.1, match.2, match.3].map { part in
        let value = Double(Int(part, radix: 16) ?? 0) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    return ((luminances.max() ?? 0) + 0.05) / ((luminances.min() ?? 1) + 0.05)
  }
}
