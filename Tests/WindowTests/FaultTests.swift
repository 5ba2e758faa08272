import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("When what a window stands on is stopped, ended or gone")
  struct FaultTests {
    /// What is done while a page is shown.
    enum Fault: String, CaseIterable {
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
    }

    private static let table = ResultTable("faults-window.md", "Faults with a window", "fault | found")

    private struct Cell: CustomStringConvertible {
      let fault: Fault
      var description: String { fault.rawValue }
    }

    private static let telling: [Fault] = [
      .windowStoppedSignal, .windowContinued, .pageStopped, .pageKilled, .user,
    ]

    static let faults = table.chosen(Fault.allCases.map(Cell.init)) { telling.contains($0.fault) }.map(
      \.fault)

    @Test("One answer comes with the right status, and no process and no file is left", arguments: faults)
    func page(_ fault: Fault) async throws {
      let desk = try await Desk()
      let bus =
        [.proxyKilled, .busKilled].contains(fault) ? try await Bus(folder: desk.folder) : nil
      let compositor = fault == .compositorKilled ? try await Compositor(.weston, folder: desk.folder) : nil
      let outside =
        fault == .full
        ? [
          "/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", desk.folder + "/home", desk.folder + "/home",
        ] : []
      let login = try desk.login(
        at: "auth", "--timeout", fault == .windowStopped ? "40" : "120",
        variables: (bus?.variables ?? [:]).filter { $0.key != "NO_AT_BRIDGE" }.merging(
          compositor?.variables ?? [:]
        ) { $1 }, inside: outside)
      let isShown =
        compositor == nil
        ? await desk.showsPage(login) : await eventually { login.errors.contains("info: page of") }
      try #require(isShown, "\(login.errors)")
      let processes = Descendants(of: login.identifier)
      let status = try await happen(fault, login, desk, bus, compositor)
      #expect(await login.end() == status.status, "\(login.errors)\(login.text)")
      if status.error == "no_display" {
        #expect(login.text.contains("the display has ended, and the window with it"), "\(login.text)")
      }
      let object = try JSONSerialization.jsonObject(with: Data(login.text.utf8)) as? [String: Any]
      #expect(object?["error"] as? String == status.error, "\(login.text)")
      #expect(login.text.hasSuffix("}\n") && login.text.split(separator: "\n").count == 1, "\(login.text)")
      #expect(processes.areGone(), "\(processes)")
      #expect(await eventually(within: soon) { desk.leftovers == [] }, "\(desk.leftovers)")
      #expect(desk.filesAtHome == [])
      Self.table.note(fault.rawValue, "status \(status.status)\(status.error.map { ", \($0)" } ?? "")")
      withExtendedLifetime((bus, compositor)) {}
    }

    /// What it comes to.
    private func happen(
      _ fault: Fault, _ login: Program, _ desk: Desk, _ bus: Bus?, _ compositor: Compositor?
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
        try desk.screen.type("an")  // which waits for it
        kill(window, SIGCONT)
        try desk.screen.type("na")
        try desk.screen.press("Tab")
        try desk.screen.type("secret")
        try desk.screen.press("Return")
        return (0, nil)
      case .pageStopped:
        try signal("WebKitWebProces", window, SIGSTOP)
        try desk.screen.press("Escape")
        // The window asks in place of the page.
        #expect(
          try await eventually {
            try desk.screen.press("alt+l")
            return login.status != nil
          })
        return (3, "cancelled")
      case .pageStoppedSignal:
        try signal("WebKitWebProces", window, SIGSTOP)
        kill(login.identifier, SIGTERM)
        return (3, "cancelled")
      case .pageContinued, .networkContinued:
        let name = fault == .pageContinued ? "WebKitWebProces" : "WebKitNetworkPr"
        try signal(name, window, SIGSTOP)
        try desk.screen.type("anna")
        try signal(name, window, SIGCONT)
        try desk.screen.press("Tab")
        try desk.screen.type("secret")
        try desk.screen.press("Return")
        return (0, nil)
      case .proxyKilled, .busKilled:
        if let bus, fault == .busKilled {
          bus.end(SIGKILL)
          try #require(await eventually { bus.hasEnded })
        } else {
          try signal("xdg-dbus-proxy", window, SIGKILL)
        }
        // GLib ends a process of which the message bus has gone, if it has asked for anything there.
        let hasCrashed = await eventually(within: soon) { desk.isShowingFailure(login, "it crashed") }
        if hasCrashed { try desk.screen.press("Escape") } else { try desk.screen.signIn() }
        return hasCrashed ? (7, "window_failed") : (0, nil)
      case .pageKilled, .sandboxKilled:
        try signal(fault == .pageKilled ? "WebKitWebProces" : "bwrap", window, SIGKILL)
        try #require(await desk.showsFailure(login, "it crashed"), "\(login.errors)")
        try desk.screen.press("Escape")
        return (7, "window_failed")
      case .networkStoppedSignal:
        try signal("WebKitNetworkPr", window, SIGSTOP)
        kill(login.identifier, SIGTERM)
        return (3, "cancelled")
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

    private func signal(_ name: String, _ window: pid_t, _ number: Int32) throws {
      let found = Processes.all.filter { $0.group == window && $0.name == name }
      try #require(!found.isEmpty, "\(name): \(Processes.names(inGroup: window))")
      for process in found { kill(process.identifier, number) }
    }
  }
}
