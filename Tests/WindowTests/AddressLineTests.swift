import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// Pages try to remove the line with their address, or to put another one in its place.
  @Suite("The line with the address of the page")
  struct AddressLineTests {
    /// An action of a page that is clicked, and the key that the user presses afterwards.
    struct Trick: Sendable {
      let name: String
      let action: String
      let key: String?
      /// The start of the request that shows that the page has acted. nil if the page is gone by then.
      let sign: String?

      init(_ name: String, _ action: String, key: String? = nil, sign: String? = "done") {
        (self.name, self.action, self.key) = (name, action, key)
        self.sign = sign == "done" ? "GET /done-\(name) " : sign
      }
    }

    /// Draws a line like the window's, for another host, at the top of the page.
    private static let fake = """
      "<body style='margin:0;font:14px sans-serif'><div style='background:#dcdad8;padding:5px;text-align:center'>"
      + "<b>accounts.example</b></div><div style='border-top:1px solid #bbb;height:90vh'>"
      """

    /// Tricks after which the page has an address.
    static let own = [
      Trick("imitation", "document.body.innerHTML = \(fake)"),
      Trick("written-anew", "document.open(); document.write(\(fake)); document.close()"),
      Trick(
        "srcdoc",
        "document.body.innerHTML = `<iframe style='position:fixed;inset:0;border:0' srcdoc=\"${\(fake)}\">`"),
      Trick(
        "full-screen",
        "const all = document.documentElement; all.requestFullscreen?.(); all.webkitRequestFullscreen?.()"),
      Trick("history", "history.pushState(0, '', '/accounts.example'); document.title = 'accounts.example'"),
      Trick("slow-link", "location.href = other + '/slow'", sign: "GET /slow "),
      Trick("blob", "location.href = URL.createObjectURL(new Blob([\(fake)], { type: 'text/html' }))"),
      Trick("data", "location.href = 'data:text/html,' + \(fake)"),
      Trick("script", "location.href = 'javascript:' + JSON.stringify(\(fake))", sign: nil),
      Trick("closed", "const w = open(''); w.document.write(\(fake)); setTimeout(() => w.close(), 300)"),
      Trick(
        "navigated",
        "const w = open(''); w.document.write(\(fake)); setTimeout(() => { w.location = '/other' }, 300)"),
      // The user in this address is longer than the part of an address that WebKit keeps.
      Trick(
        "long-user",
        "location.href = 'http://' + '.'.repeat(262117) + '.accounts.google.comy@' + location.host + '/other'",
        sign: nil),
      Trick("failing-link", "location.href = 'http://127.0.0.1:30009/'", key: "alt+Left", sign: nil),
    ]

    /// Tricks after which the page has no address.
    static let inherited = [
      Trick("empty", "open('').document.write(\(fake))"),
      Trick("about", "open('about:blank').document.write(\(fake))"),
      Trick("opened-script", "w = open('javascript:1'); w.document.write(\(fake))"),
      Trick("opened-blob", "open(URL.createObjectURL(new Blob([\(fake)], { type: 'text/html' })))"),
      Trick("opened-data", "open('data:text/html,' + \(fake))"),
      Trick("opened-slow", "w = open(other + '/slow'); w.document.write(\(fake))"),
      Trick("features", "open('', '', 'width=99,height=99,toolbar=no,location=no').document.write(\(fake))"),
      Trick("left-to-empty", "location.href = 'about:blank'", sign: nil),
    ]

    @Test(
      "A page cannot change the line",
      arguments: chosen([own[..<5], own[5..<9], own[9...]], at: 2))
    func keeps(_ tricks: ArraySlice<Trick>) async throws {
      try await play(Array(tricks), note: "this computer")
    }

    @Test(
      "A page without an address shows the address of the page that opened it, with a note",
      arguments: chosen([inherited[..<4], inherited[4...]], at: 1))
    func inherits(_ tricks: ArraySlice<Trick>) async throws {
      try await play(Array(tricks), note: "opened this page")
    }

    @Test(
      "A page cannot change the line on Wayland either",
      arguments: chosen(
        [
          (["imitation", "full-screen", "failing-link"], "this computer"),
          (["empty", "opened-slow"], "opened this page"),
        ], at: 0))
    func onWayland(_ names: [String], note: String) async throws {
      try await play((Self.own + Self.inherited).filter { names.contains($0.name) }, note: note, on: .wayland)
    }

    @Test(
      "A link that fails, and the way back from it, leave the line as it was; another host is announced",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func back(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let other = desk.provider.replacing("127.0.0.1", with: "localhost")
      let spoken = try await reader.watchFocus()
      let window = try desk.window(
        showing: """
          <button autofocus onclick='location.href = window.old ? `\(other)/other` : `http://127.0.0.1:30009/`;
          window.old = true'>Help</button>
          """, variables: reader.variables)
      try #require(await desk.shows(window), "\(window.text)")
      let line = [desk.provider.replacing("http://", with: ""), "this computer"]
      #expect(try await eventually { try reader.addressLine() == line })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { window.text.contains("page_error") }, "\(window.text)")
      try desk.seat.press("alt+Left")
      #expect(try await eventually { try reader.addressLine() == line })
      try await desk.seat.standsStill()
      #expect(!spoken.text.contains("announcement|"), "the host is still the same: \(spoken.text)")
      try desk.seat.press("Return")
      let news = "announcement|This page is from \(other.replacing("http://", with: ""))\n"
      #expect(await eventually { spoken.text.contains(news) }, "\(spoken.text)")
    }

    @Test(
      "With large text the host is shown whole, and the window fits on the screen",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func large(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let host = desk.provider.replacing("http://", with: "")
      let window = try desk.window(
        showing: "<button autofocus onclick='window.open(``).document.write(`Hello`)'>Help</button>",
        variables: reader.variables.merging(["GDK_DPI_SCALE": "2"]) { $1 })
      try #require(await desk.shows(window), "\(window.text)")
      let width = {
        try reader.elements().first { $0.name == host && $0.isShowing }?.place.dropFirst(2).first
      }
      let usual = try #require(try width())
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(try await eventually { try reader.addressLine().last?.contains("opened this page") == true })
      try await desk.seat.shoot("window-address-large-\(desktop)")
      #expect(try width() == usual)
      let frame = try #require(try reader.elements().first { $0.role == "frame" }).place
      #expect(frame.count == 4 && frame[0] >= 0 && frame[0] + frame[2] <= 640, "\(frame)")
    }

    @Test("A page cannot cover the line with a tooltip, and its context menu only copies and selects")
    func tooltip() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        "<a href=/other style='position:fixed;inset:0' title='accounts.example'></a>",
        variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try await desk.seat.standsStill()
      let windows = { try desk.screen.run("xwininfo", "-root", "-tree").split(separator: "\n").count }
      let usual = try windows()
      let place = try #require(desk.screen.place(of: "Sign in"))
      // The pointer moves and then rests.
      for x in [200, 201, 202] {
        try desk.screen.run("xdotool", "mousemove", "\(place.x + x)", "\(place.y + 190)")
        usleep(50_000)
      }
      #expect(!(try await eventually(within: 2) { try windows() > usual }))
      try desk.screen.click(button: 3)
      let items = {
        try reader.elements().filter { $0.isShowing && $0.role == "menu item" }.map(\.name)
      }
      #expect(try await eventually { try items() == ["Copy Link", "Select All"] }, "\((try? items()) ?? [])")
      try await desk.seat.shoot("window-context-menu")
    }

    /// Places that WebKit shows in windows of its own, above the page: a bubble, a list and a calendar.
    private static let above = """
      <style>input, select { position: fixed; top: -62px; left: 50px; width: 300px }</style>
      <input id=bubble><select id=list><option>accounts.example   secure</select><input type=date id=calendar>
      <script>bubble.setCustomValidity('accounts.example   secure')
      const act = { F2() { bubble.reportValidity() }, F3() { list.focus() }, F4() { calendar.showPicker() } }
      onkeydown = event => { act[event.key]?.(); fetch('/key-' + event.code) }; fetch('/ready')</script>
      """

    @Test("A page cannot cover the line with a bubble, a list or a calendar of WebKit's")
    func popups() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(showing: Self.above, variables: reader.variables)
      try #require(await desk.shows(window), "\(window.text)")
      try #require(await desk.takesKeys())
      let line = try reader.addressPlace()
      let page = [line[0], line[1] + line[3] + 10, line[2], 150]
      let look = { (name: String) throws in
        try desk.seat.capture(Screen.resultPath("window-popup-\(name).png"))
        return try [line, page].map { try desk.digest(of: "window-popup-\(name)", $0) }
      }
      let before = try look("none")
      for (name, keys, isShown) in [
        ("bubble", ["F2"], true), ("list", ["F3", "space"], false), ("calendar", ["F4"], true),
      ] {
        for key in keys { try desk.seat.press(key) }
        try #require(await desk.isHit("/key-\(keys.last == "space" ? "Space" : keys[0])"), "\(desk.requests)")
        // It appears a moment after the page has asked for it.
        _ = try await eventually(within: isShown ? patience : 1) { try look(name).last != before.last }
        try await desk.seat.standsStill()
        let after = try look(name)
        #expect(after.dropLast() == before.dropLast(), "\(name)")
        #expect((after.last != before.last) == isShown, "\(name)")
        try desk.screen.click()
        #expect(try await eventually { try look("none") == before }, "\(name)")
      }
    }

    private func play(_ tricks: [Trick], note: String, on desktop: Desktop = .x11) async throws {
      // In a tiled layout the window starts at the corner of the screen, so its coordinates are those of the picture.
      let desk = try await Desk(on: desktop, layout: .tiles)
      let reader = try await ScreenReader(desk)
      let host = desk.provider.replacing("http://", with: "")
      let other = desk.provider.replacing("127.0.0.1", with: "localhost")
      var first = ""
      for trick in tricks {
        let window = try desk.window(
          showing: """
            <body><button autofocus></button><script>const other = '\(other)';
            requestAnimationFrame(() => requestAnimationFrame(() => fetch('/painted-\(trick.name)')));
            onclick = () => { onclick = null; setTimeout(() => fetch('/done-\(trick.name)'), 700); \(trick.action) }</script>
            """, variables: reader.variables)
        try #require(await desk.shows(window), "\(trick.name): \(window.text)")
        // Keys and clicks that come before the page is painted are lost.
        try #require(await desk.isHit("/painted-\(trick.name)"))
        if desktop == .x11 {
          try desk.screen.click()
        } else {
          try await desk.seat.standsStill()
          try desk.seat.press("Return")
        }
        if let sign = trick.sign {
          #expect(
            await eventually { desk.requests.contains { $0.hasPrefix(sign) } },
            "\(trick.name): \(desk.requests)")
        }
        if let key = trick.key {
          try #require(await eventually { window.text.contains("page_error") }, "\(trick.name)")
          try desk.seat.press(key)
        }
        var line: [String] = []
        #expect(
          try await eventually(within: soon) {
            line = try reader.addressLine()
            return line == [host, note]
          }, "\(trick.name): \(line)")
        let picture = "window-trick-\(trick.name)-\(desktop)"
        try await desk.seat.shoot(picture)
        let digest = try desk.digest(of: picture, reader.addressPlace())
        if first.isEmpty { first = digest }
        #expect(digest == first, "\(trick.name)")
        try window.closeInput()
        #expect(await window.end() != nil)
      }
    }
  }
}

extension ScreenReader {
  private static let name = "Address of the page"

  /// The texts in the line above the page.
  fileprivate func addressLine() throws -> [String] {
    let elements = try elements()
    guard let index = elements.firstIndex(where: { $0.name == Self.name }) else { return [] }
    return elements[(index + 1)...].prefix { $0.depth > elements[index].depth }
      .filter { $0.role == "label" && $0.isShowing }.map(\.name)
  }

  fileprivate func addressPlace() throws -> [Int] {
    try elements().first { $0.name == Self.name }?.place ?? []
  }
}

extension Desk {
  /// The digest of the line in a picture.
  fileprivate func digest(of picture: String, _ place: [Int]) throws -> String {
    let path = try Screen.resultPath(picture + ".png")
    return try Screen.run(
      ["convert", path, "-crop", Screen.geometry(place), "+repage", "-format", "%#", "info:"], [:])
  }
}
