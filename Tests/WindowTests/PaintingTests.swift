import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// The preloaded library `blank.c` discards what WebKit draws, so the window stays blank. Tests that sleep wait longer
  /// than a page has for being painted, because they expect that no event comes.
  @Suite("Windows that stay blank")
  struct BlankTests {
    @Test(
      "A blank page is opened again with software drawing, which is remembered if it works",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func reopened(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let blank = try desk.blank(curedBy: "WEBKIT_DISABLE_COMPOSITING_MODE")
      let login = try desk.login(at: "auth", variables: blank)
      let message = "reopened with the rendering software"
      try #require(await eventually { login.errors.contains(message) }, "\(login.errors)")
      let kept = "software is remembered"
      try #require(await eventually { login.errors.contains(kept) }, "\(login.errors)")
      #expect(!login.errors.contains("the window crashed"))
      try desk.seat.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"state\":\"verified\""))
      #expect(desk.hits("/auth") == 2)
      let path = desk.folder + "/home/.local/state/tokentry/rendering"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "software\n")

      let next = try desk.login(at: "auth", variables: blank)
      try #require(await desk.showsPage(next), "\(next.errors)")
      try await Task.sleep(for: .seconds(4))
      #expect(!next.errors.contains("stayed blank"))
      try desk.seat.signIn()
      #expect(await next.end() == 0, "\(next.errors)")
    }

    @Test(
      "If the page stays blank, software drawing is tried once, and the window stays until the user leaves")
    func incurable() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", variables: try desk.blank())
      let message = "reopened with the rendering software"
      try #require(await eventually { login.errors.contains(message) }, "\(login.errors)")
      try await Task.sleep(for: .seconds(6))
      #expect(login.errors.components(separatedBy: "is reopened").count == 2, "\(login.errors)")
      try await desk.screen.shoot("window-blank")
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(desk.filesAtHome == [])
    }

    @Test("A blank page in which the user has typed is opened again only if the user presses a button")
    func touched() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        at: "auth", variables: try desk.blank(curedBy: "WEBKIT_DISABLE_COMPOSITING_MODE"))
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.type("anna")
      try await desk.choosesSafeMode(login)
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test(
      "A blank page after a form, or without content, is opened again only if the user presses a button",
      arguments: chosen([("posts", true), ("empty", false)], at: 0))
    func notUnasked(page: String, isBlank: Bool) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: page, variables: isBlank ? try desk.blank() : [:])
      try #require(await desk.showsPage(login), "\(login.errors)")
      try await desk.choosesSafeMode(login)
      login.end(SIGTERM)
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "A page that is painted gets no bar and is not opened again",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func seen(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let pages = chosen(["auth", "late"], telling: "late")
      for page in pages {
        let login = try desk.login(at: page)
        try #require(await desk.showsPage(login), "\(login.errors)")
        try await Task.sleep(for: .seconds(4))
        try desk.seat.press("alt+s")
        try await desk.seat.standsStill()
        #expect(!login.errors.contains("stayed blank"))
        try desk.seat.press("Escape")
        #expect(await login.end() == 3, "\(login.errors)")
      }
      #expect(desk.requests.count == pages.count)
    }

    @Test("A window behind another one counts as blank only once it is visible")
    func covered() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", variables: try desk.blank())
      try #require(await desk.showsPage(login), "\(login.errors)")
      let cover = try desk.screen.cover(folder: desk.folder)
      try #require(await eventually { cover.text.contains("covered") }, "\(cover.errors)")
      try await Task.sleep(for: .seconds(5))
      #expect(!login.errors.contains("stayed blank"), "\(login.errors)")
      try cover.closeInput()
      #expect(await eventually { login.errors.contains("stayed blank") }, "\(login.errors)")
    }

    @Test("A tooltip above a blank page does not keep the bar away")
    func tooltip() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(at: "empty", ["ways": ["browser"]], variables: reader.variables)
      try #require(await desk.shows(window), "\(window.text)")
      let place = try reader.elements().first { $0.isShowing && $0.name == "About this window" }?.place
      let (left, top) = (try #require(place?[0]), try #require(place?[1]))
      let windows = try await desk.screen.watchWindows()
      try desk.screen.run("xdotool", "mousemove", "\(left + 5)", "\(top + 5)")
      #expect(await eventually { windows.text.contains("MapNotify") }, "the tooltip")
      let words = "Page still blank? Try safe mode, or open it in your browser."
      #expect(try await reader.isShown(words), "\(window.text)")
      try await desk.screen.shoot("window-empty-tooltip")
    }

    @Test(
      "The bar above a blank page leads to the browser if the caller has one",
      arguments: chosen([["browser"], []], at: 0))
    func browser(ways: [String]) async throws {
      let desk = try await Desk()
      let window = try desk.window(at: "empty", ["ways": ways])
      try #require(await eventually { window.pagesLoaded > 0 })
      try await Task.sleep(for: .seconds(5))
      if !ways.isEmpty { try await desk.screen.shoot("window-empty") }
      try desk.screen.press("alt+b")
      let hasSwitched = await eventually(within: ways.isEmpty ? 2 : patience) {
        window.text.contains("{\"switch\":{\"to\":\"browser\"}}")
      }
      #expect(hasSwitched == !ways.isEmpty, "\(window.text)")
    }

    @Test("A page with an address that works only once is not opened again")
    func once() async throws {
      let desk = try await Desk()
      let window = try desk.window(at: "auth", ["opens_once": true], variables: try desk.blank())
      try #require(await eventually { window.pagesLoaded > 0 })
      try await Task.sleep(for: .seconds(5))
      try desk.screen.press("alt+s")
      #expect(await window.end(within: 1) == nil)
      #expect(!window.text.contains("blank") && !window.text.contains("painted"), "\(window.text)")
    }
  }

  @Suite("Pages that lead on at once")
  struct PaintingTests {
    /// Navigations that do not replace the page. The first one is stopped once the window is visible.
    static let futile = [
      "location.href = '/silent'; setTimeout(stop, 1500)", "location.href = 'mailto:a@b'",
      "location.hash = 'x'",
    ]

    @Test("A page is painted if its navigation at once does not succeed", arguments: chosen(futile, at: 2))
    func stays(_ script: String) async throws {
      let desk = try await Desk()
      let window = try desk.window(showing: "<body style='background:#c00' onload=\"\(script)\">")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(window.text)")
      #expect(try await eventually { try desk.centre() == "CC0000" }, "\(window.text)")
    }

    @Test("No window appears for a page that leads on at once")
    func flash() async throws {
      let next = "<script>location.href = '/silent'</script>"
      let page = "location.href = '/html?redirect_uri=&body=' + encodeURIComponent(`\(next)`)"
      for _ in 0..<3 {
        let desk = try await Desk()
        let windows = try await desk.screen.watchWindows()
        let window = try desk.patientWindow(showing: "<body onload=\"\(page)\">")
        try #require(await desk.isHit("/silent"), "\(window.text)")
        #expect(!windows.text.contains("MapNotify"))
        #expect(desk.isPatient)
      }
    }

    @Test(
      "The first page has its size, is visible and has the focus from its first script on, before the window appears",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func first(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let window = try desk.window(
        showing: """
          <script>const tell = when => fetch(`/${when}-${innerWidth}x${innerHeight}-${document.visibilityState}-${document.hasFocus()}`)
          tell('first'); onkeydown = () => tell('last'); onblur = () => tell('blur')</script><input \(Desk.autofocus)>
          """)
      try #require(await desk.takesKeys(), "\(window.text)")
      try desk.seat.press("F2")
      let told = { (when: String) in
        desk.requests.first { $0.hasPrefix("GET /\(when)-") }?.split(separator: " ")[1].dropFirst(
          when.count + 2)
      }
      #expect(await eventually { told("last") != nil }, "\(desk.requests)")
      #expect(told("first") == told("last"))
      #expect(told("first")?.hasSuffix("-visible-true") == true, "\(desk.requests)")
      #expect(told("blur") == nil)
    }

    @Test("The window does not wait for a picture of a page that leads on before it is shown")
    func left() async throws {
      let desk = try await Desk()
      let window = try desk.patientWindow(
        showing: "<body style='background:#c00' onload=\"location.href = '/silent'\">",
        theme: "Adwaita:dark")
      try #require(await desk.isHit("/silent"), "\(window.text)")
      #expect(desk.isPatient)
      try window.write("{\"raise\":true}\n")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(window.text)")
      // The screen is black where the window has not been painted yet.
      #expect(try await eventually { try desk.centre() != "000000" })
      try await desk.screen.shoot("window-led-on")
      // The colour of the theme. WebKit would show white.
      #expect(try desk.centre() == "2F2F2F")
    }
  }
}

