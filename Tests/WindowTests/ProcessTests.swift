import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The end of processes")
  struct EndedProcessTests {
    @Test("A page that takes too much memory ends, and the user is told")
    func memory() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<script>const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(all.length + 1)), 50)</script>"
      )
      try #require(await desk.showsFailure(login, "it used too much memory"), "\(login.errors)")
      try desk.screen.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
    }

    @Test("WebKit's files in the runtime folder are gone after a window ends, even if it is killed")
    func leftovers() async throws {
      let desk = try await Desk()
      for signal in [SIGTERM, SIGKILL] {
        let login = try desk.login(at: "auth")
        try #require(await desk.showsPage(login), "\(login.errors)")
        let window = try #require(Processes.window(of: login))
        #expect(desk.leftovers != [])
        if signal == SIGKILL {
          kill(window, signal)
          #expect(await eventually { Processes.window(of: login) != window })
        }
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually(within: soon) { desk.leftovers == [] }, "\(desk.leftovers)")
      }
    }

    @Test("Other programs of the user cannot read the window's memory, and signals end all its processes")
    func hardened() async throws {
      let desk = try await Desk()
      for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        let window = try desk.window(at: "auth")
        try #require(await eventually { window.pagesLoaded > 0 }, "\(window.text)")
        let group = window.identifier
        let limits = try String(contentsOfFile: "/proc/\(group)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 /#))
        #expect(try desk.opensMemory(of: group) == false)
        kill(group, signal)
        #expect(await window.end(within: soon) != nil)
        #expect(await eventually(within: soon) { Processes.names(inGroup: group).isEmpty })
      }
    }

    @Test("A crash of the page's process is reported in its place")
    func crash() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "to-file")
      try #require(await desk.showsFailure(login, "it crashed"))
      try await desk.screen.shoot("window-crashed")
      try desk.screen.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
    }

    @Test(
      "If WebKit's network process is killed, a page that is complete still works, and one that loads fails")
    func network() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth")
      try #require(await desk.showsPage(login))
      try endNetworkProcess(of: login)
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")

      let waiting = try desk.login(at: "slow")
      try #require(await desk.isHit("/slow"))
      try endNetworkProcess(of: waiting)
      try #require(await desk.showsFailure(waiting, "cannot be reached"), "\(waiting.errors)")
      try desk.screen.press("Escape")
      #expect(await waiting.end() == 5, "\(waiting.errors)")
    }

    private func endNetworkProcess(of login: Program) throws {
      let window = try #require(Processes.window(of: login))
      kill(try #require(Processes.first("WebKitNetwork", inGroup: window)), SIGKILL)
    }

    @Test("If tokentry is killed, its window ends, even while the page spins")
    func killed() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "spin")
      try #require(await desk.isHit("/spins"))
      let window = try #require(Processes.window(of: login))
      login.end(SIGKILL)
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
    }

    @Test("A window that is killed is started again once")
    func restarted() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth")
      try #require(await desk.showsPage(login))
      let first = try #require(Processes.window(of: login))
      kill(first, SIGKILL)
      #expect(await eventually { Processes.window(of: login).map { $0 != first } ?? false })
      #expect(await eventually(within: soon) { Processes.names(inGroup: first).isEmpty })
      let second = try #require(Processes.window(of: login))
      kill(second, SIGKILL)
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
    }
  }

  @Suite("Faults of programs and services that a window needs")
  struct FaultTests {
    /// A fault that happens while a page is shown.
    enum Fault: String, CaseIterable, CustomStringConvertible {
      case windowStopped = "the window is stopped, and the deadline passes"
      case windowStoppedSignal = "the window is stopped, and tokentry told to end"
      case windowContinued = "the window is stopped and goes on"
      case pageStopped = "the process of the page is stopped, and Esc pressed"
      case pageStoppedSignal = "the process of the page is stopped, and tokentry told to end"
      case pageContinued = "the process of the page is stopped and goes on"
      case pageKilled = "the process of the page is killed"
      case networkContinued = "WebKit's network process is stopped and goes on"
      case networkStoppedSignal = "WebKit's network process is stopped, and tokentry told to end"
      case sandboxKilled = "the sandbox is killed"
      case proxyKilled = "the sandbox's bus proxy is killed"
      case busKilled = "the session's message bus is gone"
      case displayKilled = "the display is gone"
      case compositorKilled = "the Wayland display is gone"
      case callerContinued = "tokentry is stopped and goes on"
      case hangUp = "SIGHUP to tokentry"
      case user = "SIGUSR1 to tokentry"
      case cpu = "SIGXCPU to tokentry"
      case full = "the home is read-only"

      var description: String { rawValue }
    }

    private static let table = ResultTable("faults-window.md", "Faults with a window", "fault | found")

    private static let telling: [Fault] = [
      .windowStoppedSignal, .windowContinued, .pageStopped, .pageKilled, .user,
    ]

    static let faults = table.chosen(Fault.allCases) { telling.contains($0) }

    @Test(
      "A fault ends with one answer and the right status, and leaves no process or file", arguments: faults)
    func page(_ fault: Fault) async throws {
      let desk = try await Desk()
      let bus =
        [.proxyKilled, .busKilled].contains(fault) ? try await AccessibilityBus(folder: desk.folder) : nil
      let compositor = fault == .compositorKilled ? try await Compositor(.weston, folder: desk.folder) : nil
      let home = desk.folder + "/home"
      let login = try desk.login(
        at: "auth", "--timeout", fault == .windowStopped ? "40" : "120",
        variables: (bus?.variables ?? [:]).filter { $0.key != "NO_AT_BRIDGE" }
          .merging(compositor?.variables ?? [:]) { $1 },
        inside: fault == .full ? ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", home, home] : [])
      let isShown =
        compositor == nil
        ? await desk.showsPage(login) : await eventually { login.errors.contains("info: page of") }
      try #require(isShown, "\(login.errors)")
      let processes = Descendants(of: login.identifier)
      let expected = try await happen(fault, login, desk, bus, compositor)
      #expect(await login.end() == expected.status, "\(login.errors)\(login.text)")
      if expected.error == "no_display" {
        #expect(login.text.contains("the display was closed, and the window with it"), "\(login.text)")
      }
      let object = try JSONSerialization.jsonObject(with: Data(login.text.utf8)) as? [String: Any]
      #expect(object?["error"] as? String == expected.error, "\(login.text)")
      #expect(login.text.hasSuffix("}\n") && login.text.split(separator: "\n").count == 1, "\(login.text)")
      #expect(processes.areGone(), "\(processes)")
      #expect(await eventually(within: soon) { desk.leftovers == [] }, "\(desk.leftovers)")
      #expect(desk.filesAtHome == [])
      Self.table.note(fault.rawValue, "status \(expected.status)\(expected.error.map { ", \($0)" } ?? "")")
      withExtendedLifetime((bus, compositor)) {}
    }

    /// Makes the fault happen, and returns the expected end of the login.
    private func happen(
      _ fault: Fault, _ login: Program, _ desk: Desk, _ bus: AccessibilityBus?, _ compositor: Compositor?
    ) async throws -> (status: Int32, error: String?) {
      let window = try #require(Processes.window(of: login))
      switch fault {
      case .windowStopped:
        kill(window, SIGSTOP)
        return (4, "timeout")
      case .windowStoppedSignal:
        kill(window, SIGSTOP)
        kill(login.identifier, SIGTERM)
        return (3, "cancelled")
      case .windowContinued:
        kill(window, SIGSTOP)
        try desk.screen.type("an")  // the window gets it later
        kill(window, SIGCONT)
        try desk.screen.type("na")
        try enterPassword(desk)
        return (0, nil)
      case .pageStopped:
        try signal("WebKitWebProces", window, SIGSTOP)
        // The window asks instead of the page.
        #expect(try await desk.leaves { login.status != nil })
        return (3, "cancelled")
      case .pageStoppedSignal, .networkStoppedSignal:
        let name = fault == .pageStoppedSignal ? "WebKitWebProces" : "WebKitNetworkPr"
        try signal(name, window, SIGSTOP)
        kill(login.identifier, SIGTERM)
        return (3, "cancelled")
      case .pageContinued, .networkContinued:
        let name = fault == .pageContinued ? "WebKitWebProces" : "WebKitNetworkPr"
        try signal(name, window, SIGSTOP)
        try desk.screen.type("anna")
        try signal(name, window, SIGCONT)
        try enterPassword(desk)
        return (0, nil)
      case .proxyKilled, .busKilled:
        if let bus, fault == .busKilled {
          bus.end(SIGKILL)
          try #require(await eventually { bus.hasEnded })
        } else {
          try signal("xdg-dbus-proxy", window, SIGKILL)
        }
        // GLib ends a process that uses the message bus when the bus ends.
        let hasCrashed = await eventually(within: soon) { desk.isShowingFailure(login, "it crashed") }
        if hasCrashed { try desk.screen.press("Escape") } else { try desk.screen.signIn() }
        return hasCrashed ? (7, "window_failed") : (0, nil)
      case .pageKilled, .sandboxKilled:
        try signal(fault == .pageKilled ? "WebKitWebProces" : "bwrap", window, SIGKILL)
        try #require(await desk.showsFailure(login, "it crashed"), "\(login.errors)")
        try desk.screen.press("Escape")
        return (7, "window_failed")
      case .displayKilled:
        desk.screen.end()
        return (7, "no_display")
      case .compositorKilled:
        compositor?.end()
        return (7, "no_display")
      case .callerContinued:
        kill(login.identifier, SIGSTOP)
        try desk.screen.signIn()
        kill(login.identifier, SIGCONT)
        return (0, nil)
      case .hangUp, .user, .cpu:
        kill(login.identifier, fault == .hangUp ? SIGHUP : fault == .user ? SIGUSR1 : SIGXCPU)
        return (3, "cancelled")
      case .full:
        try desk.screen.signIn()
        return (0, nil)
      }
    }

    /// Completes the form after the user's name.
    private func enterPassword(_ desk: Desk) throws {
      try desk.screen.press("Tab")
      try desk.screen.type("secret")
      try desk.screen.press("Return")
    }

    private func signal(_ name: String, _ window: pid_t, _ number: Int32) throws {
      let found = Processes.all.filter { $0.group == window && $0.name == name }
      try #require(!found.isEmpty, "\(name): \(Processes.names(inGroup: window))")
      for process in found { kill(process.identifier, number) }
    }
  }
}

extension Desk {
  /// WebKit's files in the runtime folder, which exist as long as a window does.
  fileprivate var leftovers: [String] {
    [".flatpak", "webkitgtk"].flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\($0)")) ?? []
    }
  }

  /// True if a program with the rights of an ordinary user can read the memory of a process.
  fileprivate func opensMemory(of process: pid_t) throws -> Bool {
    let asUser = getuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
    let command = "head -c 0 /proc/\(process)/mem && cat /proc/\(process)/maps | grep -c . || echo 0"
    return try Screen.run(asUser + ["sh", "-c", command], [:])
      .trimmingCharacters(in: .whitespacesAndNewlines) != "0"
  }
}
