import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Logins that belong to a window of their caller")
  struct ParentTests {
    @Test(
      "On X11 the window is in front of the caller's, keeps it waiting, and is in the middle of it",
      arguments: chosen(["window", "paste"], telling: "window"))
    func x11(agent: String) async throws {
      let desk = try await Desk(size: "1280x1200")
      let parent = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(
        at: "auth", "--parent", parent.handle, "--agent", agent, "--browser", "true")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(login.errors)")
      let window = try desk.screen.run("xdotool", "search", "--onlyvisible", "--name", "^Sign in$")
        .trimmingCharacters(in: .newlines)
      let properties = try desk.screen.run("xprop", "-id", window, "WM_TRANSIENT_FOR", "_NET_WM_STATE")
      #expect(properties.contains("window id # 0x\(parent.handle.dropFirst(4))\n"), "\(properties)")
      #expect(properties.contains("_NET_WM_STATE_MODAL"), "\(properties)")
      let (inner, outer) = (
        try desk.centre(of: window), try desk.centre(of: "0x\(parent.handle.dropFirst(4))")
      )
      #expect(abs(inner.x - outer.x) <= 10 && abs(inner.y - outer.y) <= 10, "\(inner) \(outer)")
      #expect(!login.errors.contains("parent"))
    }

    @Test("A window in the corner does not put the login off the screen")
    func corner() async throws {
      let desk = try await Desk()
      let parent = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(at: "auth", "--parent", parent.handle)
      try #require(await desk.showsPage(login))
      try desk.screen.type("anna")
      try desk.screen.press("Tab")
      try desk.screen.type("secret")
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test(
      "A window that is not there, or not on this display, is warned of, and the login goes on",
      arguments: [
        ("x11:dead01", "there is no parent window with the number 0xdead01"),
        ("wayland:8ce580", "the parent window is one of Wayland, and the display is not"),
      ])
    func wrong(_ handle: String, _ warning: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--parent", handle)
      try #require(await desk.showsPage(login))
      #expect(login.errors.contains("tokentry: warning: \(warning)\n"), "\(login.errors)")
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test("On Wayland the compositor knows the window that the caller has exported")
    func wayland() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder, layout: .tiles)
      // A display may be named by the path of its socket; the folder of the session is another one then.
      let variables = ["WAYLAND_DISPLAY": compositor.socket, "GDK_BACKEND": "wayland"]
      let parent = try await Parent(desk.environment.merging(variables) { $1 }, in: desk.folder)
      // A dialog floats above the tiles; a window that belongs to nothing becomes a tile itself.
      for (handle, kind) in [
        (parent.handle, "floating_con"), ("wayland:nonsense", "con"), ("x11:dead01", "con"),
      ] {
        let login = try desk.login(at: "auth", "--parent", handle, variables: variables)
        #expect(await eventually { compositor.kind(of: "Sign in") != nil }, "\(login.errors)")
        #expect(compositor.kind(of: "Sign in") == kind, "\(handle)")
        if handle == "x11:dead01" {
          let warning = "warning: the parent window is one of X11, and the display is not"
          #expect(await eventually { login.errors.contains(warning) }, "\(login.errors)")
        }
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually { compositor.kind(of: "Sign in") == nil })
      }
    }

    @Test("A caller that is killed ends the login as cancelled, and the window")
    func callerKilled() async throws {
      let desk = try await Desk()
      let (answer, errors) = (desk.folder + "/answer", desk.folder + "/errors")
      let command = """
        '\(try Desk.program("tokentry"))' login --trace --authorization-endpoint \(desk.provider)/auth \
        --redirect-uri https://oauth.vk.com/blank.html --client-id me --response-type token \
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
}

/// A program with a window that a login can belong to.
final class Parent {
  /// The window as `--parent` takes it.
  let handle: String
  private let program: Program

  init(_ environment: [String: String], in folder: String) async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "parent.py").path()
    program = try Program(
      "/usr/bin/python3", [script], environment: environment,
      errorPath: folder + "/parent-\(UUID().uuidString)")
    let program = self.program
    try #require(await eventually { program.text.hasSuffix("\n") }, "\(program.errors)")
    handle = program.text.trimmingCharacters(in: .newlines)
  }
}

extension Desk {
  /// The middle of a window on the screen.
  fileprivate func centre(of window: String) throws -> (x: Int, y: Int) {
    let text = try screen.run("xwininfo", "-id", window)
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
