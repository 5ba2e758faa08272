import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  /// What pages do to get rid of the line that says whose they are, or to have another in its place.
  @Suite("The line that says whose page it is")
  struct AddressLineTests {
    /// What a page does when it is clicked, and the key that the user presses afterwards.
    struct Trick: Sendable {
      let name: String
      let action: String
      let key: String?
      /// What is asked for when it has been done; nothing where the page is gone by then.
      let sign: String?

      init(_ name: String, _ action: String, key: String? = nil, sign: String? = "done") {
        (self.name, self.action, self.key) = (name, action, key)
        self.sign = sign == "done" ? "GET /done-\(name) " : sign
      }
    }

    /// Draws a line like ours, for another host, where the page begins.
    private static let fake = """
      "<body style='margin:0;font:14px sans-serif'><div style='background:#dcdad8;padding:5px;text-align:center'>"
      + "<b>accounts.example</b></div><div style='border-top:1px solid #bbb;height:90vh'>"
      """

    /// After these there is still a page with an address.
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
      // A user's name that is longer than what is kept of an address.
      Trick(
        "long-user",
        "location.href = 'http://' + '.'.repeat(262117) + '.accounts.google.comy@' + location.host + '/other'",
        sign: nil),
      Trick("failing-link", "location.href = 'http://127.0.0.1:30009/'", key: "alt+Left", sign: nil),
    ]

    /// After these there is a page without an address.
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
      "It is there and the same whatever the page does, and the border around the page too",
      arguments: chosen([own[..<5], own[5..<9], own[9...]], at: 2))
    func keeps(_ tricks: ArraySlice<Trick>) async throws {
      try await play(Array(tricks), note: "this computer")
    }

    @Test(
      "A page without an address has that of the page it came from, and is said to have none",
      arguments: chosen([inherited[..<4], inherited[4...]], at: 1))
    func inherits(_ tricks: ArraySlice<Trick>) async throws {
      try await play(Array(tricks), note: "opened this page, which has no address")
    }

    @Test(
      "So it is on Wayland",
      arguments: chosen(
        [
          (["imitation", "full-screen", "failing-link"], "this computer"),
          (["empty", "opened-slow"], "opened this page, which has no address"),
        ], at: 0))
    func onWayland(_ names: [String], note: String) async throws {
      try await play((Self.own + Self.inherited).filter { names.contains($0.name) }, note: note, on: .wayland)
    }

    @Test(
      "A link that fails, and the way back from it, leave the line as it was",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func back(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.show(
        "<button autofocus onclick='location.href = `http://127.0.0.1:30009/`'>Help</button>",
        "https://as.example/done",
        variables: reader.variables)
      try #require(
        await eventually {
          window.text.contains("\"main_frame_loaded\":true") && desk.seat.shows("Sign in")
        }, "\(window.text)")
      let line = [desk.provider.replacing("http://", with: ""), "this computer"]
      #expect(try await eventually { try reader.addressLine() == line })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { window.text.contains("page_error") }, "\(window.text)")
      try desk.seat.press("alt+Left")
      #expect(try await eventually { try reader.addressLine() == line })
    }

    @Test(
      "However large the text is, the host is whole and the window no wider than the screen",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func large(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let host = desk.provider.replacing("http://", with: "")
      let window = try desk.show(
        "<button autofocus onclick='window.open(``).document.write(`Hello`)'>Help</button>",
        "https://as.example/done",
        variables: reader.variables.merging(["GDK_DPI_SCALE": "2"]) { $1 })
      try #require(
        await eventually {
          window.text.contains("\"main_frame_loaded\":true") && desk.seat.shows("Sign in")
        }, "\(window.text)")
      let width = {
        try reader.readOurs().first { $0.name == host && $0.isShowing }?.place.dropFirst(2).first
      }
      let usual = try #require(try width())
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(try await eventually { try reader.addressLine().last?.contains("no address") == true })
      try await desk.seat.shoot("window-address-large-\(desktop)")
      #expect(try width() == usual)
      let frame = try #require(try reader.readOurs().first { $0.role == "frame" }).place
      #expect(frame.count == 4 && frame[0] >= 0 && frame[0] + frame[2] <= 640, "\(frame)")
    }

    @Test("What a page says beside the pointer is not said, since it would be drawn over the line")
    func tooltip() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <div style='position:fixed;inset:0' title='accounts.example'></div>
        """)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try await desk.seat.standsStill()
      let windows = { try desk.screen.run("xwininfo", "-root", "-tree").split(separator: "\n").count }
      let usual = try windows()
      let place = try #require(desk.screen.place(of: "Sign in"))
      // A pointer that moves, and then rests.
      for x in [200, 201, 202] {
        try desk.screen.run("xdotool", "mousemove", "\(place.x + x)", "\(place.y + 190)")
        usleep(50_000)
      }
      // Nothing tells that nothing is said.
      #expect(!(try await eventually(within: 2) { try windows() > usual }))
    }

    private func play(_ tricks: [Trick], note: String, on desktop: Desktop = .x11) async throws {
      // As a tile a window begins where the screen does, and its own places are those of a picture.
      let desk = try await Desk(on: desktop, layout: .tiles)
      let reader = try await ScreenReader(desk)
      let host = desk.provider.replacing("http://", with: "")
      let other = desk.provider.replacing("127.0.0.1", with: "localhost")
      var first: [String] = []
      for trick in tricks {
        let window = try desk.show(
          """
          <body><button autofocus></button><script>const other = '\(other)';
          requestAnimationFrame(() => requestAnimationFrame(() => fetch('/painted-\(trick.name)')));
          onclick = () => { onclick = null; setTimeout(() => fetch('/done-\(trick.name)'), 700); \(trick.action) }</script>
          """, "https://as.example/done", variables: reader.variables)
        try #require(
          await eventually {
            window.text.contains("\"main_frame_loaded\":true") && desk.seat.shows("Sign in")
          }, "\(trick.name): \(window.text)")
        // What is pressed before it is painted goes nowhere.
        try #require(
          await eventually { desk.requests.contains { $0.hasPrefix("GET /painted-\(trick.name) ") } })
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
        let pictures = try desk.digests(of: picture, reader.addressPlace())
        if first.isEmpty { first = pictures }
        #expect(pictures == first, "\(trick.name)")
        try window.closeInput()
        #expect(await window.end() != nil)
      }
    }
  }
}

extension ScreenReader {
  /// What the line above the page says.
  func addressLine() throws -> [String] {
    let things = try readOurs()
    guard let index = things.firstIndex(where: { $0.name == "Address of the page" }) else { return [] }
    return things[(index + 1)...].prefix { $0.depth > things[index].depth }
      .filter { $0.role == "label" && $0.isShowing }.map(\.name)
  }

  /// Where the line is.
  func addressPlace() throws -> [Int] {
    try readOurs().first { $0.name == "Address of the page" }?.place ?? []
  }
}

extension Desk {
  /// What the line looks like in a picture, and the part of the border to the left of the page below it.
  fileprivate func digests(of picture: String, _ place: [Int]) throws -> [String] {
    try #require(place.count == 4)
    let path = try Screen.resultPath(picture + ".png")
    // Below what may be offered to the user between the two.
    let border = [place[0], place[1] + place[3] + 200, 4, 300]
    return try [place, border].map { part in
      let area = "\(part[2])x\(part[3])+\(part[0])+\(part[1])"
      return try Screen.run(["convert", path, "-crop", area, "+repage", "-format", "%#", "info:"], [:])
    }
  }
}
