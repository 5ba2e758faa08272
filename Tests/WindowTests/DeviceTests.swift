import Foundation
import Synchronization
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("A code for another device in the window")
  struct DeviceTests {
    private static let complete = #","verification_uri_complete":"BASE/device?user_code=WDJB-MJHT""#
    private static let token = StandInServer.Answer.json(#"{"access_token":"T","token_type":"Bearer"}"#)
    private static let pending = StandInServer.Answer.json(#"{"error":"authorization_pending"}"#, status: 400)

    /// A provider at which somebody has signed in once they have.
    private final class Provider: Sendable {
      let hasSignedIn: SignIn
      let server: StandInServer

      final class SignIn: Sendable {
        private let value = Mutex(false)
        func happen() { value.withLock { $0 = true } }
        var hasHappened: Bool { value.withLock { $0 } }
      }

      init(life: Int = 600, more: String = "") throws {
        let signIn = SignIn()
        hasSignedIn = signIn
        server = try .givingCodes(life: life, more: more) { _ in
          signIn.hasHappened ? DeviceTests.token : DeviceTests.pending
        }
      }
    }

    /// Starts a login whose window is called Mail, and waits for that.
    private func login(
      _ desk: Desk, _ provider: Provider, grant: [String] = ["--grant", "device"], _ options: String...,
      more: [String] = []
    ) async throws -> Program {
      let login = try Program(
        Desk.program("tokentry"),
        provider.server.deviceOptions + grant + ["--title", "Mail"] + options + more,
        environment: desk.environment, errorPath: "\(desk.folder)/\(UUID().uuidString)")
      // A login that ends soon may do so on a busy machine before its window is there.
      try #require(
        await eventually { desk.screen.shows("Mail") || login.status != nil }, "\(login.errors)")
      return login
    }

    @Test(
      "A camera reads the address off the window, which runs no page and is gone when the token has come",
      arguments: chosen(
        [["--grant", "device"], ["--agent", "device"], ["--grant", "device", "--agent", "window"]], at: 0))
    func shown(grant: [String]) async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let login = try await login(desk, provider, grant: grant)
      let window = try #require(Processes.window(of: login))
      #expect(
        login.errors == "tokentry: info: open \(provider.server.base)/device and type in WDJB-MJHT\n")
      try await desk.screen.shoot("window-device")
      #expect(try await desk.screen.readCode() == "\(provider.server.base)/device?user_code=WDJB-MJHT")
      #expect(Processes.names(inGroup: window) == ["tokentry-window"])
      provider.hasSignedIn.happen()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text == #"{"access_token":"T","token_type":"Bearer","checks":{}}"# + "\n")
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(await eventually { !desk.screen.shows("Mail") })
      #expect(desk.filesAtHome == [])
    }

    @Test(
      "Esc, Cancel and closing the window cancel the login",
      arguments: chosen(["Escape", "alt+c", ""], telling: "alt+c"))
    func cancelled(key: String) async throws {
      let (desk, provider) = (try await Desk(), try Provider())
      let login = try await login(desk, provider)
      if key.isEmpty { try desk.screen.close("Mail") } else { try desk.screen.press(key) }
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(login.text.contains(#""error":"cancelled","error_description":"the window was closed""#))
      #expect(await eventually { !desk.screen.shows("Mail") })
    }

    @Test(
      "A code that expires, and the deadline, end the login and the window",
      arguments: chosen([1, 4] as [Int32], telling: 1))
    func ended(status: Int32) async throws {
      let desk = try await Desk()
      try await beforeDeadline { deadline in
        let provider = try Provider(life: status == 1 ? Int(deadline[1]) ?? 0 : 600)
        let login = try await login(desk, provider, more: status == 1 ? [] : deadline)
        try await inTime(login) { desk.screen.shows("Mail") }
        #expect(await login.end() == status, "\(login.errors)")
        #expect(login.text.contains(status == 1 ? "\"expired_token\"" : "\"timeout\""))
        #expect(await eventually { !desk.screen.shows("Mail") })
      }
    }

    @Test("By keyboard the address and the code are copied")
    func copied() async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let login = try await login(desk, provider)
      // From the button for the browser over Cancel to the address, and what copies it.
      for key in ["Tab", "Tab", "Tab", "Return"] { try desk.screen.press(key) }
      #expect(try await desk.screen.copies("\(provider.server.base)/device"))
      for key in ["Tab", "Tab", "Return"] { try desk.screen.press(key) }
      #expect(try await desk.screen.copies("WDJB-MJHT"))
      try await desk.screen.shoot("window-device-copied")
      login.end(SIGTERM)
      #expect(await login.end() == 3)
    }

    @Test("Return opens the browser with the code in the address; if there is none the window says so")
    func browser() async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let browser = try desk.browser("echo \"$1\" >\"$(dirname \"$0\")/opened\"")
      let login = try await login(desk, provider, "--browser", browser)
      try desk.screen.press("Return")
      let opened = desk.folder + "/opened"
      #expect(
        await eventually {
          (try? String(contentsOfFile: opened, encoding: .utf8))?.hasSuffix("?user_code=WDJB-MJHT\n") == true
        })
      #expect(login.status == nil)
      provider.hasSignedIn.happen()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A terminal says it all, so that no window opens unless it is asked for", arguments: [false, true])
    func terminal(isAsked: Bool) async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let windows = try await desk.screen.watchWindows()
      let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ProgramTests/at-terminal.py").path()
      let grant = ["--grant", "device", "--title", "Mail"] + (isAsked ? ["--agent", "window"] : [])
      let login = try Program(
        "/usr/bin/python3", [script, Desk.program("tokentry")] + provider.server.deviceOptions + grant,
        environment: desk.environment, errorPath: desk.folder + "/terminal")
      try login.write("[]")
      try login.closeInput()
      #expect(await eventually { provider.server.hits("/token") > 0 }, "\(login.errors)")
      if isAsked { #expect(await eventually { desk.screen.shows("Mail") }) }
      provider.hasSignedIn.happen()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("type in WDJB-MJHT"))
      #expect(login.text.contains("[30;107m"), "the picture is on the terminal")
      #expect(login.text.contains(#"\"access_token\":\"T\""#))
      #expect(windows.text.contains("MapNotify") == isAsked)
    }

    @Test("Without the window's program, or with a display that cannot be opened, the login goes on")
    func withoutWindow() async throws {
      let desk = try await Desk()
      let environment = desk.environment.merging(["DISPLAY": ":64999"]) { $1 }
      let warning = "warning: the code is not shown in a window: the display cannot be opened"
      for (options, status) in [([], 0), (["--agent", "window"], 7)] as [([String], Int32)] {
        // Where nobody has signed in yet: a token that is there sooner than the window's end is what counts.
        let provider = try Provider()
        let login = try Program(
          Desk.program("tokentry"), provider.server.deviceOptions + ["--grant", "device"] + options,
          environment: environment, errorPath: "\(desk.folder)/\(UUID().uuidString)")
        if status == 0 {
          #expect(await eventually { login.errors.contains(warning) }, "\(login.errors)")
          provider.hasSignedIn.happen()
        }
        #expect(await login.end() == status, "\(login.errors)")
        #expect(login.errors.contains(warning) == (status == 0), "\(login.errors)")
      }
    }

    @Test("At the demo provider somebody signs in in the browser that the window opens")
    func demo() async throws {
      let desk = try await Desk()
      let browser = try desk.browser(
        """
        code=${1#*user_code=}
        exec "\(Desk.program("tokentry"))" navigate --url "$1" --redirect-uri https://app.example/none --headless-test \\
            --form "user_code=$code" --form username=ada --form password=demo --form decision=allow
        """)
      // Somebody who sits elsewhere has another desktop than this machine's, whose browser is not asked for.
      let elsewhere = ["BROWSER": browser, "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
      let demo = try Program(
        Desk.program("tokentry"), ["demo", "--agent", "device"],
        environment: desk.environment.merging(elsewhere) { $1 }, errorPath: desk.folder + "/demo")
      try #require(await eventually { desk.screen.shows("Demo") }, "\(demo.errors)")
      try desk.screen.press("Return")
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(demo.text.contains(#""checks":{"id_token":"verified"}"#), "\(demo.text)")
      #expect(await eventually { !desk.screen.shows("Demo") })
    }
  }
}
