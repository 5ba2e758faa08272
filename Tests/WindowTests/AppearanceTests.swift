import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// The tests leave pictures in Tests/results for people to look at. The tests themselves only see that the window is
  /// painted.
  @Suite("Themes, scales and directions")
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

      static let all = [
        Scene("loading", "endless"), Scene("dark", "auth", ["GTK_THEME": "Adwaita:dark"]),
        Scene("contrast", "auth", ["GTK_THEME": "HighContrast"]),
        Scene("contrast-inverse-failure", "to-file", ["GTK_THEME": "HighContrastInverse"]),
        Scene("hidpi", "auth", ["GDK_SCALE": "2"]), Scene("hidpi-failure", "to-file", ["GDK_SCALE": "2"]),
        Scene("right-to-left", "auth-hebrew", hebrew), Scene("right-to-left-failure", "to-file", hebrew),
      ]

      static let own = ["device", "paste"].flatMap { name in
        [
          Scene("own-light", name), Scene("own-dark", name, ["GTK_THEME": "Adwaita:dark"]),
          Scene("own-contrast", name, ["GTK_THEME": "HighContrast"]),
          Scene("own-contrast-inverse", name, ["GTK_THEME": "HighContrastInverse"]),
          Scene("own-hidpi", name, ["GDK_SCALE": "2"]), Scene("own-right-to-left", name, hebrew),
        ]
      }

      /// GTK's own translation sets the direction. C.UTF-8 is the only locale that every system has.
      private static let hebrew = ["LANG": "C.UTF-8", "LANGUAGE": "he"]
    }

    @Test("A code or a question is painted on every desktop", arguments: chosen(Scene.own, at: 11))
    func own(_ scene: Scene) async throws {
      let desk = try await Desk(size: scene.size)
      let window = try desk.ownWindow(scene.page, scene.variables)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try await desk.screen.shoot("window-\(scene.name)-\(scene.page)")
      if scene.page == "device" { #expect(try await desk.screen.readCode() == Desk.deviceAddress) }
    }

    @Test("A page or a failure is painted on every desktop", arguments: chosen(Scene.all, at: 0, 4))
    func scene(_ scene: Scene) async throws {
      let desk = try await Desk(size: scene.size)
      let window = try desk.mailWindow(at: scene.page, scene.variables)
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
        }, "the picture is empty")
      try await desk.screen.shoot("window-" + scene.name)
    }
  }

  @Suite("The user's language")
  struct LanguageTests {
    /// A page of the window's own in a language.
    struct Scene: Sendable, CustomTestStringConvertible {
      let language: String
      let page: String
      let isDark: Bool
      var testDescription: String { "\(language) \(page) \(isDark ? "dark" : "light")" }

      /// English, Russian, Arabic and the two pseudo-languages.
      static let all = ["en", "ru", "ar", "xa", "ar_XB"].flatMap { language in
        ["to-file", "device", "paste"].map { page in
          Scene(language: language, page: page, isDark: (language == "ar") == (page == "to-file"))
        }
      }

      var heading: String {
        switch page {
        case "to-file": "The page has stopped"
        case "device": "Sign in on another device"
        default: "Continue in your browser"
        }
      }
    }

    @Test("A failure, a code and a question are translated", arguments: chosen(Scene.all, at: 4, 9))
    func pages(_ scene: Scene) async throws {
      let desk = try await Desk()
      let catalogues = try Catalogues()
      let reader = try await ScreenReader(desk)
      let variables = reader.variables.merging(catalogues.variables(scene.language)) { $1 }
        .merging(scene.isDark ? ["GTK_THEME": "Adwaita:dark"] : [:]) { $1 }
      let server = try StandInServer.givingCodes { _ in
        .json(#"{"error":"authorization_pending"}"#, status: 400)
      }
      // The program that asks writes the words of a code and a question.
      let window =
        switch scene.page {
        case "to-file": try desk.mailWindow(at: scene.page, variables)
        case "device": try desk.tokentry(server.deviceOptions + ["--grant", "device"], variables: variables)
        default: try desk.login(at: "auth", "--way", "paste", "--browser", "true", variables: variables)
        }
      let heading = "heading '\(try catalogues.translation(scene.heading, into: scene.language))'"
      let name = try catalogues.translation("_Cancel", into: scene.language).replacing("_", with: "")
      let cancel = "push button '\(name)'"
      #expect(try await reader.missing([heading, cancel]) == [], "\(window.text)")
      // The Cancel button stands at the side where lines start.
      let shown = try reader.elements().filter(\.isShowing)
      let place = try #require(shown.first { $0.description == cancel }?.place)
      let frame = try #require(shown.first { ["frame", "dialog"].contains($0.role) }?.place)
      #expect((place[0] + place[2] / 2 > frame[0] + frame[2] / 2) == scene.language.hasPrefix("ar"))
      try await desk.screen.shoot("window-\(scene.language)-\(scene.page)")
    }

    @Test("In a translated window, the line above a page has only the host")
    func host() async throws {
      let desk = try await Desk(tls: true)
      let catalogues = try Catalogues()
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        at: "auth", "--trust", "127.0.0.1=\(desk.folder)/certificate.pem",
        variables: reader.variables.merging(catalogues.variables("de")) { $1 })
      let info = "toggle button '\(try catalogues.translation("About this window", into: "de"))'"
      let host = "label '\(desk.provider.dropFirst("https://".count))'"
      #expect(try await reader.missing([info, host]) == [], "\(login.errors)")
      let labels = try reader.elements().filter(\.isShowing).map(\.description)
        .filter { $0.hasPrefix("label") && $0 != host }
      // The translation of an empty text is the header of the catalogue.
      #expect(!labels.contains { $0.contains("Language:") }, "\(labels)")
    }
  }

  @Suite("The desktop's settings")
  struct PreferencesTests {
    private static let page = """
      <h1>Sign in</h1><script>
      for (const query of ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)']) {
        const media = matchMedia(query), name = query.split(/[-:]/)[1]
        const tell = () => fetch(`/${name}-${media.matches}`)
        media.onchange = tell
        tell()
      }
      </script>
      """

    /// The geometry of a part of the title bar without text.
    private static let titleBar = "40x6+200+26"

    // The real portal looks into the process that asks, so it has to be the real one.
    @Test(
      "Colours, animations and text size follow the settings portal, even while the window is open",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func portal(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let bus = try PrivateBus(.none)
      // The portal needs X11, even next to a window on Wayland.
      let screen = desktop == .x11 ? desk.screen : try await Screen()
      let variables = bus.environment.merging(["GSETTINGS_BACKEND": "keyfile", "DISPLAY": screen.name]) { $1 }
      let set = { (key: String, value: String) in
        _ = try Screen.run(["gsettings", "set", "org.gnome.desktop.interface", key, value], variables)
      }
      try set("color-scheme", "prefer-dark")
      try set("enable-animations", "false")
      for (daemon, name) in [
        ("xdg-desktop-portal-gtk", "org.freedesktop.impl.portal.desktop.gtk"),
        ("xdg-desktop-portal", "org.freedesktop.portal.Desktop"),
      ] {
        try bus.start("/usr/libexec/" + daemon, variables: variables)
        try bus.waitForOwner(of: name)
      }
      let address = try #require(bus.environment["DBUS_SESSION_BUS_ADDRESS"])
      let window = try desk.window(showing: Self.page, variables: ["DBUS_SESSION_BUS_ADDRESS": address])
      #expect(
        await eventually { desk.hits("/color-true") > 0 && desk.hits("/reduced-true") > 0 },
        "\(desk.requests) \(window.text)")
      try #require(await eventually { desk.seat.shows("Sign in") })
      try await desk.seat.shoot("window-portal-dark-\(desktop)")
      #expect(try Screen.brightness(of: "window-portal-dark-\(desktop)", Self.titleBar) < 0.4)
      try set("color-scheme", "default")
      #expect(await desk.isHit("/color-false"), "\(desk.requests)")
      try await desk.seat.shoot("window-portal-light-\(desktop)")
      #expect(try Screen.brightness(of: "window-portal-light-\(desktop)", Self.titleBar) > 0.6)
      let light = try Data(contentsOf: URL(filePath: Screen.resultPath("window-portal-light-\(desktop).png")))
      try set("text-scaling-factor", "2.0")
      let larger = try Screen.resultPath("window-portal-text-\(desktop).png")
      #expect(
        try await eventually {
          try desk.seat.capture(larger)
          return try Data(contentsOf: URL(filePath: larger)) != light
        })
      try await desk.seat.shoot("window-portal-text-\(desktop)")
    }

    @Test("The dark one of GTK's high-contrast themes makes pages dark")
    func inverse() async throws {
      let desk = try await Desk()
      let window = try desk.window(showing: Self.page, variables: ["GTK_THEME": "HighContrastInverse"])
      #expect(await desk.isHit("/color-true"), "\(desk.requests) \(window.text)")
    }

    @Test("High contrast follows the settings portal", arguments: chosen(Desktop.allCases, telling: .x11))
    func contrast(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let portal = try SettingsPortal(desk)
      let address = try await portal.address()
      try await portal.set("contrast", 1)
      let window = try desk.window(
        showing: "<h1>Sign in</h1>", variables: ["DBUS_SESSION_BUS_ADDRESS": address])
      try #require(await desk.shows(window), "\(window.text)")
      let picture = { (name: String) in
        let path = try Screen.resultPath("window-portal-contrast-\(name)-\(desktop).png")
        try desk.seat.capture(path)
        return try Data(contentsOf: URL(filePath: path))
      }
      try await desk.seat.standsStill()
      let much = try picture("much")
      try await portal.set("contrast", 0)
      #expect(try await eventually { try picture("usual") != much })
      try await portal.set("contrast", 1)
      #expect(try await eventually { try picture("again") == much })
      try await portal.set("color-scheme", 1)
      #expect(try await eventually { try picture("inverse") != much })
      #expect(try Screen.brightness(of: "window-portal-contrast-inverse-\(desktop)", Self.titleBar) < 0.3)
    }
  }
}

/// A stand-in for the settings portal, whose settings the test changes.
private struct SettingsPortal {
  private let program: Program

  init(_ desk: Desk) throws {
    program = try Program(
      Desk.file("settings-portal.py"), [],
      environment: ["PATH": "/usr/bin:/bin", "HOME": desk.folder, "XDG_RUNTIME_DIR": desk.folder],
      errorPath: desk.folder + "/settings-portal")
  }

  /// The address of its message bus.
  func address() async throws -> String {
    try #require(await eventually { program.text.hasSuffix("\n") }, "\(program.errors)")
    return program.text.trimmingCharacters(in: .newlines)
  }

  func set(_ key: String, _ value: Int) async throws {
    let count = program.text.count
    try program.write("\(key) \(value)\n")
    try #require(await eventually { program.text.count > count }, "\(program.errors)")
  }
}
