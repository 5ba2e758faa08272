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

      /// GTK's own translation says the direction, and C.UTF-8 is the one locale that every system has.
      private static let hebrew = ["LANG": "C.UTF-8", "LANGUAGE": "he"]
    }

    @Test("It is painted on every desktop", arguments: Scene.all)
    func scene(_ scene: Scene) async throws {
      let desk = try await Desk(size: scene.name.hasPrefix("hidpi") ? "1280x1520" : "640x760")
      let window = try desk.show(scene.page, scene.variables)
      let signs = ["\"main_frame_loaded\":true", "page_error"]
      try #require(
        await eventually(within: 15) {
          scene.name == "loading" ? desk.screen.shows("Mail") : signs.contains(where: window.text.contains)
        }, "\(window.text)")
      try await desk.screen.shoot("window-" + scene.name)
      let picture = try Screen.resultPath("window-\(scene.name).png")
      let colours = try Screen.run(["identify", "-format", "%k", picture], [:])
      #expect(Int(colours) ?? 0 > 50, "a picture of nothing")
    }
  }
}
