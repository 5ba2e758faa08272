import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Pages that cannot be loaded")
  struct FailureTests {
    @Test("An unreachable server is reported, and closing the window ends with that failure")
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

    @Test("Going back from a failure after a form shows the form as the user filled it in")
    func form() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing:
          "<form method=post action=/cut><input \(Desk.autofocus) oninput='fetch(`/has-` + this.value)'></form>",
        variables: reader.variables)
      try #require(await desk.takesKeys())
      let failures = { window.text.components(separatedBy: "\"page_error\":{").count - 1 }
      // A failure may be reported more than once.
      var before = 0
      for (number, letter) in ["a", "b"].enumerated() {
        try desk.seat.type(letter)
        try desk.seat.press("Return")
        try #require(await eventually { failures() > before }, "\(window.text)")
        #expect(try !reader.shows("push button 'Try Again'"))
        // The focused button and the key that reloads both lead back to the form.
        try desk.seat.press(number == 0 ? "Return" : "F5")
        try await desk.seat.standsStill()
        before = failures()
      }
      #expect(desk.hits("/has-ab") > 0, "\(desk.requests)")
      #expect(desk.hits("/cut") == 0, "\(desk.requests)")
    }

    @Test("A page whose connection WebKit lost is loaded once more, and then reported as unreachable")
    func lost() async throws {
      let desk = try await Desk()
      let once = try desk.login(at: "good", variables: try desk.preload("lost.c", "-DTIMES=1"))
      try #require(await eventually { once.status != nil || once.errors.contains("cannot be reached") })
      try #require(!once.errors.contains("cannot be reached"), "\(once.errors)")
      #expect(await once.end() == 0, "\(once.errors)")
      #expect(desk.hits("/good") == 2)
      let twice = try desk.login(at: "good", variables: try desk.preload("lost.c", "-DTIMES=2"))
      try #require(
        await eventually { twice.status != nil || desk.isShowingFailure(twice, "cannot be reached") })
      #expect(desk.hits("/good") == 4)
      twice.end(SIGTERM)
      #expect(await twice.end() == 3, "\(twice.errors)")
    }

    @Test("An untrusted certificate is refused, with its fingerprint and no way around it")
    func certificate() async throws {
      let desk = try await Desk(tls: true)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(at: "auth", variables: reader.variables)
      try #require(await desk.showsFailure(login, "cannot be trusted"), "\(login.errors)\(desk.screen.state)")
      #expect(try await reader.isShown("push button 'Copy Details'"), "\(login.errors)")
      try await desk.screen.shoot("window-tls")
      #expect(try reader.shows("SHA-256 fingerprint of the certificate:"))
      #expect(try !reader.elements().contains { $0.name.contains("--trust") })
      // Trying again does not help, so the button that closes is the suggested one.
      try desk.screen.press("alt+l")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"tls_error\""))
      #expect(login.text.contains(/"fingerprint":"([0-9A-F]{2}:){31}[0-9A-F]{2}"/))
      #expect(login.errors.contains("--trust 127.0.0.1=sha256:"))
      #expect(desk.requests == [], "no request is sent")
      let fingerprint = try #require(login.text.firstMatch(of: /"fingerprint":"([0-9A-F:]+)"/)).output.1
      let other = try desk.login(
        at: "auth", "--trust", "127.0.0.1=sha256:" + String(repeating: "0", count: 64))
      try #require(await desk.showsFailure(other, "cannot be trusted"), "\(other.errors)")
      other.end(SIGTERM)
      _ = await other.end()
      let trusting = try desk.login(at: "auth", "--trust", "127.0.0.1=sha256:\(fingerprint)")
      #expect(await desk.showsPage(trusting), "\(trusting.errors)")
    }

    // WebKit itself trusts only the system's authorities.
    @Test(
      "The window trusts a company's authority, but for no other host, no longer than a certificate is valid, and no other",
      arguments: ["SSL_CERT_FILE", "--trust"])
    func authority(_ way: String) async throws {
      let desk = try await Desk()
      let (ours, theirs) = (try TestAuthority(), try TestAuthority())
      for (identity, isTrusted) in [
        (try ours.identity("good"), true), (try ours.identity("other", for: "DNS:as.example"), false),
        (try ours.identity("old", days: -1), false), (try theirs.identity("theirs"), false),
      ] {
        let server = try StandInServer(identity: identity) { _, _ in .html("<p>Welcome</p>") }
        let login =
          way == "--trust"
          ? try desk.login(at: server.base + "/auth", way, "127.0.0.1=\(ours.certificate)")
          : try desk.login(at: server.base + "/auth", variables: [way: ours.certificate])
        if isTrusted {
          #expect(await desk.showsPage(login), "\(login.errors)")
        } else {
          #expect(
            await desk.showsFailure(login, "cannot be trusted"), "\(identity.certificate) \(login.errors)")
          #expect(server.requests.isEmpty, "no request is sent")
        }
        login.end(SIGTERM)
        _ = await login.end()
      }
    }

    /// The user judges the host by this sentence.
    @Test("A host that does not fit into a line is broken without a hyphen that it does not have")
    func longHost() async throws {
      let desk = try await Desk(tls: true)
      let log = desk.folder + "/breaks"
      let flags = desk.folder + "/flags"
      try Screen.run(["pkg-config", "--cflags", "pangocairo"], [:])
        .write(toFile: flags, atomically: false, encoding: .utf8)
      let variables = try desk.preload("breaks.c", "-DLOG=\"\(log)\"", "@" + flags)
      let host = "login.acme.example.accounts.provider.example.signin.secure.evil.localhost"
      let login = try desk.login(
        at: desk.provider.replacing("127.0.0.1", with: host) + "/auth", variables: variables)
      try #require(await desk.showsFailure(login, "cannot be trusted"), "\(login.errors)\(desk.screen.state)")
      let breaks = { ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n") }
      try #require(await eventually { breaks().contains { $0.contains("login.acme.example") } })
      #expect(!breaks().contains { $0.hasSuffix("\u{2010}") }, "\(breaks())")
      try await desk.screen.shoot("window-tls-long-host")
    }

    @Test(
      "TLS 1.1 is refused, even if the environment allows it",
      arguments: chosen(["1_1", "1_2"], telling: "1_1"))
    func oldTLS(_ version: String) async throws {
      let desk = try await Desk(tls: true)
      let server = try Program(
        "/usr/bin/env",
        [
          "timeout", "-s", "KILL", "120", "openssl", "s_server", "-www", "-accept", "0", "-tls" + version,
          "-cert", desk.folder + "/both.pem", "-key", desk.folder + "/both.pem", "-cipher",
          "DEFAULT@SECLEVEL=0",
        ], environment: ["PATH": "/usr/bin:/bin"], errorPath: desk.folder + "/server")
      // The server prints its port once it listens.
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

    @Test("The Try Again button loads the page again")
    func retry() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "to-file")
      try #require(await desk.showsFailure(login, "it crashed"))
      try desk.screen.press("Return")  // the button has the focus
      #expect(await eventually { desk.hits("/to-file") == 2 })
    }

    @Test(
      "The Cancel button of every failure can be reached with the keyboard",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func keyboard(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let pages: [(String, String, [String], Int32)] = [
        ("http://127.0.0.1:30009/auth", "cannot be reached", [], 5),
        ("https://as.example/auth", "there is no network connection", Namespace.offline, 5),
        ("to-file", "it crashed", [], 7),
      ]
      for (page, words, outside, status) in chosen(pages, at: 1) {
        let login = try desk.login(at: page, inside: outside)
        try #require(await desk.showsFailure(login, words), "\(login.errors)")
        for key in ["Tab", "Tab", "Return"] { try desk.seat.press(key) }
        #expect(await login.end() == status, "\(page): \(login.errors)")
      }
    }

    /// Sizes of screens, and the scales of texts and windows there.
    static let low: [(String, [String: String])] = [
      ("360x640", ["GDK_DPI_SCALE": "2"]), ("640x480", ["GDK_DPI_SCALE": "2"]),
      ("1280x800", ["GDK_SCALE": "2"]),
    ]

    @Test(
      "On a small screen and with large text the window of a failure fits, with all its buttons",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func low(_ desktop: Desktop) async throws {
      // On Wayland the compositor decides about the scale of windows.
      for (size, variables) in Self.low where desktop == .x11 || variables["GDK_SCALE"] == nil {
        // In a tiled layout the window starts at the corner of the screen and has no shadow, so its coordinates are those
        // of the screen.
        let desk = try await Desk(on: desktop, size: size, layout: .tiles)
        let reader = try await ScreenReader(desk)
        let login = try desk.login(
          at: "wrong-address?instead=com.other%3A%2Fdone",
          variables: reader.variables.merging(variables) { $1 })
        try #require(await desk.showsFailure(login, "the provider redirected to"), "\(login.errors)")
        let numbers = size.split(separator: "x").compactMap { Int($0) }
        let close = { try reader.elements().first { $0.isShowing && $0.name == "Close" }?.place ?? [] }
        let isInside = { (place: [Int]) in
          place.count == 4 && place[0] >= 0 && place[1] >= 0 && place[2] > 0
            && (place[0] + place[2]) <= numbers[0] && (place[1] + place[3]) <= numbers[1]
        }
        let frame = { try reader.elements().first { $0.role == "frame" }?.place ?? [] }
        #expect(try await eventually { isInside(try frame()) }, "\(size)")
        #expect(try await eventually { isInside(try close()) }, "\(size)")
        try await desk.seat.shoot("window-low-failure-\(size)-\(desktop)")
        try desk.seat.press("Return")
        #expect(await login.end() == 5, "\(login.errors)")
      }
    }
  }

  @Test("On a small screen and with large text the title bar and the line below it fit")
  func narrow() async throws {
    let desk = try await Desk(on: .x11, size: "360x640", layout: .tiles)
    let reader = try await ScreenReader(desk)
    let login = try desk.login(
      "<h1>Sign in</h1>", variables: reader.variables.merging(["GDK_DPI_SCALE": "2"]) { $1 })
    try #require(await desk.showsPage(login), "\(login.errors)")
    let place = { (role: String, name: String?) in
      let elements = try reader.elements().filter { $0.role == role && $0.isShowing }
      return elements.first { name == nil || $0.name == name }?.place
    }
    let frame = try #require(try place("frame", nil))
    #expect(frame[0] + frame[2] <= 360, "\(frame)")
    for name in ["Cancel", "About this window"] {
      let button = try place("push button", name) ?? place("toggle button", name)
      #expect(button.map { $0[0] + $0[2] <= 360 } == true, "\(name)")
    }
    try await desk.seat.shoot("window-narrow-title-bar")
    try desk.seat.press("Escape")
    #expect(await login.end() == 3, "\(login.errors)")
  }

  @Suite("Answers that are not pages")
  struct NoPageTests {
    /// A page, the failure that is shown, and a member of its details.
    static let answers = [
      (Desktop.x11, "unauthorized", "asks for a password", "\"host\":\"127.0.0.1"),
      (.x11, "attachment", "sent a file (application/x-thing)", "\"type\":\"application/x-thing\""),
      (.x11, "status?status=204", "returned HTTP 204 and no page", "\"status\":204"),
      (.x11, "status?status=404", "returned HTTP 404 and no page", "\"status\":404"),
      (.x11, "status?status=503", "returned HTTP 503", "\"status\":503"),
      (.x11, "status?status=503&body=Down", "returned HTTP 503", "\"status\":503"),
      (.wayland, "unauthorized", "asks for a password", "\"host\":\"127.0.0.1"),
      (.wayland, "attachment", "sent a file (application/x-thing)", "\"type\":\"application/x-thing\""),
      (.wayland, "status?status=503", "returned HTTP 503", "\"status\":503"),
      (.x11, "status?status=400&body=Bad+client", "returned HTTP 400", "\"status\":400"),
      (.x11, "negotiate", "asks for a password", "\"host\":\"127.0.0.1"),
      (.x11, "negotiate?body=%3Cform%3E", "returned HTTP 401", "\"status\":401"),
    ]

    @Test(
      "An answer that is not a page is reported, and closing the window ends with that failure",
      arguments: chosen(answers, at: 8, 9, 10, 11))
    func answer(_ desktop: Desktop, _ page: String, _ words: String, _ member: String) async throws {
      let desk = try await Desk(on: desktop)
      let login = try desk.login(at: page)
      try #require(await desk.showsFailure(login, words), "\(login.errors)")
      try await desk.seat.shoot("window-no-page-\(page.replacing("?", with: "-"))-\(desktop)")
      #expect(!login.errors.contains("info: page of \n"))
      #expect(!login.errors.contains("stayed blank"))
      #expect(!login.errors.contains("warning: 127.0.0.1"), "it is said at the end: \(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"bad_provider_response\""), "\(login.text)")
      #expect(login.text.contains("\"origin\":\"provider\"") && login.text.contains(member), "\(login.text)")
    }

    @Test(
      "A request for a password is reported, whichever of WebKit's processes reports first",
      arguments: chosen([1, 3], telling: 3))
    func late(process: Int) async throws {
      let desk = try await Desk()
      let note = desk.folder + "/late"
      let library = try desk.preload("late.c", "-DNUMBER=\(process)", "-DNOTE=\"\(note)\"")
      let login = try desk.login(at: "unauthorized", variables: library)
      try #require(await desk.showsFailure(login, "asks for a password"), "\(login.errors)")
      #expect(FileManager.default.fileExists(atPath: note), "no message was late")
      try desk.seat.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
    }

    @Test("A picture that asks for a password is not a failure of its page")
    func picture() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let page = "<h1>Hello</h1><img src=/unauthorized onerror=\"fetch('/refused')\"><img src=/silent>"
      let login = try desk.login(page, variables: reader.variables)
      try #require(
        await eventually { desk.hits("/refused") > 0 && desk.hits("/silent") > 0 }, "\(desk.requests)")
      try #require(try await reader.isShown("filler 'Loading'"), "\(login.errors)")
      try desk.seat.press("ctrl+r")
      try #require(try await reader.isGone("filler 'Loading'"), "\(login.errors)")
      #expect(!login.errors.contains("asks for a password"), "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "Closing the window of a server's failure does not count as refusing the login",
      arguments: chosen(Desktop.allCases, telling: .x11), ["status?status=503&body=Down", "auth"])
    func backOff(_ desktop: Desktop, _ page: String) async throws {
      let desk = try await Desk(on: desktop)
      let store = desk.folder + "/store"
      let login = try desk.login(at: page, "--account", "work", "--store", "file:\(store)")
      let isFailure = page.hasPrefix("status")
      try #require(
        isFailure ? await desk.showsFailure(login, "returned HTTP 503") : await desk.showsPage(login),
        "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == (isFailure ? 5 : 3), "\(login.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: store)
      let texts = names.compactMap { try? String(contentsOfFile: "\(store)/\($0)", encoding: .utf8) }
      #expect(!texts.joined().isEmpty, "\(names)")
      #expect(texts.joined().contains("\"refused\"") == !isFailure, "\(texts)")
    }

    @Test(
      "A page with a status from 400 is the provider's refusal, unless the user types there or it answers a form"
    )
    func rejected() async throws {
      let desk = try await Desk()
      let form = { (target: String) in
        "<form method=post action='/answered?\(target)'><input \(Desk.autofocus)></form>"
      }
      let error = #"{"error":"invalid_client","error_description":"Unknown client"}"#
      let second = form("status=400&body=\(error.percentEncoded)")
      let first = form("status=401&body=\(second.percentEncoded)")
      let window = try desk.window(at: "status?status=400&body=\(first.percentEncoded)")
      try #require(await desk.takesKeys(), "\(window.text)")
      let page = { window.text.split(separator: "\n").last { $0.hasPrefix(#"{"page":"#) } ?? "" }
      let rejection = #""page_error":{"kind":"rejected""#
      #expect(page().contains(rejection), "\(window.text)")
      try desk.seat.type("a")
      #expect(await eventually { !page().contains(rejection) }, "\(window.text)")
      try desk.seat.press("Return")
      try #require(await eventually { desk.hits("/ready") == 2 }, "\(desk.requests)")
      try #require(await eventually { page().contains(#""main_frame_loaded":true"#) }, "\(window.text)")
      #expect(!page().contains("page_error"), "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { page().contains(#""kind":"oauth_error""#) }, "\(window.text)")
      try await desk.seat.shoot("window-oauth-error")
      // Back leads to the form, not to the JSON below the failure.
      try desk.seat.press("Return")
      try #require(await eventually { !page().contains("page_error") }, "\(window.text)")
      #expect(await eventually { desk.hits("/ready") == 3 }, "\(desk.requests)")
    }

    @Test("A page that follows a server's failure is an ordinary page")
    func recovers() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<script>location.href = '/status?status=500&body=' + encodeURIComponent("
          + "`<script>setTimeout(() => { location.href = '/auth' }, 300)</scr` + `ipt>`)</script>")
      try #require(await desk.isHit("/auth"), "\(login.errors)")
      try #require(await desk.showsPage(login))
      try await desk.screen.standsStill()
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }
  }
}
