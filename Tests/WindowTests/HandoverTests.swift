import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Changing over to the browser")
  struct HandoverTests {
    private static let done = "https://oauth.vk.com/blank.html"

    @Test(
      "By keyboard from the window to the browser, and with what it shows back into the window",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func paste(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let browser = try desk.browser("echo \"$1\" >\"$(dirname \"$0\")/opened\"")
      let login = try desk.login(at: "auth", "--state", "S", "--browser", browser)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.seat.press("ctrl+b")
      try #require(
        await eventually { login.errors.contains("the page is open in your browser") },
        "\(login.errors)")
      let opened = try String(contentsOfFile: desk.folder + "/opened", encoding: .utf8)
      #expect(opened.hasPrefix("\(desk.provider)/auth?"))
      #expect(opened.contains("state=S"), "it is the same request")
      try await desk.seat.shoot("window-handover-\(desktop)")
      try desk.seat.type("\(Self.done)#access_token=OLD&state=old")
      try desk.seat.press("Return")
      try await desk.seat.shoot("window-handover-again-\(desktop)")
      #expect(login.status == nil)
      try desk.seat.type("\(Self.done)#access_token=PASTED&token_type=Bearer&state=S")
      try desk.seat.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"PASTED\""))
      #expect(login.text.contains("\"state\":\"verified\""))
      #expect(await eventually { !desk.seat.shows("Sign in") })
    }

    @Test("A browser that comes back ends the login, and the window with it")
    func comesBack() async throws {
      let desk = try await Desk()
      let browser = try desk.browser(
        """
        exec /usr/bin/python3 - "$1" <<'END'
        import sys, urllib.parse, urllib.request
        query = urllib.parse.parse_qs(urllib.parse.urlparse(sys.argv[1]).query)
        urllib.request.urlopen(query["redirect_uri"][0] + "?error=access_denied&state=" + query["state"][0]).read()
        END
        """)
      let login = try desk.login(withPreset: #""agents":["window","browser"]"#, "--browser", browser)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.press("ctrl+b")
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"access_denied\""))
      #expect(await eventually { !desk.screen.shows("Sign in") })
    }

    @Test(
      "Cancel still works when the browser is open, and so does the deadline",
      arguments: chosen(["Escape", ""], telling: "Escape"))
    func cancelled(key: String) async throws {
      let desk = try await Desk()
      let browser = try desk.browser("sleep 1")
      try await beforeDeadline { deadline in
        let login = try desk.login(at: "auth", "--browser", browser, more: key.isEmpty ? deadline : [])
        try await inTime(login) { desk.isShowingPage(login) }
        try desk.screen.press("ctrl+b")
        try await inTime(login) { login.errors.contains("is open in your browser") }
        if !key.isEmpty { try desk.screen.press(key) }
        #expect(await login.end() == (key.isEmpty ? 4 : 3), "\(login.errors)")
      }
    }

    @Test("A browser that does not open leaves the page as it is, until the user goes on elsewhere")
    func unopened() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let browser = try desk.browser("exit 1")
      let login = try desk.login(
        "<input \(Desk.autofocus) oninput='fetch(`/has-` + this.value)'>",
        more: ["--state", "S", "--browser", browser], variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await eventually { desk.isReady })
      try await desk.seat.standsStill()
      try desk.seat.type("a")
      try desk.seat.press("ctrl+b")
      let shows = { (words: String) in
        try await eventually { try reader.readOurs().contains { $0.isShowing && $0.name == words } }
      }
      #expect(try await shows("No browser could be opened."), "\(login.errors)")
      try await desk.seat.shoot("window-unopened")
      try desk.seat.type("b")
      #expect(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /has-ab ") } }, "\(desk.requests)")
      try desk.seat.press("alt+l")
      #expect(try await shows("No browser could be opened: copy the link."), "\(login.errors)")
      #expect(try await desk.screen.copies(try #require(login.errors.openedPage)))
      try desk.seat.type("\(Self.done)#access_token=PASTED&token_type=Bearer&state=S")
      try desk.seat.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A browser that finds out late that it cannot open is said not to have")
    func late() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let browser = try desk.browser("sleep 3; exit 1")
      let login = try desk.login(at: "auth", more: ["--browser", browser], variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.seat.press("ctrl+b")
      try #require(await eventually { login.errors.contains("is open in your browser") }, "\(login.errors)")
      #expect(
        try await eventually {
          try reader.readOurs().contains {
            $0.isShowing && $0.name == "No browser could be opened: copy the link."
          }
        }, "\(login.errors)")
      #expect(login.errors.contains("open this page in a browser: "), "\(login.errors)")
    }

    @Test("Where the browser cannot be used the key does nothing")
    func notOffered() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--agent", "window")
      try #require(await desk.showsPage(login), "\(login.errors)")
      // The key that ends it comes after the one that does nothing.
      try desk.screen.press("ctrl+b")
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(!login.errors.contains("browser"))
    }

    @Test("Without a browser on the desktop, the window takes its place")
    func fallback() async throws {
      let desk = try await Desk()
      let login = try desk.login(withPreset: #""notes":"""#, "--browser", "/nowhere/browser")
      try #require(await desk.showsPage(login), "\(login.errors)")
      #expect(login.errors.contains("no browser could be opened, so the page is shown in a window"))
      try desk.screen.press("Escape")
      #expect(await login.end() == 3)
    }
  }
}

extension String {
  /// The page that the user was told to open.
  fileprivate var openedPage: String? {
    split(separator: "\n").compactMap { $0.firstMatch(of: /open this page in a browser: (\S+)/)?.1 }.last
      .map(String.init)
  }
}

extension Desk {
  /// A script that takes the place of a browser.
  func browser(_ script: String) throws -> String {
    let path = folder + "/browse"
    try writeProgram("#!/bin/sh\n\(script)\n", to: path)
    return path
  }

  /// Starts a login for a code, whose redirect URI is on this machine.
  fileprivate func login(withPreset members: String, _ options: String...) throws -> Program {
    let preset = folder + "/preset.json"
    try """
    {"authorization_endpoint":"\(provider)/auth","token_endpoint":"\(provider)/token",\(members)}
    """.write(toFile: preset, atomically: true, encoding: .utf8)
    return try Program(
      Self.program("tokentry"), ["login", "--trace", "--provider", preset, "--client-id", "me"] + options,
      environment: environment, errorPath: "\(folder)/\(UUID().uuidString)")
  }
}
