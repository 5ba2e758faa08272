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

    @Test("A page is painted that would lead on at once and does not", arguments: chosen(naught, at: 2))
    func stays(_ script: String) async throws {
      let desk = try await Desk()
      let window = try desk.show(
        "<body style='background:#c00' onload=\"\(script)\">", "https://oauth.vk.com/blank.html")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(window.text)")
      #expect(try await eventually { try desk.centre() == "CC0000" }, "\(window.text)")
    }

    @Test("No window flashes up for a page that leads on at once")
    func flash() async throws {
      let next = "<script>location.href = document.hidden ? '/silent' : '/slow'</script>"
      let page = "location.href = '/html?redirect_uri=&body=' + encodeURIComponent(`\(next)`)"
      for _ in 0..<3 {
        let desk = try await Desk()
        let window = try desk.showPatiently("<body onload=\"\(page)\">")
        try #require(await eventually { desk.isAsked("silent") || desk.isAsked("slow") }, "\(window.text)")
        #expect(desk.isAsked("silent"))
        #expect(desk.isPatient)
      }
    }

    @Test("The window does not wait for a picture of a page that leads on before it was shown")
    func left() async throws {
      let desk = try await Desk()
      let window = try desk.showPatiently(
        "<body style='background:#c00' onload=\"location.href = '/silent'\">", theme: "Adwaita:dark")
      try #require(await eventually { desk.isAsked("silent") }, "\(window.text)")
      #expect(desk.isPatient)
      try window.write("{\"raise\":true}\n")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(window.text)")
      // Where the window has not been painted yet, there is the screen.
      #expect(try await eventually { try desk.centre() != "000000" })
      try await desk.screen.shoot("window-led-on")
      // The colour of the desktop: WebKit has a white one of its own where it has no picture.
      let colour = try desk.centre()
      #expect(colour == "2F2F2F")
    }
  }
}

extension Desk {
  /// A window that shows nothing before its page is there, however long that takes.
  fileprivate func showPatiently(_ body: String, theme: String = "Adwaita") throws -> Program {
    let library = try preload("patient.c", "-DDELAY=800", "-DNOTE=\"\(folder)/patient\"")
    return try show(
      body, "https://oauth.vk.com/blank.html", variables: library.merging(["GTK_THEME": theme]) { $1 })
  }

  fileprivate var isPatient: Bool { FileManager.default.fileExists(atPath: folder + "/patient") }

  /// Whether a page was asked for.
  fileprivate func isAsked(_ page: String) -> Bool { requests.contains { $0.hasPrefix("GET /\(page) ") } }

  /// The colour in the middle of where pages are.
  fileprivate func centre() throws -> String {
    let picture = folder + "/centre.png"
    try screen.capture(picture)
    return String(
      try Screen.run(["convert", picture, "-format", "%[hex:p{320,500}]", "info:"], [:]).prefix(6))
  }
}
