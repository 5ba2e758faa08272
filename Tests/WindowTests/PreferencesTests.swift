import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("How the user wants all windows")
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

    // The real portal looks into the process that asks, which is why it matters that it is the real one.
    @Test("The settings portal says it, also when it changes while the window is open")
    func portal() async throws {
      let desk = try await Desk()
      let bus = try PrivateBus(.none)
      let variables = bus.environment.merging(["GSETTINGS_BACKEND": "keyfile", "DISPLAY": desk.screen.name]) {
        $1
      }
      let set = { (key: String, value: String) in
        try Screen.run(["gsettings", "set", "org.gnome.desktop.interface", key, value], variables)
      }
      _ = try set("color-scheme", "prefer-dark")
      _ = try set("enable-animations", "false")
      for (daemon, name) in [
        ("xdg-desktop-portal-gtk", "org.freedesktop.impl.portal.desktop.gtk"),
        ("xdg-desktop-portal", "org.freedesktop.portal.Desktop"),
      ] {
        try bus.start("exec env GSETTINGS_BACKEND=keyfile DISPLAY=\(desk.screen.name) /usr/libexec/\(daemon)")
        try bus.waitForOwner(of: name)
      }
      let address = try #require(bus.environment["DBUS_SESSION_BUS_ADDRESS"])
      let window = try desk.show(
        Self.page, "https://oauth.vk.com/blank.html", variables: ["DBUS_SESSION_BUS_ADDRESS": address])
      let told = { (path: String) in desk.requests.contains { $0.hasPrefix("GET /\(path) ") } }
      #expect(
        await eventually { told("color-true") && told("reduced-true") }, "\(desk.requests) \(window.text)")
      try #require(await eventually { desk.screen.shows("Sign in") })
      try await desk.screen.shoot("window-portal-dark")
      #expect(try Screen.brightness(of: "window-portal-dark", Self.titleBar) < 0.4)
      _ = try set("color-scheme", "default")
      #expect(await eventually { told("color-false") }, "\(desk.requests)")
      try await desk.screen.shoot("window-portal-light")
      #expect(try Screen.brightness(of: "window-portal-light", Self.titleBar) > 0.6)
      let light = try Data(contentsOf: URL(filePath: Screen.resultPath("window-portal-light.png")))
      _ = try set("text-scaling-factor", "2.0")
      #expect(
        try await eventually {
          let picture = desk.folder + "/text.png"
          try desk.screen.run("import", "-window", "root", "-strip", picture)
          return try Data(contentsOf: URL(filePath: picture)) != light
        })
      try await desk.screen.shoot("window-portal-text")
    }

    /// A part of it without words.
    private static let titleBar = "40x6+200+26"
  }
}

extension Screen {
  /// How bright a part of a picture is, from 0 to 1.
  static func brightness(of picture: String, _ part: String) throws -> Double {
    let text = try run(
      ["convert", try resultPath(picture + ".png"), "-crop", part, "-format", "%[fx:mean]", "info:"], [:])
    return try #require(Double(text))
  }
}
