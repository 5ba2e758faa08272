import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Processes that end, or that are ended")
  struct EndedProcessTests {
    @Test("A page that takes too much memory ends, and the user is told")
    func memory() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<script>const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(all.length + 1)), 50)</script>"
      )
      try #require(await desk.showsFailure(login, "it took too much memory"), "\(login.errors)")
      try desk.screen.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
    }

    @Test("Nothing of WebKit's stays in the runtime folder, however a window ends")
    func leftovers() async throws {
      let desk = try await Desk()
      for signal in [SIGTERM, SIGKILL] {
        let login = try desk.login(at: "auth")
        try #require(await desk.showsPage(login), "\(login.errors)")
        let window = try #require(Processes.window(of: login))
        #expect(desk.leftovers != [])
        if signal == SIGKILL { kill(window, signal) } else { login.end(signal) }
        if signal == SIGKILL { #expect(await eventually { Processes.window(of: login) != window }) }
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually(within: soon) { desk.leftovers == [] }, "\(desk.leftovers)")
      }
    }

    @Test(
      "The window cannot be looked into by other programs of the user, and every signal that ends it does")
    func hardened() async throws {
      let desk = try await Desk()
      for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        let window = try desk.window()
        try window.write(
          "{\"open\":{\"url\":\"\(desk.provider)/auth\",\"redirect_uris\":[\"https://as.example/done\"]}}\n")
        try #require(
          await eventually { window.text.contains("\"main_frame_loaded\":true") }, "\(window.text)")
        // The files of a process that is not dumpable belong to root, and a program of the user has no way in.
        let limits = try String(contentsOfFile: "/proc/\(window.identifier)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 /#))
        #expect(try desk.opensMemory(of: window.identifier) == false)
        let group = window.identifier
        kill(window.identifier, signal)
        #expect(await window.end(within: soon) != nil)
        #expect(await eventually(within: soon) { Processes.names(inGroup: group).isEmpty })
      }
    }

    @Test("A page that ends its process leaves a page of ours")
    func crash() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "to-file")
      try #require(await desk.showsFailure(login, "it crashed"))
      try await desk.screen.shoot("window-crashed")
      try desk.screen.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
    }

    @Test("A login survives the end of WebKit's network process, or says what went wrong")
    func network() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth")
      try #require(await desk.showsPage(login))
      try endNetworkProcess(of: login)
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")

      let waiting = try desk.login(at: "slow")
      try #require(await eventually { desk.requests.contains { $0.hasPrefix("GET /slow") } })
      try endNetworkProcess(of: waiting)
      try #require(await desk.showsFailure(waiting, "cannot be reached"), "\(waiting.errors)")
      try desk.screen.press("Escape")
      #expect(await waiting.end() == 5, "\(waiting.errors)")
    }

    private func endNetworkProcess(of login: Program) throws {
      let window = try #require(Processes.window(of: login))
      let process = try #require(
        Processes.all.first { $0.group == window && $0.name.hasPrefix("WebKitNetwork") })
      kill(process.identifier, SIGKILL)
    }

    @Test("A caller that is killed takes the window with it")
    func killed() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "spin")
      try #require(await desk.spins())
      let window = try #require(Processes.window(of: login))
      login.end(SIGKILL)
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
    }

    @Test("A window that is killed is started again, once")
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
}

extension Desk {
  /// What WebKit keeps in the runtime folder for as long as a window is there.
  var leftovers: [String] {
    [".flatpak", "webkitgtk"].flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\($0)")) ?? []
    }
  }

  /// Whether a program without any rights but those of a user can read the memory of another of that user.
  func opensMemory(of process: pid_t) throws -> Bool {
    let asUser = getuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
    let words =
      asUser + [
        "sh", "-c", "head -c 0 /proc/\(process)/mem && cat /proc/\(process)/maps | grep -c . || echo 0",
      ]
    return try Screen.run(words, [:]).trimmingCharacters(in: .whitespacesAndNewlines) != "0"
  }
}
