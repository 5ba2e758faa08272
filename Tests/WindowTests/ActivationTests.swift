import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("What lets a window come to the front")
  struct ActivationTests {
    @Test(
      "The window takes what its caller was given, and no process of the page sees it",
      arguments: chosen(["DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"], telling: "XDG_ACTIVATION_TOKEN"))
    func taken(variable: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", variables: [variable: "caller-1_TIME7"])
      try #require(await desk.showsPage(login))
      let window = try desk.screen.run("xdotool", "search", "--onlyvisible", "--name", "^Sign in$")
        .trimmingCharacters(in: .newlines)
      let properties = try desk.screen.run("xprop", "-id", window, "WM_CLIENT_LEADER", "WM_CLASS")
      let leader = try #require(properties.firstMatch(of: /window id # (0x[0-9a-f]+)/)).output.1
      let startup = try desk.screen.run("xprop", "-id", String(leader), "_NET_STARTUP_ID")
      #expect(startup.contains("\"caller-1_TIME7\""), "\(startup)")
      #expect(properties.contains("\"org.tokentry.Tokentry\", "), "\(properties)")
      let group = try #require(Processes.window(of: login))
      let pages = Processes.all.filter { $0.group == group && $0.identifier != group }
      #expect(!pages.isEmpty)
      for page in pages {
        #expect(try !systemText("/proc/\(page.identifier)/environ").contains("caller-1"), "\(page.name)")
      }
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test("A Wayland compositor is shown what the caller was given, by the window and once")
    func shown() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder)
      let variables = compositor.variables.merging(try desk.preload("wayland.c")) { $1 }
      let window = try desk.show("auth", variables.merging(["XDG_ACTIVATION_TOKEN": "caller-1"]) { $1 })
      let asked = /xdg_activation_v1@\d+\.activate\("caller-1", wl_surface@\d+\)/
      #expect(await eventually { window.errors.contains(asked) }, "\(window.errors.suffix(2_000))")
      try #require(await eventually { compositor.shows("Mail") })
      #expect(window.errors.matches(of: asked).count == 1)
    }

    @Test("A page that arrives does not bring a window to the front that is there, and its caller does")
    func stays() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder)
      let window = try desk.show("auth", compositor.variables.merging(try desk.preload("wayland.c")) { $1 })
      let loaded = "\"main_frame_loaded\":true"
      try #require(await eventually { window.text.contains(loaded) && compositor.shows("Mail") })
      try compositor.press("F5")
      #expect(await eventually { window.text.components(separatedBy: loaded).count == 3 }, "\(window.text)")
      #expect(!window.errors.contains(".activate("), "nobody has asked for it")
      try window.write("{\"raise\":true}\n")
      #expect(await eventually { window.errors.contains(".activate(") })
    }
  }
}
