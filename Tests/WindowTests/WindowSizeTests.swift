import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The size of the window")
  struct WindowSizeTests {
    private static let wide =
      "<div style='width:880px;height:300px;background:linear-gradient(90deg,#ddd,#468)'>Two columns</div>"

    @Test(
      "A wide page makes the window wider, up to the width of the screen",
      arguments: chosen(Desktop.allCases, telling: .wayland), ["1366x768", "800x480"])
    func wide(_ desktop: Desktop, _ size: String) async throws {
      let desk = try await Desk(on: desktop, size: size)
      let window = try desk.window(showing: Self.wide)
      let width = size == "1366x768" ? 880...940 : 700...800
      #expect(
        await eventually { desk.seat.place(of: "Sign in").map { width.contains($0.width) } ?? false },
        "\(window.text)")
      try await desk.seat.standsStill()
      try await desk.seat.shoot("window-wide-\(size)-\(desktop)")
      let screen = size.split(separator: "x").compactMap { Int($0) }
      var place: Place?
      // The window grows first and moves then. On Wayland the compositor decides where it is.
      let fits = try await eventually {
        let now = try #require(desk.seat.place(of: "Sign in"), "\(window.text) \(window.errors)")
        place = now
        return now.width <= screen[0] && now.height <= screen[1]
          && (desktop == .wayland
            || now.x >= 0 && now.y >= 0 && now.x + now.width <= screen[0] && now.y + now.height <= screen[1])
      }
      #expect(fits, "\(String(describing: place))")
    }

    @Test("A wide page that loads a frame before it is shown makes the window wider")
    func framed() async throws {
      let desk = try await Desk(size: "1366x768")
      let script =
        "const c = new MessageChannel(), f = document.createElement('iframe'); f.src = '/auth'; "
        + "c.port1.onmessage = () => document.body.append(f); c.port2.postMessage(0)"
      let window = try desk.window(showing: "<body onload=\"\(script)\">\(Self.wide)")
      #expect(
        await eventually { desk.seat.place(of: "Sign in").map { (880...940).contains($0.width) } ?? false },
        "\(window.text)")
    }

    @Test(
      "A wished size is fixed, up to the size of the screen",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func fixed(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop, size: "900x600")
      for (option, width) in chosen([("400x500", 380...420), ("5000x5000", 800...900)], at: 1) {
        let login = try desk.login(Self.wide, more: optionsFile(["window_size": option]))
        try #require(await desk.showsPage(login), "\(login.errors)")
        try await desk.seat.standsStill()
        let place = try #require(desk.seat.place(of: "Sign in"))
        #expect(width.contains(place.width), "\(place)")
        try desk.seat.press("ctrl+w")
        #expect(await login.end() == 3, "\(login.errors)")
      }
      let login = try desk.login(Self.wide, more: optionsFile(["window_size": "40x50"]))
      #expect(await login.end() == 2)
      #expect(login.errors.contains("window_size") && login.errors.contains("960x720"), "\(login.errors)")
    }

    @Test("A preset sets the size", arguments: chosen(Desktop.allCases, telling: .wayland))
    func preset(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop, size: "1366x768")
      let preset = desk.folder + "/wide.json"
      try #"{"name":"Wide","window_size":"900x500"}"#.write(toFile: preset, atomically: true, encoding: .utf8)
      let login = try desk.login(
        at: "auth", more: ["--provider", preset] + optionsFile(["title": "Sign in"]))
      try #require(await desk.showsPage(login), "\(login.errors)")
      try await desk.seat.standsStill()
      let place = try #require(desk.seat.place(of: "Sign in"), "\(login.text) \(login.errors)")
      #expect((890...960).contains(place.width) && (490...620).contains(place.height), "\(place)")
    }

    @Test(
      "The next window gets the size and the zoom that the user has chosen, and only these are kept",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func remembers(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let first = try desk.login(at: "size")
      try #require(await desk.showsPage(first), "\(first.errors)")
      try await desk.seat.standsStill()
      let file = desk.folder + "/home/.local/state/tokentry/window"
      let kept = { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
      #expect(kept() == "")
      // The desktop may still be resizing the new window, which is not the user's choice.
      for width in 560..<570 where kept() == "" {
        try desk.seat.resize("Sign in", width: width, height: 640)
        _ = await eventually(within: soon) { kept() != "" }
      }
      #expect(kept().hasSuffix(" 100%\n"), "\(desk.filesAtHome)")
      try desk.seat.press("ctrl+plus")
      #expect(await eventually { kept().hasSuffix(" 110%\n") }, "\(kept())")
      let before = try #require(desk.seat.place(of: "Sign in"))
      try desk.seat.press("ctrl+w")
      #expect(await first.end() == 3, "\(first.errors)")
      #expect(kept().wholeMatch(of: /\d+x\d+ 110%\n/) != nil, "\(kept())")
      #expect(desk.filesAtHome.filter { $0.contains("tokentry/") } == [".local/state/tokentry/window"])
      let second = try desk.login(at: "auth")
      try #require(await desk.showsPage(second), "\(second.errors)")
      try await desk.seat.standsStill()
      let after = try #require(desk.seat.place(of: "Sign in"))
      #expect((after.width, after.height) == (before.width, before.height))
      try desk.seat.close("Sign in")
      #expect(await second.end() == 3, "\(second.errors)")
    }
  }
}
