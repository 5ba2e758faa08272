import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  /// Pictures for people to look at, in Tests/results: all that a test can tell is that something was painted.
  @Suite("What the window looks like")
  struct AppearanceTests {
    /// A desktop, and a page on it.
    struct Scene: Sendable, CustomTestStringConvertible {
      let name: String
      let page: String
      let variables: [String: String]
      var testDescription: String { name }
      var size: String { name.contains("hidpi") ? "1280x1520" : "640x760" }

      init(_ name: String, _ page: String, _ variables: [String: String] = [:]) {
        (self.name, self.page, self.variables) = (name, page, variables)
      }

      /// A failure is a page of ours, which has the colours and the direction of the desktop.
      static let all = [
        Scene("loading", "endless"), Scene("dark", "auth", ["GTK_THEME": "Adwaita:dark"]),
        Scene("contrast", "auth", ["GTK_THEME": "HighContrast"]),
        Scene("contrast-inverse-failure", "to-file", ["GTK_THEME": "HighContrastInverse"]),
        Scene("hidpi", "auth", ["GDK_SCALE": "2"]), Scene("hidpi-failure", "to-file", ["GDK_SCALE": "2"]),
        Scene("right-to-left", "auth-hebrew", hebrew), Scene("right-to-left-failure", "to-file", hebrew),
      ]

      /// A code for another device, and the question for an answer, are pages of ours as well.
      static let own = ["device", "paste"].flatMap { name in
        [
          Scene("own-light", name), Scene("own-dark", name, ["GTK_THEME": "Adwaita:dark"]),
          Scene("own-contrast", name, ["GTK_THEME": "HighContrast"]),
          Scene("own-contrast-inverse", name, ["GTK_THEME": "HighContrastInverse"]),
          Scene("own-hidpi", name, ["GDK_SCALE": "2"]), Scene("own-right-to-left", name, hebrew),
        ]
      }

      /// GTK's own translation says the direction, and C.UTF-8 is the one locale that every system has.
      private static let hebrew = ["LANG": "C.UTF-8", "LANGUAGE": "he"]
    }

    @Test(
      "A page of ours without others is painted on every desktop", arguments: chosen(Scene.own, at: 11))
    func own(_ scene: Scene) async throws {
      let desk = try await Desk(size: scene.size)
      let window = try desk.showOwn(scene.page, scene.variables)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try await desk.screen.shoot("window-\(scene.name)-\(scene.page)")
      if scene.page == "device" { #expect(try await desk.screen.readCode() == Desk.ownAddress) }
    }

    @Test("It is painted on every desktop", arguments: chosen(Scene.all, at: 0, 4))
    func scene(_ scene: Scene) async throws {
      let desk = try await Desk(size: scene.size)
      let window = try desk.show(scene.page, scene.variables)
      let sign = scene.name == "loading" ? "main_frame_loaded" : "\"main_frame_loaded\":true"
      try #require(
        await eventually {
          [sign, "page_error"].contains(where: window.text.contains) && desk.screen.shows("Mail")
        }, "\(window.text)")
      let picture = try Screen.resultPath("window-\(scene.name).png")
      #expect(
        try await eventually {
          try desk.screen.capture(picture)
          return Int(try Screen.run(["identify", "-format", "%k", picture], [:])) ?? 0 > 50
        }, "a picture of nothing")
      try await desk.screen.shoot("window-" + scene.name)
    }
  }
}
