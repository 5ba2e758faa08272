import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// A window that cannot paint is one with a library in front of the others that loses what WebKit draws. Where these
  /// tests sleep it is for longer than a page is given to be painted: nothing may happen by then.
  @Suite("When nothing can be seen")
  struct BlankTests {
    @Test(
      "A page that cannot be painted is opened again in another way, and what worked is remembered",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func reopened(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let blank = try desk.blank(curedBy: "WEBKIT_DISABLE_COMPOSITING_MODE")
      let login = try desk.login(at: "auth", variables: blank)
      let message = "opened again with --rendering no-compositing"
      try #require(await eventually { login.errors.contains(message) }, "\(login.errors)")
      let kept = "no-compositing is remembered"
      try #require(await eventually { login.errors.contains(kept) }, "\(login.errors)")
      #expect(!login.errors.contains("the window ended"))
      try desk.seat.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"state\":\"verified\""))
      #expect(desk.requests.filter { $0.hasPrefix("GET /auth") }.count == 2)
      let path = desk.folder + "/home/.local/state/tokentry/rendering"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "no-compositing\n")

      let next = try desk.login(at: "auth", variables: blank)
      try #require(await desk.showsPage(next), "\(next.errors)")
      try await Task.sleep(for: .seconds(4))
      #expect(!next.errors.contains("stayed blank"))
      try desk.seat.signIn()
      #expect(await next.end() == 0, "\(next.errors)")
    }

    @Test("Where nothing helps, each way is tried once, and the window stays until the user leaves")
    func nothingHelps() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", variables: try desk.blank())
      let message = "opened again with --rendering software"
      try #require(await eventually { login.errors.contains(message) }, "\(login.errors)")
      try await Task.sleep(for: .seconds(6))
      #expect(login.errors.components(separatedBy: "opened again").count == 3, "\(login.errors)")
      try await desk.screen.shoot("window-blank")
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(desk.filesAtHome == [])
    }

    @Test("What the user has begun is not taken away: the choice is the user's, in a bar of ours")
    func touched() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        at: "auth", variables: try desk.blank(curedBy: "WEBKIT_DISABLE_COMPOSITING_MODE"))
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.type("anna")
      try await desk.choosesToOpenSafely(login)
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("Neither a page after a form that was sent nor one that is empty is opened again unasked")
    func notUnasked() async throws {
      for (page, isBlank) in chosen([("posts", true), ("empty", false)], at: 0) {
        let desk = try await Desk()
        let login = try desk.login(at: page, variables: isBlank ? try desk.blank() : [:])
        try #require(await desk.showsPage(login), "\(login.errors)")
        try await desk.choosesToOpenSafely(login)
        login.end(SIGTERM)
        #expect(await login.end() == 3)
      }
    }

    @Test(
      "A page that can be seen is left alone, and no bar is above it",
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
        #expect(await login.end() == 3)
      }
      #expect(desk.requests.count == pages.count)
    }

    @Test("A window behind another one is not judged until it can be seen")
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

    @Test("The bar leads to the browser where the caller knows that way, and nowhere else")
    func browser() async throws {
      let desk = try await Desk()
      for ways in chosen(["[\"browser\"]", "[]"], at: 0) {
        let window = try desk.window()
        try window.write(
          "{\"open\":{\"url\":\"\(desk.provider)/empty\",\"redirect_uris\":[\"app:/done\"],\"ways\":\(ways)}}\n"
        )
        try #require(await eventually { window.text.contains("\"main_frame_loaded\":true") })
        try await Task.sleep(for: .seconds(5))
        if ways != "[]" { try await desk.screen.shoot("window-empty") }
        try desk.screen.press("alt+b")
        let hasSwitched = await eventually(within: ways == "[]" ? 2 : patience) {
          window.text.contains("{\"switch\":{\"to\":\"browser\"}}")
        }
        #expect(hasSwitched == (ways != "[]"), "\(window.text)")
        try window.closeInput()
        #expect(await window.end() != nil)
      }
    }

    @Test("A page that cannot be asked for twice is not")
    func once() async throws {
      let desk = try await Desk()
      let window = try desk.window(try desk.blank())
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/auth\",\"redirect_uris\":[\"app:/done\"],\"opens_once\":true}}\n"
      )
      try #require(await eventually { window.text.contains("\"main_frame_loaded\":true") })
      try await Task.sleep(for: .seconds(5))
      try desk.screen.press("alt+s")
      #expect(await window.end(within: 1) == nil)
      #expect(!window.text.contains("blank") && !window.text.contains("painted"), "\(window.text)")
      try window.closeInput()
      #expect(await window.end() != nil)
    }
  }
}

extension Desk {
  /// The variables with which windows stay blank, unless a variable cures that.
  func blank(curedBy cure: String = "NOTHING") throws -> [String: String] {
    try preload("blank.c", "-DCURE=\"\(cure)\"")
  }

  /// Waits for longer than a page is given, and presses the button in the bar.
  func choosesToOpenSafely(_ login: Program) async throws {
    try await Task.sleep(for: .seconds(5))
    #expect(!login.errors.contains("opened again"), "\(login.errors)")
    let pages = { login.errors.components(separatedBy: "info: page of").count }
    let before = pages()
    try screen.press("alt+s")
    try #require(await eventually { login.errors.contains("opened again") }, "\(login.errors)")
    try #require(await eventually { pages() > before && self.screen.shows("Sign in") })
  }
}
