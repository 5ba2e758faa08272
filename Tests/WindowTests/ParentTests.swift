import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The window of the calling program")
  struct ParentTests {
    @Test(
      "On X11 the login's window is modal, centred on its parent, and in front of it",
      arguments: chosen(["window", "paste"], telling: "window"))
    func x11(agent: String) async throws {
      let desk = try await Desk(size: "1280x1200")
      let parent = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(at: "auth", "--parent", parent.handle, "--way", agent, "--browser", "true")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(login.errors)")
      let window = try desk.screen.window("Sign in")
      let properties = try desk.screen.run("xprop", "-id", window, "WM_TRANSIENT_FOR", "_NET_WM_STATE")
      #expect(properties.contains("window id # 0x\(parent.number)\n"), "\(properties)")
      #expect(properties.contains("_NET_WM_STATE_MODAL"), "\(properties)")
      let (inner, outer) = (
        try desk.screen.centre(of: window), try desk.screen.centre(of: "0x" + parent.number)
      )
      #expect(abs(inner.x - outer.x) <= 10 && abs(inner.y - outer.y) <= 10, "\(inner) \(outer)")
      #expect(!login.errors.contains("parent"))
    }

    @Test("A parent in the corner does not push the login's window off the screen")
    func corner() async throws {
      let desk = try await Desk()
      let parent = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(at: "auth", "--parent", parent.handle)
      try #require(await desk.showsPage(login))
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test(
      "A parent that does not exist, or is on another display, causes a warning, and the login goes on",
      arguments: [
        ("x11:dead01", "there is no parent window with the number 0xdead01"),
        ("wayland:8ce580", "the parent window belongs to Wayland, but the display does not"),
      ])
    func wrong(_ handle: String, _ warning: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--parent", handle)
      try #require(await desk.showsPage(login))
      #expect(login.errors.contains("tokentry: warning: \(warning)\n"), "\(login.errors)")
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "If its parent is closed, an untouched login is cancelled, and one that is under way asks",
      arguments: [false, true])
    func gone(isUnderWay: Bool) async throws {
      let desk = try await Desk(size: "1280x1200")
      let reader = try await ScreenReader(desk)
      let parent = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(
        at: "auth", "--parent", parent.handle, "--application", "Acme Mail", variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try await desk.screen.standsStill()
      if isUnderWay { try desk.seat.type("anna") }
      try parent.close()
      guard isUnderWay else {
        #expect(await login.end() == 3, "\(login.errors)")
        return
      }
      #expect(try await reader.isShown("push button 'Cancel Sign-In'"), "\(login.errors)")
      #expect(try reader.shows("Acme Mail's window has closed."))
      try desk.seat.press("Return")  // the button for staying has the focus
      #expect(try await reader.isGone("push button 'Cancel Sign-In'"))
      #expect(login.status == nil, "\(login.errors)")
    }

    @Test("On Wayland a window that the caller has exported is the parent")
    func wayland() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder, layout: .tiles)
      // WAYLAND_DISPLAY may be the path of a socket, which is not in XDG_RUNTIME_DIR here.
      let variables = ["WAYLAND_DISPLAY": compositor.socket, "GDK_BACKEND": "wayland"]
      let parent = try await Parent(desk.environment.merging(variables) { $1 }, in: desk.folder)
      // A dialog floats above the tiles. A window without a parent becomes a tile.
      for (handle, kind) in [
        (parent.handle, "floating_con"), ("wayland:nonsense", "con"), ("x11:dead01", "con"),
      ] {
        let login = try desk.login(at: "auth", "--parent", handle, variables: variables)
        #expect(await eventually { compositor.kind(of: "Sign in") != nil }, "\(login.errors)")
        #expect(compositor.kind(of: "Sign in") == kind, "\(handle)")
        if handle == "x11:dead01" {
          let warning = "warning: the parent window belongs to X11, but the display does not"
          #expect(await eventually { login.errors.contains(warning) }, "\(login.errors)")
        }
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually { compositor.kind(of: "Sign in") == nil })
      }
    }

    @Test("If the caller is killed, the login is cancelled and the window ends")
    func callerKilled() async throws {
      let desk = try await Desk()
      let (answer, errors) = (desk.folder + "/answer", desk.folder + "/errors")
      let command = """
        '\(try Desk.program("tokentry"))' login -vv --endpoint authorization=\(desk.provider)/auth \
        --redirect-uri \(Desk.redirect) --client-id me --grant implicit \
        >'\(answer)' 2>'\(errors)' & wait
        """
      let caller = try Program(
        "/bin/sh", ["-c", command], environment: desk.environment, errorPath: desk.folder + "/caller")
      let isShown = await eventually { desk.screen.shows("Sign in") }
      try #require(isShown, "\((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")")
      let login = try #require(Processes.all.first { $0.parent == caller.identifier }?.identifier)
      let window = try #require(Processes.all.first { $0.parent == login }?.identifier)
      kill(caller.identifier, SIGKILL)
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(await eventually(within: soon) { !Processes.all.contains { $0.identifier == login } })
      #expect(try String(contentsOfFile: answer, encoding: .utf8).contains("\"error\":\"cancelled\""))
      #expect(
        try String(contentsOfFile: errors, encoding: .utf8).contains(
          "tokentry: error: the program that started it has ended"))
    }
  }

  @Suite("Coming to the front")
  struct ActivationTests {
    @Test(
      "The window uses the activation token of its caller, and the processes of the page do not see it",
      arguments: chosen(["DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"], telling: "XDG_ACTIVATION_TOKEN"))
    func taken(variable: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", variables: [variable: "caller-1_TIME7"])
      try #require(await desk.showsPage(login))
      let properties = try desk.screen.run(
        "xprop", "-id", desk.screen.window("Sign in"), "WM_CLIENT_LEADER", "WM_CLASS")
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

    @Test("On Wayland the window uses the activation token once")
    func shown() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder)
      let variables = compositor.variables.merging(try desk.preload("wayland.c")) { $1 }
        .merging(["XDG_ACTIVATION_TOKEN": "caller-1"]) { $1 }
      let window = try desk.mailWindow(at: "auth", variables)
      let request = /xdg_activation_v1@\d+\.activate\("caller-1", wl_surface@\d+\)/
      #expect(await eventually { window.errors.contains(request) }, "\(window.errors.suffix(2_000))")
      try #require(await eventually { compositor.shows("Mail") })
      #expect(window.errors.matches(of: request).count == 1)
    }

    @Test("A visible window comes to the front when its caller asks for that, but not when a page arrives")
    func stays() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder)
      let window = try desk.mailWindow(
        at: "auth", compositor.variables.merging(try desk.preload("wayland.c")) { $1 })
      try #require(await eventually { window.pagesLoaded > 0 && compositor.shows("Mail") })
      try compositor.press("F5")
      #expect(await eventually { window.pagesLoaded == 2 }, "\(window.text)")
      #expect(!window.errors.contains(".activate("))
      try window.write("{\"raise\":true}\n")
      #expect(await eventually { window.errors.contains(".activate(") })
    }

    @Test("A notification reminds a user who works in another window that the login waits")
    func reminded() async throws {
      let desk = try await Desk()
      let bus = try await AccessibilityBus(folder: desk.folder)
      let notifications = try Notifications(bus.variables.merging(["PATH": "/usr/bin:/bin"]) { $1 })
      let other = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(at: "auth", variables: bus.variables)
      try #require(await desk.showsPage(login))
      // Every new window takes the focus here, so the test moves it away.
      try desk.screen.run("xdotool", "windowfocus", "--sync", "0x" + other.number)
      #expect(notifications.first() == "org.tokentry.Tokentry: Sign in", "\(login.errors)")
      login.end(SIGTERM)
      #expect(await login.end() == 3, "\(login.errors)")
    }
  }
}

