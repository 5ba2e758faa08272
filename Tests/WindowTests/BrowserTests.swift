import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Handing over to the browser")
  struct HandoverTests {
    @Test(
      "Ctrl+B opens the browser, and the window takes the address that the user pastes",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func paste(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let browser = try desk.browser("echo \"$1\" >\"$(dirname \"$0\")/opened\"")
      let login = try desk.login(at: "auth", "--state", "S", "--browser", browser)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.seat.press("ctrl+b")
      try #require(
        await eventually { login.errors.contains("the page was sent to your browser") }, "\(login.errors)")
      let opened = try String(contentsOfFile: desk.folder + "/opened", encoding: .utf8)
      #expect(opened.hasPrefix("\(desk.provider)/auth?"))
      #expect(opened.contains("state=S"), "it is the same request")
      try await desk.seat.shoot("window-handover-\(desktop)")
      try desk.seat.type("\(Desk.redirect)#access_token=OLD&state=old")
      try desk.seat.press("Return")
      try await desk.seat.shoot("window-handover-again-\(desktop)")
      #expect(login.status == nil)
      // The way back, and to the browser once more.
      try desk.seat.press("alt+h")
      try #require(await eventually { desk.hits("/auth") == 2 }, "\(login.errors)")
      try await desk.seat.shoot("window-handover-back-\(desktop)")
      try FileManager.default.removeItem(atPath: desk.folder + "/opened")
      try desk.seat.press("ctrl+b")
      try #require(
        await eventually { FileManager.default.fileExists(atPath: desk.folder + "/opened") },
        "\(login.errors)")
      try await desk.seat.standsStill()
      try desk.seat.type("\(Desk.redirect)#access_token=PASTED&token_type=Bearer&state=S")
      try desk.seat.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"PASTED\""))
      #expect(login.text.contains("\"state\":\"verified\""))
      #expect(await eventually { !desk.seat.shows("Sign in") })
    }

    @Test("A login in the window goes on in the browser, whose answer ends the login and the window")
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
      // The preset prefers the browser: the redirect URI is on this machine.
      let login = try desk.login(withPreset: #""notes":"""#, "--way", "window", "--browser", browser)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.press("ctrl+b")
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"access_denied\""))
      #expect(await eventually { !desk.screen.shows("Sign in") })
    }

    @Test(
      "Esc after a question and the deadline still end the login when the browser is open",
      arguments: chosen(["Escape", ""], telling: "Escape"))
    func cancelled(key: String) async throws {
      let desk = try await Desk()
      let browser = try desk.browser("sleep 1")
      try await beforeDeadline { deadline in
        let login = try desk.login(at: "auth", "--browser", browser, more: key.isEmpty ? deadline : [])
        try await inTime(login) { desk.isShowingPage(login) }
        try desk.screen.press("ctrl+b")
        try await inTime(login) { login.errors.contains("was sent to your browser") }
        if !key.isEmpty { for key in [key, "Tab", "Return"] { try desk.screen.press(key) } }
        #expect(await login.end() == (key.isEmpty ? 4 : 3), "\(login.errors)")
      }
    }

    @Test("If no browser opens, the page stays as it is, and the user can copy the link instead")
    func unopened() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let browser = try desk.browser("exit 1")
      let login = try desk.login(
        "<input \(Desk.autofocus) oninput='fetch(`/has-` + this.value)'>",
        more: ["--state", "S", "--browser", browser], variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await desk.takesKeys())
      try desk.seat.type("a")
      try desk.seat.press("ctrl+b")
      #expect(try await reader.isShown("Couldn't open a browser."), "\(login.errors)")
      try await desk.seat.shoot("window-unopened")
      try desk.seat.type("b")
      #expect(await desk.isHit("/has-ab"), "\(desk.requests)")
      try desk.seat.press("alt+l")
      #expect(
        try await reader.isShown("Couldn't open a browser. Copy the link and open it in your browser."),
        "\(login.errors)")
      let page = /open this page in a browser: (\S+)/
      let link = try #require(login.errors.matches(of: page).last).output.1
      #expect(try await desk.screen.copies(String(link)))
      try desk.seat.type("\(Desk.redirect)#access_token=PASTED&token_type=Bearer&state=S")
      try desk.seat.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A browser that fails late is reported as not opened")
    func late() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let browser = try desk.browser("sleep 3; exit 1")
      let login = try desk.login(at: "auth", more: ["--browser", browser], variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.seat.press("ctrl+b")
      try #require(await eventually { login.errors.contains("was sent to your browser") }, "\(login.errors)")
      #expect(
        try await reader.isShown("Couldn't open a browser. Copy the link and open it in your browser."),
        "\(login.errors)")
      #expect(login.errors.contains("open this page in a browser: "), "\(login.errors)")
    }

    @Test("With --way window Ctrl+B has no effect if no browser hands the answer back")
    func notOffered() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--way", "window")
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.press("ctrl+b")
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(!login.errors.contains("browser"))
    }

    @Test("Without a browser, a login that prefers the browser opens a window")
    func fallback() async throws {
      let desk = try await Desk()
      let login = try desk.login(withPreset: #""notes":"""#, "--browser", "/nowhere/browser")
      try #require(await desk.showsPage(login), "\(login.errors)")
      #expect(login.errors.contains("no browser could be opened, so the page is shown in a window"))
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }
  }

  @Suite("The bar that offers the browser")
  struct OfferTests {
    private static let asks = """
      <h1>Sign in</h1><script>const name = 'PublicKeyCredential', type = typeof window[name];
      fetch(`/saw-${type}-${name in window}-${typeof window.webkit}-${typeof navigator.credentials}-${window[name]}`)</script>
      """
    /// Uses passkeys without looking whether there are any.
    private static let uses = """
      <h1>Sign in</h1><script>const name = 'credentials'; fetch(`/uses-${typeof navigator[name]}-${name in navigator}`)
      navigator.credentials.get({ publicKey: {} })</script>
      """
    private static let puts = """
      <h1>Sign in</h1><script>'use strict'; window.PublicKeyCredential = 1;
      fetch(`/put-${PublicKeyCredential}-${Object.keys(window).includes('PublicKeyCredential')}`)</script>
      """

    @Test(
      "A page that looks for passkeys finds none, and gets the bar if the caller has a browser",
      arguments: chosen([["browser"], []], at: 0))
    func passkey(ways: [String]) async throws {
      let desk = try await Desk()
      let window = try await desk.completeWindow(showing: Self.asks, ways: ways)
      #expect(await desk.isHit("/saw-undefined-false-undefined-undefined-undefined"), "\(desk.requests)")
      try await desk.screen.shoot(ways.isEmpty ? "window-passkey-without" : "window-passkey")
      let isOffered = !ways.isEmpty
      #expect(try await desk.leadsToBrowser(window, isOffered: isOffered) == isOffered, "\(window.text)")
    }

    @Test(
      "A page that uses passkeys without looking for them gets the bar, even if WebKit has objects for them")
    func usesPasskey() async throws {
      let desk = try await Desk()
      let window = try await desk.completeWindow(showing: Self.uses, variables: desk.preload("passkeys.c"))
      #expect(await desk.isHit("/uses-undefined-false"), "\(desk.requests)")
      #expect(try await desk.leadsToBrowser(window), "\(window.text)")
    }

    @Test("A page whose address says that the provider refuses web views gets the bar")
    func refused() async throws {
      let desk = try await Desk()
      let window = try await desk.completeWindow(
        showing: "<h1>Access blocked</h1>", query: "authError=ChRkaXNhbGxvd2VkX3VzZXJhZ2VudBJH&")
      try await desk.screen.shoot("window-refused")
      #expect(try await desk.leadsToBrowser(window), "\(window.text)")
    }

    @Test(
      "A page or a frame that calls another program gets a bar that says so, and the program is not started")
    func program() async throws {
      let asks = "<script>window.PublicKeyCredential</script>"
      for page in [
        "<iframe src='mailto:a@b.example'></iframe>",
        "\(asks)<script>location.href = 'bankid:///?x=1'</script>",
      ] {
        let desk = try await Desk()
        let reader = try await ScreenReader(desk)
        let window = try desk.window(showing: "<h1>Hello</h1>" + page, variables: reader.variables)
        let text = "This window can't open other apps."
        #expect(try await reader.isShown(text), "\(window.text)")
        try await desk.screen.shoot("window-program")
        guard page.contains(asks) else { continue }
        let button = try #require(try reader.elements().first { $0.isShowing && $0.name == "Close" })
        try desk.screen.click(on: button.place)
        let passkeys = "This window doesn't support passkeys. Choose another way to sign in."
        #expect(try await reader.isShown(passkeys), "\(window.text)")
        #expect(try !reader.shows(text))
        try await desk.screen.shoot("window-passkey-without")
      }
    }

    @Test("Other pages do not get the bar, not even one that defines PublicKeyCredential itself")
    func notOffered() async throws {
      let desk = try await Desk()
      for body in chosen(["<h1>Hello</h1>", Self.puts], at: 1) {
        let window = try await desk.completeWindow(showing: body)
        #expect(!(try await desk.leadsToBrowser(window, isOffered: false)), "\(window.text)")
      }
      #expect(desk.hits("/put-1-true") > 0, "\(desk.requests)")
    }

    @Test(
      "The bar above a blank page has no button for a browser if the caller has none",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func withoutBrowser(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.window(at: "empty", variables: reader.variables)
      #expect(try await reader.isShown("push button 'Open in Safe Mode'"), "\(window.text)")
      #expect(try reader.shows("Page still blank? Try safe mode."))
      #expect(try !reader.shows("push button 'Open in Browser'"))
    }

    @Test("The bar goes when the next page arrives")
    func gone() async throws {
      let desk = try await Desk()
      let page = Self.asks + "<script>setTimeout(() => { location.href = '/auth' }, 1000)</script>"
      let window = try await desk.completeWindow(showing: page)
      try #require(await eventually { window.pagesLoaded == 2 })
      #expect(!(try await desk.leadsToBrowser(window, isOffered: false)), "\(window.text)")
    }
  }
}

