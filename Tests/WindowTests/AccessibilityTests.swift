import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Screen readers and keyboards")
  struct AccessibilityTests {
    private static let parts = [
      "panel 'Mail'", "push button 'Cancel'", "push button 'Back'", "toggle button 'About this window'",
      "push button 'Open in Browser'", "push button 'Copy Page Address'", "push button 'Reload'",
      "icon 'The page comes from this computer'", "panel 'Address of the page'", "filler 'Loading'",
    ]

    private static let namedRoles = [
      "frame", "push button", "toggle button", "icon", "heading", "entry",
    ]

    @Test("Every element of the window has a name and a role")
    func names() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.mailWindow(at: "auth", reader.variables)
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      let host = desk.provider.replacing("http://", with: "")
      let parts = Self.parts + ["frame 'Mail - \(host)'"]
      var ours: [ScreenReader.Element] = []
      #expect(
        try await eventually {
          ours = try reader.elements()
          return parts.allSatisfy { part in ours.contains { $0.description == part } }
        }, "\(parts.filter { part in !ours.contains { $0.description == part } }) of \(ours)")
      // GTK's title bar has a close button that is never visible.
      let nameless = ours.filter { $0.name == "" && $0.isVisible && Self.namedRoles.contains($0.role) }
      #expect(nameless.isEmpty, "\(nameless)")
      #expect(ours.filter { $0.description == "push button 'Back'" }.map(\.isShowing) == [false])
      let frame = try #require(ours.first { $0.role == "frame" })
      #expect(frame.details == "\(host). The page comes from this computer")
      let page = try reader.elements(withPage: true)
      #expect(page.contains { $0.description == "entry 'Name'" }, "the page is readable too")
      #expect(!page.contains { $0.role == "progress bar" }, "it would be read at every page")
    }

    @Test(
      "The title bar names the application, and a button tells the program that started the login and the page",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func requester(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        at: "auth", "--application", "Acme \u{202E}Mail", variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      #expect(try await reader.missing([Self.requester]) == [], "\(login.errors)")
      let host = desk.provider.replacing("http://", with: "")
      let frame = try #require(try reader.elements().first { $0.role == "frame" })
      #expect(frame.details == "Acme Mail wants you to sign in. \(host). The page comes from this computer")
      try await desk.seat.shoot("window-requester-\(desktop)")
      try await open(Self.info, on: desk, reader)
      let origin = "label 'Started by \(try Self.runner)'"
      #expect(try await reader.missing([origin, "label 'The page comes from this computer'"]) == [])
      #expect(
        try reader.elements().contains { $0.isShowing && $0.name.hasPrefix("\(desk.provider)/auth?") },
        "the whole address")
      try await desk.seat.shoot("window-about-\(desktop)")
      guard desktop == .x11 else { return }
      let button = try #require(
        try reader.elements().first { $0.isShowing && $0.description == Self.info }?.place)
      #expect(button[2] >= 24 && button[3] >= 24, "large enough for a finger (WCAG 2.5.8): \(button)")
      try desk.seat.press("Escape")
      #expect(try await reader.isGone(origin))
      let place = try #require(try reader.elements().first { $0.description == "label '\(host)'" }?.place)
      try desk.screen.click(on: place)
      #expect(try await reader.isShown(origin), "the host opens it, too")
      // Esc closes the popover, and not the window.
      try desk.seat.press("Escape")
      #expect(try await reader.isGone(origin))
      #expect(login.status == nil)
    }

    @Test("With large text, which would cut the sentence off, the application's name stands alone")
    func nameOfRequester() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        at: "auth", "--application", "Acme Mail",
        variables: reader.variables.merging(["GDK_DPI_SCALE": "2"]) { $1 })
      try #require(await desk.showsPage(login), "\(login.errors)")
      #expect(try await reader.missing(["label 'Acme Mail'"]) == [], "\(login.errors)")
    }

    private static let requester = "label 'Acme Mail wants you to sign in'"
    private static let info = "toggle button 'About this window'"

    /// The path of the program that started the login: the test runner.
    private static var runner: String {
      get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
    }

    /// Presses a button of the window with the mouse, or with the keyboard where there is no mouse.
    private func open(_ button: String, on desk: Desk, _ reader: ScreenReader) async throws {
      if desk.seat is Screen {
        let place = try #require(
          try reader.elements().first { $0.isShowing && $0.description == button }?.place)
        return try desk.screen.click(on: place)
      }
      let focus = try await reader.watchFocus()
      for _ in 1...10 where !focus.text.hasSuffix("|About this window\n") {
        try desk.seat.press("Tab")
        try await Task.sleep(for: .milliseconds(250))
      }
      try desk.seat.press("Return")
    }

    @Test(
      "Above a code for another device, too, stands the application",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func requesterOfCode(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let server = try StandInServer.givingCodes { _ in
        .json(#"{"error":"authorization_pending"}"#, status: 400)
      }
      let login = try desk.tokentry(
        server.deviceOptions + ["--grant", "device", "--application", "Acme Mail"]
          + optionsFile(["title": "Mail"]),
        variables: reader.variables)
      try #require(await eventually { desk.seat.shows("Mail") }, "\(login.errors)")
      #expect(try await reader.missing([Self.requester, Self.info], withPage: true) == [], "\(login.errors)")
      try await desk.seat.shoot("window-requester-device-\(desktop)")
    }

    @Test(
      "A page that loads has a stop button, and a failure has a heading and buttons",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func failure(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.mailWindow(at: "endless", reader.variables)
      try #require(await eventually { desk.seat.shows("Mail") }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("F10")
      #expect(try await reader.missing(["push button 'Stop'", "filler 'Loading'"]) == [])

      let other = try desk.mailWindow(at: "to-file", reader.variables)
      try #require(await eventually { other.text.contains("view_ended") })
      try window.closeInput()
      let parts = [
        "alert 'The page has stopped'", "heading 'The page has stopped'", "push button 'Try Again'",
        "push button 'Open in Browser'", "push button 'Close'", "push button 'Copy Details'",
      ]
      #expect(try await reader.missing(parts) == [])
    }

    @Test("A page from elsewhere than the server that an API has named says so")
    func server() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        at: "auth?state=S", ["server": "as.example", "title": "Mail"], variables: reader.variables)
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      #expect(try await reader.missing(["label 'for as.example'"]) == [])
      try await desk.screen.shoot("window-server")
    }

    @Test(
      "An unencrypted connection is named, a foreign letter in a host is encoded, and the title is cleaned")
    func address() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        at: "",
        [
          "url": "http://\u{430}s.example/auth?state=S", "redirect_uris": ["https://as.example/done"],
          "title": "Mail\u{202E}\u{7}",
        ], variables: reader.variables.merging(["http_proxy": desk.provider]) { $1 })
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      let parts = [
        "frame 'Mail - xn--s-7sb.example'", "label 'xn--s-7sb.example'", "label 'not encrypted'",
        "icon 'Others can read what you enter here'",
      ]
      #expect(try await reader.missing(parts) == [])
      try await desk.screen.shoot("window-not-encrypted")
      let warning = try #require(try reader.elements().first { $0.name == "not encrypted" && $0.isShowing })
      #expect(try Screen.contrast(in: "window-not-encrypted", warning.place) >= 4.5)
    }

    @Test(
      "The Tab key reaches every control, and F10 opens what is said about the page",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func tab(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.mailWindow(at: "auth", reader.variables)
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      try await desk.seat.standsStill()
      let focus = try await reader.watchFocus()
      for _ in 1...9 {
        try desk.seat.press("Tab")
        try await Task.sleep(for: .milliseconds(100))
      }
      for control in [
        "push button|Cancel", "toggle button|About this window", "filler|",
      ] {
        #expect(await eventually { focus.text.contains(control + "\n") }, "\(control): \(focus.text)")
      }
      try desk.seat.press("F10")
      try await desk.seat.shoot("window-info-\(desktop)")
      try desk.seat.press("alt+o")
      #expect(
        await eventually { window.text.contains("{\"switch\":{\"to\":\"browser\"}}") }, "\(window.text)")
    }

    @Test("Tab goes in a circle through the page and the window's controls, in both directions")
    func circle() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing: "<input \(Desk.autofocus) onblur='fetch(`/left`)'><input onfocus='fetch(`/second`)'>",
        variables: reader.variables)
      try #require(await desk.takesKeys(), "\(window.text)")
      let focus = try await reader.watchFocus()
      let stops = [
        ("Tab", "/second"), ("Tab", "Cancel"), ("Tab", "About this window"), ("Tab", "/ready"),
        ("Tab", "/second"), ("shift+Tab", "/ready"), ("shift+Tab", "About this window"),
        ("shift+Tab", "Cancel"), ("shift+Tab", "/second"),
      ]
      for (key, stop) in stops {
        // A field of the page is told about the focus a second time when the page itself gets it.
        func visits() -> Int {
          stop.hasPrefix("/") ? desk.hits(stop) : focus.text.components(separatedBy: "|\(stop)\n").count
        }
        let before = visits()
        try desk.seat.press(key)
        #expect(await eventually { visits() > before }, "\(key) to \(stop): \(desk.requests) \(focus.text)")
        try await desk.seat.standsStill()
      }
    }

    @Test("Keys reload, zoom, go back and cancel")
    func keys() async throws {
      let desk = try await Desk()
      let window = try desk.mailWindow(at: "size")
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      for key in ["ctrl+r", "F5", "ctrl+27"] {
        // Key number 27 is the R of a US keyboard. A Russian keyboard has another letter there.
        if key == "ctrl+27" { try desk.screen.setKeyboard("ru,us") }
        let before = (desk.hits("/size"), window.pagesLoaded)
        try desk.screen.press(key)
        #expect(
          await eventually { desk.hits("/size") == before.0 + 1 && window.pagesLoaded > before.1 }, "\(key)")
      }
      try desk.screen.setKeyboard("us")
      // The page requests a path with its zoom.
      for (key, size) in [
        ("ctrl+plus", "110"), ("ctrl+equal", "120"), ("ctrl+minus", "110"), ("ctrl+0", "100"),
      ] {
        let before = desk.hits("/size-\(size)")
        try desk.screen.press(key)
        #expect(await eventually { desk.hits("/size-\(size)") > before }, "\(key): \(desk.requests)")
      }
      let before = window.pagesLoaded
      try desk.screen.click()  // on a link to another page
      try #require(
        await eventually { desk.hits("/other") == 1 && window.pagesLoaded > before }, "\(desk.requests)")
      try desk.screen.press("alt+Left")
      #expect(await eventually { desk.hits("/back") == 1 }, "\(desk.requests)")
      // The window asks because the user has clicked.
      #expect(
        try await desk.leaves { window.text.contains("{\"closed\":{\"by\":\"user\"}}") }, "\(window.text)")
    }
  }
}
