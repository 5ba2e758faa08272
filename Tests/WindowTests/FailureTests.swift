import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("What cannot be loaded")
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

    @Test(
      "A page whose connection is lost to WebKit itself is loaded once more, and after that said to be out of reach"
    )
    func lost() async throws {
      let desk = try await Desk()
      let once = try desk.login(at: "good", variables: try desk.preload("lost.c", "-DTIMES=1"))
      try #require(await eventually { once.status != nil || once.errors.contains("cannot be reached") })
      try #require(!once.errors.contains("cannot be reached"), "\(once.errors)")
      #expect(await once.end() == 0, "\(once.errors)")
      #expect(desk.requests.count { $0.hasPrefix("GET /good ") } == 2)
      let twice = try desk.login(at: "good", variables: try desk.preload("lost.c", "-DTIMES=2"))
      try #require(
        await eventually { twice.status != nil || desk.isShowingFailure(twice, "cannot be reached") })
      #expect(desk.requests.count { $0.hasPrefix("GET /good ") } == 4)
      twice.end(SIGTERM)
      #expect(await twice.end() == 3, "\(twice.errors)")
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

    @Test("Trying again works once the server is there again")
    func retry() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "to-file")
      try #require(await desk.showsFailure(login, "it crashed"))
      try desk.screen.press("Return")  // the button that has the focus
      #expect(
        await eventually { desk.requests.filter { $0.hasPrefix("GET /to-file") }.count == 2 })
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
      for (page, words, outside, status) in chosen(pages, at: 1) {
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
  }
}

extension Desk {
  /// Waits until a page of ours is on the screen.
  func showsFailure(_ login: Program, _ words: String) async -> Bool {
    await eventually { isShowingFailure(login, words) }
  }

  func isShowingFailure(_ login: Program, _ words: String) -> Bool {
    login.errors.contains(words) && seat.shows("Sign in")
  }
}
