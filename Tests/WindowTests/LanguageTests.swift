@testable import TestSupport
import Testing

extension WindowPageTests {
  @Suite("The window in the user's language")
  struct LanguageTests {
    /// A language with what its pages look like.
    struct Scene: Sendable, CustomTestStringConvertible {
      let language: String
      let page: String
      let isDark: Bool
      var testDescription: String { "\(language) \(page) \(isDark ? "dark" : "light")" }

      /// English, Russian, Arabic, and the two that nobody speaks.
      static let all = ["en", "ru", "ar", "xa", "ar_XB"].flatMap { language in
        ["to-file", "device", "paste"].map { page in
          Scene(language: language, page: page, isDark: (language == "ar") == (page == "to-file"))
        }
      }

      /// What the page says above all.
      var heading: String {
        [
          "to-file": "The page has stopped", "device": "Sign in on any device",
          "paste": "Continue in your browser",
        ][
          page] ?? ""
      }
    }

    @Test("Its own pages speak it", arguments: chosen(Scene.all, at: 4, 9))
    func pages(_ scene: Scene) async throws {
      let desk = try await Desk()
      let catalogues = try Catalogues()
      let reader = try await ScreenReader(desk)
      let variables = reader.variables.merging(catalogues.variables(scene.language)) { $1 }
        .merging(scene.isDark ? ["GTK_THEME": "Adwaita:dark"] : [:]) { $1 }
      let window =
        scene.page == "to-file"
        ? try desk.show(scene.page, variables) : try desk.showOwn(scene.page, variables)
      let heading = "heading '\(try catalogues.translation(scene.heading, into: scene.language))'"
      let cancel = try catalogues.translation("_Cancel", into: scene.language).replacing("_", with: "")
      var shown: [ScreenReader.Thing] = []
      #expect(
        try await eventually {
          shown = try reader.readOurs().filter(\.isShowing)
          return shown.contains { $0.description == heading }
            && shown.contains { $0.description == "push button '\(cancel)'" }
        }, "no \(heading): \(window.text) \(shown)")
      // The button that ends the login stands where lines begin.
      let place = try #require(shown.first { $0.description == "push button '\(cancel)'" }?.place)
      let frame = try #require(shown.first { ["frame", "dialog"].contains($0.role) }?.place)
      #expect((place[0] + place[2] / 2 > frame[0] + frame[2] / 2) == scene.language.hasPrefix("ar"))
      try await desk.screen.shoot("window-\(scene.language)-\(scene.page)")
    }

    @Test("Above a page stands its host in every language, and nothing more where nothing is wrong")
    func host() async throws {
      let desk = try await Desk(tls: true)
      let catalogues = try Catalogues()
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        at: "auth", "--trust", "127.0.0.1=\(desk.folder)/certificate.pem",
        variables: reader.variables.merging(catalogues.variables("de")) { $1 })
      let menu = "toggle button '\(try catalogues.translation("Menu", into: "de"))'"
      let host = "label '\(desk.provider.dropFirst("https://".count))'"
      var shown: [String] = []
      #expect(
        try await eventually {
          shown = try reader.readOurs().filter(\.isShowing).map(\.description)
          return shown.contains(menu) && shown.contains(host)
        }, "\(shown) \(login.errors)")
      let others = shown.filter { $0.hasPrefix("label") && $0 != host }
      #expect(!others.contains { $0.contains("Language:") }, "what a catalogue says of itself: \(others)")
    }
  }
}