extension Desk {
  /// Starts a login for a code, whose redirect URI is on this machine.
  fileprivate func login(withPreset members: String, _ options: String...) throws -> Program {
    let preset = folder + "/preset.json"
    try """
    {"authorization_endpoint":"\(provider)/auth","token_endpoint":"\(provider)/token",\(members)}
    """.write(toFile: preset, atomically: true, encoding: .utf8)
    return try tokentry(["login", "-vv", "--provider", preset, "--client-id", "me"] + options)
  }

  /// Opens a window with a page that the test writes, and waits until the page is complete.
  fileprivate func completeWindow(
    showing body: String, query: String = "", ways: [String] = ["browser"], variables: [String: String] = [:]
  ) async throws -> Program {
    let window = try window(
      at: "html?\(query)body=\(body.percentEncoded)", ["ways": ways], variables: variables)
    try #require(await shows(window))
    return window
  }

  /// Presses the button of the bar, and returns true if it leads to the browser. Ends the window.
  fileprivate func leadsToBrowser(_ window: Program, isOffered: Bool = true) async throws -> Bool {
    try screen.press("alt+b")
    let leads = await eventually(within: isOffered ? patience : 2) {
      window.text.contains("{\"switch\":{\"to\":\"browser\"}}")
    }
    try window.closeInput()
    #expect(await window.end() != nil)
    return leads
  }
}
