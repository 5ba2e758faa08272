import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("When something goes wrong")
  struct FailureTests {
    @Test("A server that cannot be reached is said to be, and closing the window ends with that")
    func refused() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "http://127.0.0.1:30009/auth", variables: ["GTK_THEME": "Adwaita:dark"])
      try #require(await desk.showsFailure(login, "cannot be reached"))
      try await desk.screen.shoot("window-unreachable-dark")
      try desk.screen.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"network_error\""))
    }

    @Test("The deadline ends with the failure that is on the screen")
    func deadline() async throws {
      let desk = try await Desk()
      try await beforeDeadline { deadline in
        let login = try desk.login(at: "http://127.0.0.1:30009/auth", more: deadline)
        try await inTime(login) { desk.isShowingFailure(login, "cannot be reached") }
        #expect(await login.end() == 5, "\(login.errors)")
      }
    }

    @Test("A form that did not arrive is there again for whoever goes back, as it was filled in")
    func form() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.show(
        "<form method=post action=/cut><input \(Desk.autofocus) oninput='fetch(`/has-` + this.value)'></form>",
        "https://oauth.vk.com/blank.html", variables: reader.variables)
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      let failures = { window.text.components(separatedBy: "\"page_error\":{").count - 1 }
      // A failure may be told more than once.
      var before = 0
      for (number, letter) in ["a", "b"].enumerated() {
        try desk.seat.type(letter)
        try desk.seat.press("Return")
        try #require(await eventually { failures() > before }, "\(window.text)")
        #expect(
          try !reader.readOurs().contains { $0.description == "push button 'Try again'" && $0.isShowing })
        // The obvious way on, and the key that loads a page again, both lead to the form.
        try desk.seat.press(number == 0 ? "Return" : "F5")
        try await desk.seat.standsStill()
        before = failures()
      }
      #expect(desk.requests.contains { $0.hasPrefix("GET /has-ab ") }, "\(desk.requests)")
      #expect(!desk.requests.contains { $0.hasPrefix("GET /cut ") }, "\(desk.requests)")
    }

    @Test("A certificate that nobody has signed is refused, with its fingerprint and no way around it")
    func certificate() async throws {
      let desk = try await Desk(tls: true)
      let login = try desk.login(at: "auth")
      try #require(await desk.showsFailure(login, "cannot be trusted"), "\(login.errors)\(desk.screen.state)")
      try await desk.screen.shoot("window-tls")
      try desk.screen.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"tls_error\""))
      #expect(login.text.contains(/"fingerprint":"([0-9A-F]{2}:){31}[0-9A-F]{2}"/))
      #expect(login.errors.contains("--trust 127.0.0.1=CERT.pem"))
      #expect(desk.requests == [], "nothing was sent")
    }

    @Test("A certificate that the caller trusts for its host is accepted, and a login ends with a token")
    func trusted() async throws {
      let desk = try await Desk(tls: true)
      let login = try desk.login(at: "good", "--trust", "127.0.0.1=\(desk.folder)/certificate.pem")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
    }

    @Test(
      "A server that knows no safe TLS is refused whatever the environment says",
      arguments: chosen(["1_1", "1_2"], telling: "1_1"))
    func oldTLS(_ version: String) async throws {
      let desk = try await Desk(tls: true)
      // It says the number of its port as soon as it listens.
      let server = try Program(
        "/usr/bin/env",
        [
          "timeout", "-s", "KILL", "120", "openssl", "s_server", "-www", "-accept", "0", "-tls" + version,
          "-cert",
          desk.folder + "/both.pem", "-key", desk.folder + "/both.pem", "-cipher", "DEFAULT@SECLEVEL=0",
        ], environment: ["PATH": "/usr/bin:/bin"], errorPath: desk.folder + "/server")
      try #require(
        await eventually { server.text.contains("ACCEPT 0.0.0.0:") || server.text.contains("ACCEPT [::]:") })
      let port = try #require(server.text.firstMatch(of: /ACCEPT \S+:([0-9]+)/)?.1)
      let login = try desk.login(
        at: "https://127.0.0.1:\(port)/", "--trust", "127.0.0.1=\(desk.folder)/certificate.pem",
        variables: ["G_TLS_GNUTLS_PRIORITY": "NORMAL:+VERS-ALL"])
      let words = version == "1_1" ? "cannot be reached" : "info: page of"
      #expect(await desk.showsFailure(login, words), "\(login.errors)")
      try desk.screen.press("Escape")
      #expect(await login.end() == (version == "1_1" ? 5 : 3), "\(login.errors)")
    }

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

    @Test("Trying again works once the server is there again")
    func retry() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "to-file")
      try #require(await desk.showsFailure(login, "it crashed"))
      try desk.screen.press("Return")  // the button that has the focus
      #expect(
        await eventually { desk.requests.filter { $0.hasPrefix("GET /to-file") }.count == 2 })
    }

    @Test("A page that spins for ever delays neither the answer nor the end of all processes")
    func spinning() async throws {
      // What waits for the page does so each time; a busy machine is given more than one.
      var took: [Duration] = []
      while took.count < 3, took.last.map({ $0 >= .seconds(soon) }) ?? true {
        let desk = try await Desk()
        let login = try desk.login(at: "spin")
        try #require(await desk.showsPage(login))
        let window = try #require(Processes.window(of: login))
        try #require(await desk.spins())
        let started = ContinuousClock.now
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually { Processes.names(inGroup: window).isEmpty })
        took.append(ContinuousClock.now - started)
      }
      #expect(took.contains { $0 < .seconds(soon) }, "\(took)")
    }

    @Test(
      "Esc at a page that answers to nothing asks, and the user stays or leaves",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func leavesHung(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        "<p>Busy<script src=/hang></script><script>setTimeout(() => fetch('/hangs').finally(hang), 300)</script>",
        variables: reader.variables)
      try #require(await desk.showsPage(login))
      let window = try #require(Processes.window(of: login))
      try #require(await eventually { desk.requests.contains { $0.hasPrefix("GET /hangs ") } })
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      try #require(try await eventually { try reader.asksForSilentPage() }, "\(login.errors)")
      try desk.seat.press("Return")  // the button that stays has the focus
      try #require(try await eventually { try !reader.asksForSilentPage() })
      try desk.seat.press("Escape")
      try #require(try await eventually { try reader.asksForSilentPage() })
      #expect(login.status == nil, "\(login.errors)")
      try desk.seat.press("alt+l")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(await eventually { Processes.names(inGroup: window).isEmpty })
    }

    @Test(
      "The key that loads a page again does so where the page answers to nothing any more",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func reloadsHung(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let window = try desk.show(
        "<script src=/hang></script><input \(Desk.autofocus) oninput='fetch(`/hangs`).finally(hang)'>",
        "https://oauth.vk.com/blank.html")
      let pages = { desk.requests.filter { $0.hasPrefix("GET /html ") }.count }
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.type("a")
      try #require(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /hangs ") } }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("F5")
      #expect(await eventually { pages() == 2 }, "\(desk.requests)")
      #expect(!window.text.contains("page_error"), "\(window.text)")
    }

    @Test("Whoever goes back from a page that answers to nothing any more gets there")
    func goesBackFromHung() async throws {
      let desk = try await Desk()
      let window = try await hangsAfterForm(on: desk)
      try desk.seat.press("alt+Left")
      #expect(await eventually { pages(in: window) == 3 }, "\(window.text)")
      #expect(desk.posts == 1)
      // The first page is there: its button has the keyboard.
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(await eventually { desk.posts == 2 }, "\(window.text)")
    }

    /// A window with a page that was sent a form, and answers to nothing any more.
    private func hangsAfterForm(on desk: Desk, _ variables: [String: String] = [:]) async throws -> Program {
      let window = try desk.show(
        "<form method=post action=/posted><button \(Desk.autofocus)>Go on</button></form>",
        "https://oauth.vk.com/blank.html", variables: variables)
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { pages(in: window) == 2 }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.type("h")
      try await desk.seat.standsStill()
      return window
    }

    /// How many pages have come.
    private func pages(in window: Program) -> Int {
      window.text.components(separatedBy: "\"main_frame_loaded\":true").count - 1
    }

    @Test("A page that hangs before it is complete can be stopped, which ends with what it was")
    func stopsHung() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <p>Busy<img src=/slow><script src=/hang></script><script>fetch('/hangs').finally(hang)</script>
        """)
      try #require(await eventually { desk.requests.contains { $0.hasPrefix("GET /hangs ") } })
      try #require(await eventually { desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("F5")
      try #require(await desk.showsFailure(login, "it stopped responding"), "\(login.errors)")
      try await desk.seat.shoot("window-hung")
      try desk.seat.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
    }

    @Test(
      "A form is not sent again before the user says so where its page hangs or has crashed, and is not left out"
    )
    func resendsLost() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try await hangsAfterForm(on: desk, reader.variables)
      let isShown = { (button: String) in
        try reader.readOurs().contains { $0.description == "push button '\(button)'" && $0.isShowing }
      }
      try desk.seat.press("F5")
      try #require(try await eventually { try isShown("Send again") }, "\(window.text)")
      try await desk.seat.shoot("window-resend-lost")
      // The button that does not send it has the focus.
      try desk.seat.press("Return")
      try #require(try await eventually { try isShown("Try again") }, "\(window.text)")
      #expect(window.text.contains(#""reason":"silence""#), "\(window.text)")
      try desk.seat.press("Return")
      try #require(try await eventually { try isShown("Send again") }, "\(window.text)")
      #expect(desk.posts == 1)
      try desk.seat.press("alt+s")
      try #require(await eventually { desk.posts == 2 }, "\(window.text)")

      try await desk.seat.standsStill()
      let page = try #require(
        Processes.all.first { $0.group == window.identifier && $0.name.hasPrefix("WebKitWeb") })
      kill(page.identifier, SIGKILL)
      try #require(try await eventually { try isShown("Try again") }, "\(window.text)")
      try desk.seat.press("Return")
      try #require(try await eventually { try isShown("Send again") }, "\(window.text)")
      // Whoever asks for the page again while asked is asked again.
      try desk.seat.press("F5")
      try await desk.seat.standsStill()
      #expect(desk.posts == 2)
      #expect(try isShown("Send again"))
      try desk.seat.press("alt+s")
      #expect(await eventually { desk.posts == 3 }, "\(window.text)")
      #expect(!desk.requests.contains { $0.hasPrefix("GET /posted ") }, "\(desk.requests)")
    }

    @Test(
      "Every failure has a way out and one to try again, by keyboard alone",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func keyboard(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let pages: [(String, String, [String], Int32)] = [
        ("http://127.0.0.1:30009/auth", "cannot be reached", [], 5),
        ("https://as.example/auth", "there is no network", Namespace.offline, 5),
        ("to-file", "it crashed", [], 7),
      ]
      for (page, words, outside, status) in pages {
        let login = try desk.login(at: page, inside: outside)
        try #require(await desk.showsFailure(login, words), "\(login.errors)")
        try desk.seat.press("Tab")
        try desk.seat.press("Tab")
        try desk.seat.press("Return")  // Cancel, which comes after Try again and Open in browser
        #expect(await login.end() == status, "\(page): \(login.errors)")
      }
    }

    @Test("A certificate that is not to be trusted can be left by keyboard, too")
    func certificateKeyboard() async throws {
      let desk = try await Desk(tls: true)
      let login = try desk.login(at: "auth")
      try #require(await desk.showsFailure(login, "cannot be trusted"), "\(login.errors)")
      try desk.screen.press("Tab")
      try desk.screen.press("Tab")
      try desk.screen.press("Return")
      #expect(await login.end() == 5, "\(login.errors)")
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
  /// How often the form was sent.
  var posts: Int { requests.count { $0.hasPrefix("POST /posted ") } }

  /// Waits until the page that spins does so.
  func spins() async -> Bool { await eventually { self.requests.contains { $0.hasPrefix("GET /spins ") } } }

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

  /// Waits until a page of ours is on the screen.
  func showsFailure(_ login: Program, _ words: String) async -> Bool {
    await eventually { isShowingFailure(login, words) }
  }

  func isShowingFailure(_ login: Program, _ words: String) -> Bool {
    login.errors.contains(words) && seat.shows("Sign in")
  }
}
