import Foundation
@testable import TestSupport
import Testing

/// Every test has a display of its own, so as many run at once as the machine can take.
@Suite("The window", .blocking, .pictured, .limited(toMinutes: 10))
struct WindowTests {}

extension WindowTests {
  @Suite("How logins end")
  struct LoginTests {
    @Test("Signing in ends with a token, and leaves no window, process or file behind")
    func typed() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", more: optionsFile(["title": "Mail"]))
      try #require(await desk.showsPage(login, titled: "Mail"), "\(login.text + login.errors)")
      let window = try #require(Processes.window(of: login))
      let variables = try systemText("/proc/\(window)/environ")
      #expect(!variables.contains("TOKENTRY_CLIENT_SECRET"))
      try await desk.screen.shoot("window-login")
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
      let start = #/\{"access_token":"T","token_type":"Bearer","expires_in":(60|5[0-9]),/#
      #expect(login.text.prefixMatch(of: start) != nil, "\(login.text)")
      #expect(login.text.contains("\"state\":\"verified\""))
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(!desk.screen.shows("Mail"))
      #expect(desk.filesAtHome == [])
      #expect(desk.requests.first == "GET /auth de-AT,de;q=0.90", "\(desk.requests)")
    }

    @Test("While the user signs in, the program gets ready to ask for the token")
    func prepared() async throws {
      let desk = try await Desk()
      let login = try desk.tokentry([
        "login", "-vv", "--way", "window", "--endpoint", "authorization=\(desk.provider)/auth",
        "--endpoint", "token=https://id.example/token", "--client-id", "c", "--redirect-uri", Desk.redirect,
      ])
      try #require(await desk.showsPage(login), "\(login.errors)")
      // The library for requests, and the one for TLS, which GLib loads with the authorities.
      for library in ["libsoup-3.0", "libgiognutls"] {
        #expect(
          try await eventually { try systemText("/proc/\(login.identifier)/maps").contains(library) },
          "\(library)")
      }
    }

    @Test("`tokentry navigate` prints the address where the user arrived, unchecked")
    func navigated() async throws {
      let desk = try await Desk()
      let redirect = "https://app.example/done"
      let address = "\(desk.provider)/auth?redirect_uri=\(redirect.percentEncoded)&state=THEIRS"
      let visit = try desk.tokentry([
        "navigate", "-vv", "--way", "window", "--url", address, "--redirect-uri", redirect,
      ])
      try #require(await desk.showsPage(visit), "\(visit.errors)")
      try desk.screen.signIn()
      #expect(await visit.end() == 0, "\(visit.errors)")
      #expect(visit.text.hasPrefix("{\"callback\":\"https://app.example/done#"), "\(visit.text)")
      #expect(visit.text.contains("state=THEIRS") && visit.text.hasSuffix("\"}\n"), "\(visit.text)")
    }

    @Test("A login without user interaction ends without a visible window")
    func unseen() async throws {
      let desk = try await Desk()
      let redirect = desk.provider + "/done"
      let windows = try await desk.screen.watchWindows()
      let seen = { windows.text.components(separatedBy: "MapNotify").count }
      // The window appears after 800 ms, and any login may take that long on a busy machine. One quick login is enough.
      var wasUnseen: [Bool] = []
      while wasUnseen.count < 5, !wasUnseen.contains(true) {
        let (before, start) = (seen(), ContinuousClock.now)
        let login = try desk.login(at: "good", redirect: redirect)
        #expect(await login.end() == 0, "\(login.errors)")
        let wasQuick = ContinuousClock.now - start < .milliseconds(1_200)
        if wasQuick || seen() == before { wasUnseen.append(seen() == before) } else { break }
      }
      #expect(wasUnseen.isEmpty || wasUnseen.contains(true), "\(windows.text)")
      #expect(Set(desk.requests.map { $0.prefix(9) }) == ["GET /good"], "the redirect URI is never requested")
    }

    @Test(
      "The title is the provider's name, unless the caller gives one",
      arguments: chosen(["Example", "Mail"], telling: "Example"))
    func title(_ title: String) async throws {
      let desk = try await Desk()
      let preset = desk.folder + "/preset.json"
      try "{\"name\":\"Example\"}".write(toFile: preset, atomically: true, encoding: .utf8)
      let windows = try await desk.screen.watchWindows()
      let login = try desk.login(
        at: "auth", "--provider", preset, more: title == "Mail" ? optionsFile(["title": title]) : [])
      try #require(await desk.showsPage(login, titled: title), "\(login.errors)")
      #expect(await eventually { windows.text.contains("MapNotify") }, "visible windows are noticed")
    }

    @Test(
      "Esc and the close button cancel a login", arguments: chosen(["Escape", "close"], telling: "close"))
    func cancelled(_ how: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth")
      try #require(await desk.showsPage(login))
      let window = try #require(Processes.window(of: login))
      if how == "close" { try desk.screen.close("Sign in") } else { try desk.screen.press(how) }
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"cancelled\""))
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
    }

    @Test(
      "With --kiosk, neither Esc nor the close button ends a login, but the deadline does",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func noClose(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      try await beforeDeadline { deadline in
        let login = try desk.login(at: "auth", "--kiosk", more: deadline)
        try await inTime(login) { desk.isShowingPage(login) }
        try desk.seat.press("Escape")
        try desk.seat.close("Sign in")
        #expect(await login.end() == 4, "\(login.errors)")
      }
    }

    @Test("A failure after the window has gone is reported at once, and explained in another window")
    func explained() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      // The window reports that the page is visible before the user acts.
      let login = try desk.login(
        "<button \(Desk.autofocus) onclick='location.href = `\(Desk.redirect)#access_token=T&state=other`'>Go</button>",
        more: ["--application", "Acme Mail"], variables: reader.variables)
      try #require(await desk.takesKeys())
      try await Task.sleep(for: .seconds(1))
      try desk.seat.press("Return")
      #expect(await login.end() == 6, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"state_mismatch\""), "\(login.text)")
      let parts = [
        "alert 'Sign-in failed'",
        "label 'You haven't been signed in. To try again, return to Acme Mail.'",
      ]
      #expect(try await reader.missing(parts, withPage: true) == [], "\(desk.screen.state)")
      try await desk.seat.shoot("window-explained")
      try desk.seat.press("Return")
      #expect(await eventually(within: 5) { !desk.seat.shows("Sign in") })
    }

    @Test("If the token takes its time, a window says so, and can end the login", arguments: [true, false])
    func slowToken(isCancelled: Bool) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let isReady = SharedFlag(false)
      let server = try StandInServer { _, _ in
        while !isReady.value { usleep(20_000) }
        return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
      defer { isReady.value = true }
      let page = """
        <button \(Desk.autofocus) onclick="location.href = '\(Desk.redirect)?code=c&state='
        + new URLSearchParams(location.search).get('state')">Go</button>
        """
      let login = try desk.tokentry(
        [
          "login", "--way", "window", "--client-id", "me", "--redirect-uri", Desk.redirect,
          "--endpoint", "authorization=\(desk.provider)/html?body=\(page.percentEncoded)",
          "--endpoint", "token=\(server.base)/token",
        ], variables: reader.variables)
      try #require(await desk.takesKeys(), "\(login.errors)")
      // The window reports that the page is visible before the user acts.
      try await Task.sleep(for: .seconds(1))
      try desk.seat.press("Return")
      #expect(try await reader.isShown("heading 'Signing you in…'", withPage: true), "\(login.errors)")
      try await desk.seat.shoot("window-signing-in")
      if isCancelled {
        try desk.seat.close("Sign in")
        #expect(await login.end() == 3, "\(login.errors)")
      } else {
        isReady.value = true
        #expect(await login.end() == 0, "\(login.errors)")
        #expect(await eventually { !desk.seat.shows("Sign in") })
      }
    }

    @Test("The provider's error page ends a login with its error")
    func errorPage() async throws {
      let desk = try await Desk()
      let preset = desk.folder + "/preset.json"
      try """
      {"authorization_endpoint":"\(desk.provider)/to-oops","redirect_uri":"https://oauth.vk.com/blank.html",
       "response_type":"token","error_pages":["\(desk.provider)/oops"]}
      """.write(toFile: preset, atomically: true, encoding: .utf8)
      let login = try desk.login(at: "to-oops", "--provider", preset)
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"invalid_client\",\"error_description\":\"No such client.\""))
      #expect(login.text.contains("\"uri\":\"\(desk.provider)/oops?err=2\""))
    }
  }

  @Suite("Wayland")
  struct WaylandTests {
    @Test(
      "A login that needs no typing ends with a token",
      arguments: chosen(Compositor.Kind.allCases, telling: .weston))
    func shown(_ kind: Compositor.Kind) async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(kind, folder: desk.folder)
      let login = try desk.login(at: "later", variables: compositor.variables)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
    }

    @Test(
      "A code for another device is shown until the token comes",
      arguments: chosen(Compositor.Kind.allCases, telling: .weston))
    func device(_ kind: Compositor.Kind) async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(kind, folder: desk.folder)
      // Only sway tells which windows are visible.
      let isSeen = SharedFlag(kind != .sway)
      let server = try StandInServer.givingCodes { question in
        question < 3 || !isSeen.value
          ? .json(#"{"error":"authorization_pending"}"#, status: 400)
          : .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
      let login = try desk.tokentry(
        server.deviceOptions + ["--way", "device"] + optionsFile(["title": "Mail"]),
        variables: compositor.variables)
      if kind == .sway {
        try #require(await eventually { compositor.shows("Mail") }, "\(login.errors)")
        try await compositor.shoot("window-wayland-device")
        isSeen.value = true
      }
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
      #expect(!login.errors.contains("warning"), "\(login.errors)")
    }

    @Test("Signing in ends with a token")
    func typed() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder)
      let login = try desk.login(
        at: "auth", more: optionsFile(["title": "Mail"]), variables: compositor.variables)
      try #require(
        await eventually { login.errors.contains("info: page of") && compositor.shows("Mail") },
        "\(login.errors)")
      #expect(compositor.property("app_id", of: "Mail") == "org.tokentry.Tokentry")
      try await compositor.shoot("window-wayland")
      try compositor.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(!compositor.shows("Mail"))
    }
  }

  /// The login of the documentation, with the preset `vk` and a stand-in for VK behind TLS.
  @Suite("`tokentry login --provider vk --client-id 753197`")
  struct VKTests {
    @Test("Name, password and consent by keyboard end with a token, and leave no window or file behind")
    func token() async throws {
      let desk = try await Desk(tls: true)
      let login = try await vk(desk)
      let window = try #require(Processes.window(of: login))
      try await signIn(desk)
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      let pattern =
        #/\{"access_token":"T","token_type":"Bearer","expires_in":(?:86400|863\d\d),"expires_at":"[-0-9T:]+Z","user_id":"1","checks":\{"redirect":"exact","state":"verified"\}\}\n/#
      #expect(login.text.wholeMatch(of: pattern) != nil, "\(login.text)")
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(!desk.screen.shows("VK"))
      #expect(desk.filesAtHome == [])
    }

    @Test("A denial by keyboard ends with VK's error")
    func denied() async throws {
      let desk = try await Desk(tls: true)
      let login = try await vk(desk)
      try await signIn(desk)
      try desk.screen.press("Tab")
      try desk.screen.press("Return")
      #expect(await login.end() == 1, "\(login.errors)")
      let start =
        #"{"error":"access_denied","error_description":"User denied your request","origin":"provider","#
      #expect(login.text.hasPrefix(start), "\(login.text)")
    }

    @Test("A click on Cancel ends the login, the window and its processes")
    func cancelled() async throws {
      let desk = try await Desk(tls: true)
      let login = try await vk(desk)
      let window = try #require(Processes.window(of: login))
      try desk.screen.run("xdotool", "mousemove", "124", "38", "click", "1")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(login.text.hasPrefix("{\"error\":\"cancelled\""), "\(login.text)")
      #expect(login.text.split(separator: "\n").count == 1)
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(await eventually { !desk.screen.shows("VK") })
    }

    /// Starts the login of the documentation, at the stand-in for VK, and waits for its page.
    private func vk(_ desk: Desk) async throws -> Program {
      let login = try desk.tokentry([
        "login", "--provider", "vk", "--client-id", "753197", "-vv", "--endpoint",
        "authorization=\(desk.provider)/vk", "--trust", "127.0.0.1=\(desk.folder)/certificate.pem",
      ])
      try #require(await desk.showsPage(login, titled: "VK"), "\(login.text + login.errors)")
      return login
    }

    /// Signs in, and waits until the question that follows takes keys.
    private func signIn(_ desk: Desk) async throws {
      try desk.screen.signIn()
      try #require(await desk.isHit("/vk-waits"), "\(desk.requests)")
    }
  }

  @Suite("`tokentry demo`")
  struct DemoTests {
    @Test(
      "The user signs in, agrees, and gets a token",
      arguments: chosen(["code", "id_token token", "code id_token"], telling: "code"))
    func complete(type: String) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let demo = try desk.tokentry(
        ["demo", "-vv"] + optionsFile(["response_type": type]), variables: reader.variables)
      try #require(await desk.showsPage(demo, titled: "Demo"))
      #expect(demo.errors.contains("info: sign in as ada, with the password demo, in the window that opens"))
      // Keys that are pressed before the field has the focus are lost.
      let isReady = {
        try reader.elements(withPage: true).contains {
          $0.role == "password text" && $0.states.contains("focused")
        }
      }
      try #require(try await eventually { try isReady() }, "\(demo.errors)")
      try desk.screen.type("demo")
      try desk.screen.press("Return")
      try #require(try await reader.isShown("push button 'Allow'", withPage: true), "\(demo.errors)")
      try desk.screen.press("Tab")
      try desk.screen.press("Return")
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(demo.text.contains("\"access_token\""))
      #expect(demo.text.contains("\"id_token\":\"verified\",\"nonce\":\"verified\""))
      #expect(desk.filesAtHome == [])
    }

    @Test("Without a display the demo signs in by itself, but fails if a window was asked for")
    func noDisplay() async throws {
      let desk = try await Desk()
      let display = ["DISPLAY": ":64999"]
      let demo = try desk.tokentry(["demo", "-vv"], variables: display)
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(
        demo.errors.contains(
          "info: the display cannot be opened, so a headless agent signs in as ada"))
      let window = try desk.tokentry(["demo", "-vv", "--way", "window"], variables: display)
      #expect(await window.end() == 7, "\(window.errors)")
      #expect(window.text.contains("\"error\":\"no_display\""))
      #expect(window.text.contains("the display cannot be opened"))
    }

    @Test("With --headless-test no window opens")
    func headless() async throws {
      let desk = try await Desk()
      let demo = try desk.tokentry(["demo", "-vv", "--headless-test"])
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(!demo.errors.contains("window"))
    }
  }
}