extension Desk {
  /// The variables with which windows stay blank, unless the variable `cure` is set.
  func blank(curedBy cure: String = "NOTHING") throws -> [String: String] {
    try preload("blank.c", "-DCURE=\"\(cure)\"")
  }

  /// Waits longer than a page has for being painted, and presses the button of the bar.
  fileprivate func choosesSafeMode(_ login: Program) async throws {
    try await Task.sleep(for: .seconds(5))
    #expect(!login.errors.contains("is reopened"), "\(login.errors)")
    let pages = { login.errors.components(separatedBy: "info: page of").count }
    let before = pages()
    try screen.press("alt+s")
    try #require(await eventually { login.errors.contains("is reopened") }, "\(login.errors)")
    try #require(await eventually { pages() > before && self.screen.shows("Sign in") })
  }

  /// Starts a window that stays hidden until its page is complete, however long that takes.
  fileprivate func patientWindow(showing body: String, theme: String = "Adwaita") throws -> Program {
    let library = try preload("patient.c", "-DDELAY=800", "-DNOTE=\"\(folder)/patient\"")
    return try window(showing: body, variables: library.merging(["GTK_THEME": theme]) { $1 })
  }

  /// True if the library of a patient window was used.
  fileprivate var isPatient: Bool { FileManager.default.fileExists(atPath: folder + "/patient") }

  /// The colour in the middle of the page.
  fileprivate func centre() throws -> String {
    let picture = folder + "/centre.png"
    try screen.capture(picture)
    let colour = try Screen.run(["convert", picture, "-format", "%[hex:p{320,500}]", "info:"], [:])
    return String(colour.prefix(6))
  }
}
