import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  @Suite("What is painted of pages that lead on at once")
  struct PaintingTests {
    /// Navigations of which nothing comes: the page stays. The first one is stopped once the window is there.
    static let naught = [
      "location.href = '/silent'; setTimeout(stop, 1500)", "location.href = 'mailto:a@b'",
      "location.hash = 'x'",
    ]

    @Test("A page is painted that would lead on at once and does not", arguments: chosen(naught, at: 0, 2))
    func stays(_ script: String) async throws {
      let desk = try await Desk()
      let window = try desk.show(
        "<body style='background:#c00' onload=\"\(script)\">", "https://oauth.vk.com/blank.html")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(window.text)")
      #expect(try await eventually { try desk.centre() == "CC0000" }, "\(window.text)")
    }

    /// On a slow machine the window may be there before the first page, which proves nothing, or just after it.
    @Test("No window flashes up for a page that leads on at once")
    func flash() async throws {
      var (unseen, seen, desks) = (0, 0, 0)
      while unseen < 3, seen < 3, desks < 20 {
        desks += 1
        let desk = try await Desk()
        let next = "<script>location.href = document.hidden ? '/silent' : '/slow'</script>"
        let login = try desk.login(
          """
          <body onload="location.href = document.hidden
          ? '/html?redirect_uri=&body=' + encodeURIComponent(`\(next)`) : '/other'">
          """, more: [])
        let isAsked = { (name: String) in desk.requests.contains { $0.hasPrefix("GET /\(name) ") } }
        try #require(
          await eventually { ["silent", "slow", "other"].contains(where: isAsked) }, "\(login.errors)")
        if isAsked("silent") { unseen += 1 }
        if isAsked("slow") { seen += 1 }
      }
      #expect(unseen == 3, "\(seen) were seen, in \(desks) windows")
    }

    /// A page that finds itself shown says so: a window that is there before its page, as on a slow machine, proves
    /// nothing here.
    @Test("The window does not wait for a picture of a page that leads on before it was shown")
    func left() async throws {
      for _ in 0..<10 {
        let desk = try await Desk()
        let login = try desk.login(
          "<body style='background:#c00'><script>location.href = document.hidden ? '/silent' : '/slow'</script>",
          variables: ["GTK_THEME": "Adwaita:dark"])
        let isLeft = { desk.requests.contains { $0.hasPrefix("GET /silent ") || $0.hasPrefix("GET /slow ") } }
        try #require(await eventually { isLeft() && desk.screen.shows("Sign in") }, "\(login.errors)")
        guard desk.requests.contains(where: { $0.hasPrefix("GET /silent ") }) else { continue }
        try await desk.screen.shoot("window-led-on")
        // That of the desktop, in which the window was before: WebKit has a white one of its own.
        #expect(try desk.centre() == "2F2F2F")
        return
      }
      Issue.record("no page leads on before its window is there")
    }
  }
}

extension Desk {
  /// The colour in the middle of where pages are.
  fileprivate func centre() throws -> String {
    let picture = folder + "/centre.png"
    try screen.capture(picture)
    return String(
      try Screen.run(["convert", picture, "-format", "%[hex:p{320,500}]", "info:"], [:]).prefix(6))
  }
}
