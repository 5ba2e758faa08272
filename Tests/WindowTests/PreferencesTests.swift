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
    @Test(
      "The settings portal says it, also when it changes while the window is open",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func portal(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let bus = try PrivateBus(.none)
      // On Wayland the portal, which shows nothing, is still one of X11.
      let screen = desktop == .x11 ? desk.screen : try await Screen()
      let variables = bus.environment.merging(["GSETTINGS_BACKEND": "keyfile", "DISPLAY": screen.name]) { $1 }
      let set = { (key: String, value: String) in
        try Screen.run(["gsettings", "set", "org.gnome.desktop.interface", key, value], variables)
      }
      _ = try set("color-scheme", "prefer-dark")
      _ = try set("enable-animations", "false")
      for (daemon, name) in [
        ("xdg-desktop-portal-gtk", "org.freedesktop.impl.portal.desktop.gtk"),
        ("xdg-desktop-portal", "org.freedesktop.portal.Desktop"),
      ] {
        try bus.start("/usr/libexec/" + daemon, variables: variables)
        try bus.waitForOwner(of: name)
      }
      let address = try #require(bus.environment["DBUS_SESSION_BUS_ADDRESS"])
      let window = try desk.show(
        Self.page, "https://oauth.vk.com/blank.html", variables: ["DBUS_SESSION_BUS_ADDRESS": address])
      let told = { (path: String) in desk.requests.contains { $0.hasPrefix("GET /\(path) ") } }
      #expect(
        await eventually { told("color-true") && told("reduced-true") }, "\(desk.requests) \(window.text)")
      try #require(await eventually { desk.seat.shows("Sign in") })
      try await desk.seat.shoot("window-portal-dark-\(desktop)")
      #expect(try Screen.brightness(of: "window-portal-dark-\(desktop)", Self.titleBar) < 0.4)
      _ = try set("color-scheme", "default")
      #expect(await eventually { told("color-false") }, "\(desk.requests)")
      try await desk.seat.shoot("window-portal-light-\(desktop)")
      #expect(try Screen.brightness(of: "window-portal-light-\(desktop)", Self.titleBar) > 0.6)
      let light = try Data(contentsOf: URL(filePath: Screen.resultPath("window-portal-light-\(desktop).png")))
      _ = try set("text-scaling-factor", "2.0")
      let larger = try Screen.resultPath("window-portal-text-\(desktop).png")
      #expect(
        try await eventually {
          try desk.seat.capture(larger)
          return try Data(contentsOf: URL(filePath: larger)) != light
        })
      try await desk.seat.shoot("window-portal-text-\(desktop)")
    }

    @Test(
      "More contrast is taken from the portal, and given back",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func contrast(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let portal = try SettingsPortal(desk)
      let address = try await portal.address()
      try await portal.set("contrast", 1)
      let window = try desk.show(
        "<h1>Sign in</h1>", "https://oauth.vk.com/blank.html",
        variables: ["DBUS_SESSION_BUS_ADDRESS": address])
      try #require(
        await eventually { window.text.contains("\"main_frame_loaded\":true") && desk.seat.shows("Sign in") },
        "\(window.text)")
      let picture = { (name: String) in
        let name = "window-portal-contrast-\(name)-\(desktop)"
        try desk.seat.capture(Screen.resultPath(name + ".png"))
        return try Data(contentsOf: URL(filePath: Screen.resultPath(name + ".png")))
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

    /// A part of it without words.
    private static let titleBar = "40x6+200+26"
  }
}

/// A settings portal that says what it is told to.
private struct SettingsPortal {
  private let program: Program

  init(_ desk: Desk) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "settings-portal.py")
    program = try Program(
      script.path(), [],
      environment: ["PATH": "/usr/bin:/bin", "HOME": desk.folder, "XDG_RUNTIME_DIR": desk.folder],
      errorPath: desk.folder + "/settings-portal")
  }

  /// Where its message bus is.
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

extension Screen {
  /// How bright a part of a picture is, from 0 to 1.
  static func brightness(of picture: String, _ part: String) throws -> Double {
    let text = try run(
      ["convert", try resultPath(picture + ".png"), "-crop", part, "-format", "%[fx:mean]", "info:"], [:])
    return try #require(Double(text))
  }
}