/// A program with a window that can be the parent of a login's window.
private final class Parent {
  /// The window as `--parent` takes it.
  let handle: String
  private let program: Program

  /// The number of the window on X11, in hexadecimal digits.
  var number: String { String(handle.dropFirst("x11:".count)) }

  init(_ environment: [String: String], in folder: String) async throws {
    program = try Program(
      "/usr/bin/python3", [Desk.file("parent.py")], environment: environment,
      errorPath: folder + "/parent-\(UUID().uuidString)")
    let program = self.program
    try #require(await eventually { program.text.hasSuffix("\n") }, "\(program.errors)")
    handle = program.text.trimmingCharacters(in: .newlines)
  }

  func close() throws { try program.closeInput() }
}

extension Screen {
  /// The number of a window.
  fileprivate func window(_ title: String) throws -> String {
    try run("xdotool", "search", "--onlyvisible", "--name", Screen.pattern(title))
      .trimmingCharacters(in: .newlines)
  }

  /// The centre of a window, without its decoration.
  fileprivate func centre(of window: String) throws -> (x: Int, y: Int) {
    let text = try run("xwininfo", "-id", window)
    func number(_ name: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.contains(name) })
      return try #require(Int(line.split(separator: " ").last ?? ""))
    }
    return (
      try number("Absolute upper-left X") + number("Width") / 2,
      try number("Absolute upper-left Y") + number("Height") / 2
    )
  }
}
