import Foundation
import Synchronization
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("A window with a code for another device")
  struct DeviceTests {
    private static let complete = #","verification_uri_complete":"BASE/device?user_code=WDJB-MJHT""#

    /// A provider whose user signs in when the test says so.
    private final class Provider: Sendable {
      let server: StandInServer
      private let hasSignedIn = SharedFlag(false)

      init(life: Int = 600, more: String = "") throws {
        server = try .givingCodes(life: life, more: more) { [hasSignedIn] _ in
          hasSignedIn.value
            ? .json(#"{"access_token":"T","token_type":"Bearer"}"#)
            : .json(#"{"error":"authorization_pending"}"#, status: 400)
        }
      }

      func userSignsIn() { hasSignedIn.value = true }
    }

    /// Starts a login whose window is called Mail, and waits for the window.
    private func login(
      _ desk: Desk, _ provider: Provider, grant: [String] = ["--grant", "device"], _ options: String...,
      more: [String] = []
    ) async throws -> Program {
      let login = try desk.tokentry(
        provider.server.deviceOptions + grant + optionsFile(["title": "Mail"]) + options + more)
      // On a busy machine a short login may end before its window appears.
      try #require(await eventually { desk.screen.shows("Mail") || login.status != nil }, "\(login.errors)")
      return login
    }

    @Test(
      "The window has a readable QR code, runs no web page, and ends with the token",
      arguments: chosen(
        [["--grant", "device"], ["--way", "device"], ["--grant", "device", "--way", "window"]], at: 0))
    func shown(grant: [String]) async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let login = try await login(desk, provider, grant: grant)
      let window = try #require(Processes.window(of: login))
      #expect(
        login.errors
          == "tokentry: info: to sign in, open \(provider.server.base)/device and enter the code WDJB-MJHT\n")
      try await desk.screen.shoot("window-device")
      #expect(try await desk.screen.readCode() == "\(provider.server.base)/device?user_code=WDJB-MJHT")
      #expect(Processes.names(inGroup: window) == ["tokentry-window"])
      provider.userSignsIn()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text == #"{"access_token":"T","token_type":"Bearer","checks":{}}"# + "\n")
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(await eventually { !desk.screen.shows("Mail") })
      #expect(desk.filesAtHome == [])
    }

    @Test(
      "Esc and the letter of Cancel cancel the login after a question, and the close button at once",
      arguments: chosen(["Escape", "alt+c", ""], telling: "alt+c"))
    func cancelled(key: String) async throws {
      let (desk, provider) = (try await Desk(), try Provider())
      let login = try await login(desk, provider)
      if key.isEmpty {
        try desk.screen.close("Mail")
      } else {
        _ = try await desk.leaves(by: key) { login.status != nil }
      }
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(login.text.contains(#""error":"cancelled","error_description":"the window was closed""#))
      #expect(await eventually { !desk.screen.shows("Mail") })
    }

    @Test("The user can get a new code in place of one that has expired, or close the window")
    func expired() async throws {
      let (desk, provider) = (try await Desk(), try Provider(life: 2))
      let reader = try await ScreenReader(desk)
      let login = try desk.tokentry(
        provider.server.deviceOptions + ["--grant", "device"] + optionsFile(["title": "Mail"]),
        variables: reader.variables)
      let parts = ["alert 'The code has expired'", "push button 'Get a New Code'"]
      #expect(try await reader.missing(parts, withPage: true) == [], "\(login.errors)")
      try await desk.screen.shoot("window-device-expired")
      try desk.screen.press("Return")
      #expect(await eventually { provider.server.hits("/codes") == 2 }, "\(login.errors)")
      #expect(try await reader.missing(parts, withPage: true) == [], "\(login.errors)")
      for key in ["Escape", "Tab", "Return"] { try desk.screen.press(key) }
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(login.text.contains("\"expired_token\""), "\(login.text)")
      #expect(await eventually { !desk.screen.shows("Mail") })
    }

    @Test("The deadline ends the login at once, and the window says so until the user closes it")
    func ended() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      try await beforeDeadline { deadline in
        let provider = try Provider()
        let login = try desk.tokentry(
          provider.server.deviceOptions + ["--grant", "device"] + optionsFile(["title": "Mail"]) + deadline,
          variables: reader.variables)
        try await inTime(login) { desk.screen.shows("Mail") }
        #expect(await login.end() == 4, "\(login.errors)")
        #expect(login.text.contains("\"timeout\""))
        let parts = ["alert 'Time's up'", "push button 'Close'"]
        #expect(try await reader.missing(parts, withPage: true) == [], "\(login.errors)")
        try await desk.screen.shoot("window-time-is-up")
        try desk.screen.close("Mail")
        #expect(await eventually(within: 5) { !desk.screen.shows("Mail") })
      }
    }

    @Test("The address and the code can be copied with the keyboard")
    func copied() async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let login = try await login(desk, provider)
      // From the browser button over Cancel, About and the address to the button that copies the address.
      for key in ["Tab", "Tab", "Tab", "Tab", "Return"] { try desk.screen.press(key) }
      #expect(try await desk.screen.copies("\(provider.server.base)/device"))
      for key in ["Tab", "Tab", "Return"] { try desk.screen.press(key) }
      #expect(try await desk.screen.copies("WDJB-MJHT"))
      try await desk.screen.shoot("window-device-copied")
      login.end(SIGTERM)
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test("Return opens the browser at the address with the code")
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
      provider.userSignsIn()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("In a terminal, no window opens unless --way window is given", arguments: [false, true])
    func terminal(isAsked: Bool) async throws {
      let (desk, provider) = (try await Desk(), try Provider(more: Self.complete))
      let windows = try await desk.screen.watchWindows()
      let grant =
        ["--grant", "device"] + optionsFile(["title": "Mail"]) + (isAsked ? ["--way", "window"] : [])
      let script = Desk.file("../ProgramTests/at-terminal.py")
      let login = try Program(
        "/usr/bin/python3", [script, Desk.program("tokentry")] + provider.server.deviceOptions + grant,
        environment: desk.environment, errorPath: desk.folder + "/terminal")
      try login.write("[]")
      try login.closeInput()
      #expect(await eventually { provider.server.hits("/token") > 0 }, "\(login.errors)")
      if isAsked { #expect(await eventually { desk.screen.shows("Mail") }) }
      provider.userSignsIn()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("enter the code WDJB-MJHT"))
      #expect(login.text.contains("[30;107m"), "the QR code is on the terminal")
      #expect(login.text.contains(#"\"access_token\":\"T\""#))
      #expect(windows.text.contains("MapNotify") == isAsked)
    }

    @Test("Without a display the login goes on, but fails if --way window is given")
    func withoutDisplay() async throws {
      let desk = try await Desk()
      let warning = "warning: the code is not shown in a window: the display cannot be opened"
      for (options, status) in [([], 0), (["--way", "window"], 7)] as [([String], Int32)] {
        // The user has not signed in yet, because a token that comes before the end of the window wins.
        let provider = try Provider()
        let login = try desk.tokentry(
          provider.server.deviceOptions + ["--grant", "device"] + options, variables: ["DISPLAY": ":64999"])
        if status == 0 {
          #expect(await eventually { login.errors.contains(warning) }, "\(login.errors)")
          provider.userSignsIn()
        }
        #expect(await login.end() == status, "\(login.errors)")
        #expect(login.errors.contains(warning) == (status == 0), "\(login.errors)")
      }
    }

    @Test("The user of the demo signs in in the browser that the window opens")
    func demo() async throws {
      let desk = try await Desk()
      let browser = try desk.browser(
        """
        code=${1#*user_code=}
        exec "\(Desk.program("tokentry"))" navigate --url "$1" --redirect-uri https://app.example/none --headless-test \\
            --form "user_code=$code" --form username=ada --form password=demo --form decision=allow
        """)
      // A user at a remote desktop: the default browser of this machine is not used.
      let elsewhere = ["BROWSER": browser, "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
      let demo = try desk.tokentry(["demo", "--way", "device"], variables: elsewhere)
      try #require(await eventually { desk.screen.shows("Demo") }, "\(demo.errors)")
      try desk.screen.press("Return")
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(demo.text.contains(#""checks":{"id_token":"verified"}"#), "\(demo.text)")
      #expect(await eventually { !desk.screen.shows("Demo") })
    }
  }
}

/// A flag that a test sets and a server reads.
final class SharedFlag: Sendable {
  private let flag: Mutex<Bool>
  init(_ value: Bool) { flag = Mutex(value) }
  var value: Bool {
    get { flag.withLock(\.self) }
    set { flag.withLock { $0 = newValue } }
  }
}
