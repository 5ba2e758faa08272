import Foundation
import Synchronization
@testable import TestSupport
import Testing

/// Most browsers here are scripts that do what a login needs: they open the page, follow its redirects and
/// keep the text of the last page.
@Suite("Login in the browser", .blocking)
struct BrowserLoginTests {
  @Test("If the browser does not come back, the hint names the address to register")
  func late() throws {
    let outcome = try Tokentry.run([
      "login", "--endpoint", "authorization=https://as.invalid/a", "--endpoint", "token=https://as.invalid/t",
      "--client-id", "me", "--redirect-uri", "http://127.0.0.1/cb", "--way", "browser", "--browser", "true",
      "--timeout", "1",
    ])
    #expect(outcome.status == 4)
    #expect(
      outcome.messages.contains(
        /hint: no browser returned: .* register the redirect URI http:\/\/127\.0\.0\.1:\d+\/cb there/),
      "\(outcome.messages)")
  }

  @Test("explain, tests and browsers have one redirect URI, and a second login at once has another port")
  func oneRedirectURI() throws {
    let (provider, folder) = (try CodeProvider(), TemporaryFolder())
    let explained = try Tokentry.run(["explain"] + provider.words([]).dropFirst())
    let usual = try #require((explained["redirect_uris"] as? [String])?.first)
    #expect(try provider.login(["--headless-test"]).status == 0)
    let wait = "import time\nwhile not os.path.exists('\(folder.path)/go'): time.sleep(0.01)"
    let (slow, browser) = (try Browser(wait), try Browser())
    let first = try RunningTokentry(provider.words(["--browser", slow.command, "-v"]))
    #expect(waitUntil { first.messages.contains("waiting for the answer at \(usual)\n") })
    let second = try provider.login(["--browser", browser.command])
    #expect(
      second.status == 0 && second.messages.contains("warning: another program uses the port of \(usual), "))
    try folder.write("", to: "go")
    #expect(first.outcome().status == 0)
    #expect(provider.redirects.count == 3 && provider.redirects[1] != usual)
    #expect(provider.redirects.filter { $0 == usual }.count == 2)
  }

  @Test("The browser brings the code to a port of this machine, and shows a closing page")
  func login() throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    let outcome = try provider.login(["--browser", browser.command])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      outcome.output
        == #"{"access_token":"T","token_type":"Bearer","checks":{"redirect":"exact","state":"verified","pkce":"S256"}}"#
        + "\n")
    let redirect = try #require(provider.redirects.first)
    #expect(redirect.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/callback/) != nil)
    #expect(provider.exchange?.contains("redirect_uri=\(try CodeProvider.encoded(redirect))") == true)
    #expect(browser.page().contains("You can close this tab"))
    #expect(browser.page().hasSuffix("</html>\n"), "the page is complete")
  }

  @Test("A login without options uses the browser, and stops listening afterwards")
  func automatic() throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    let outcome = try provider.login([], environment: ["BROWSER": "/nowhere/browser:\(browser.command) %s"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let port = try #require(provider.redirects.first?.split(separator: ":").last?.split(separator: "/").first)
    #expect((try? RawConnection(port: try #require(UInt16(port)))) == nil)
  }

  @Test("The desktop's default browser opens the page")
  func desktop() throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    let outcome = try provider.login(
      ["--redirect-uri", "http://localhost/", "-v"], environment: try browser.asDesktopsOwn())
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(provider.redirects.first?.hasPrefix("http://localhost:") == true)
    #expect(browser.page().contains("You can close this tab"))
    #expect(browser.argument?.wholeMatch(of: /http:\/\/localhost:\d+\/[A-Za-z0-9_-]{43}/) != nil)
  }

  @Test(
    "If the desktop's browser ends with an error, the window takes its place", arguments: [0, 2])
  func desktopFails(seconds: Int) throws {
    let provider = try CodeProvider()
    let browser = try Browser("import time; time.sleep(\(seconds)); sys.exit(3)")
    let outcome = try provider.login([], environment: try browser.asDesktopsOwn())
    #expect(outcome.messages.contains("no browser could be opened, so the page is shown in a window"))
    #expect(outcome.status == 7 && outcome.error == "no_display", "\(outcome.messages)")
  }

  @Test("A command in BROWSER comes before the desktop's browser")
  func variable() throws {
    let provider = try CodeProvider()
    let (browser, other) = (try Browser(), try Browser())
    let environment = try other.asDesktopsOwn().merging(["BROWSER": browser.command]) { $1 }
    let outcome = try provider.login([], environment: environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("You can close this tab"))
    #expect(other.argument == nil)
    let doctor = try Tokentry.run(["doctor", "--silent"], environment: environment)
    #expect(doctor.output.contains("\(browser.command) opens web pages"), "\(doctor.output)")
  }

  @Test("On a server without a display, doctor --silent finds that programs can use kept tokens")
  func server() throws {
    let lost = try Tokentry.run(["doctor"])
    #expect(
      lost.status == 7 && lost.messages.contains("hint: `tokentry doctor --silent`"), "\(lost.messages)")
    let server = try Tokentry.run(["doctor", "--silent"], environment: ["TOKENTRY_STORE": "file:/nobody"])
    #expect(server.status == 0 && server.output.hasPrefix(#"{"ways":[],"#), "\(server)")
    #expect(!server.output.contains("failed"), "\(server.output)")
    #expect(
      !["display", "browser", "keyring"].contains { server.messages.contains($0) }, "\(server.messages)")
    let far = try Tokentry.run(["doctor", "--silent"], environment: ["TOKENTRY_AGENT": "/nobody"])
    #expect(far.status == 7 && far.messages.contains("the agent that keeps the accounts does not answer"))
  }

  @Test("At a terminal the address is printed at once, and nothing else")
  func atTerminal() throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    let run = try Command.run(
      ["/usr/bin/python3", Command.script("at-terminal.py"), Tokentry.path()]
        + provider.words(["--browser", browser.command]), input: "[]", environment: Tokentry.environment)
    let screen = try #require(run["screen"] as? String)
    #expect(run["status"] as? Int == 0, "\(screen)")
    let lines = screen.split(separator: "\r\n").map(String.init)
    let visit = "tokentry: info: Ctrl+C cancels; if nothing opened, visit \(provider.base)/auth?"
    #expect(lines.count == 1 && lines.first?.hasPrefix(visit) == true, "\(screen)")
  }

  @Test(
    "The portal is asked first, and the desktop's browser opens the page if the portal does not",
    arguments: [0, 1, 2])
  func portal(response: Int) throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    var environment = response == 0 ? ["DISPLAY": ":4096"] : try browser.asDesktopsOwn()
    let portal = try Portal(response, opening: browser.command)
    environment["DBUS_SESSION_BUS_ADDRESS"] = portal.bus
    environment["XDG_ACTIVATION_TOKEN"] = "front"
    let outcome = try provider.login([], environment: environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    let asked = try portal.end()
    #expect(asked.count == 1)
    // Other users of the machine see the command line of a browser, so it contains no part of the request.
    #expect(
      asked.first?.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[A-Za-z0-9_-]{43} front/) != nil, "\(asked)")
  }

  @Test("A denial is the provider's error, and the page says so")
  func denied() throws {
    let provider = try CodeProvider(answer: "error=access_denied")
    let browser = try Browser()
    let outcome = try provider.login(["--browser", browser.command, "--application", "Acme <Mail>"])
    #expect(outcome.status == 1)
    #expect(outcome.error == "access_denied")
    #expect(browser.page().contains("Access denied"))
    #expect(browser.page().contains("Acme &lt;Mail&gt;"))
  }

  @Test("An answer at another address than the redirect URI is reported, and the deadline names it")
  func elsewhere() throws {
    let provider = try CodeProvider()
    let browser = try Browser(
      """
      import urllib.parse
      query = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)
      address = query["redirect_uri"][0] + "/?code=C&state=" + query["state"][0]
      """)
    let outcome = try provider.login(["--browser", browser.command, "--timeout", "3"])
    #expect(outcome.status == 4, "\(outcome.messages)")
    #expect(outcome.messages.contains("warning: the provider redirected to http://127.0.0.1:"))
    #expect(outcome.messages.contains("hint: register exactly this redirect URI"))
    let details = try #require(outcome["details"] as? [String: Any])
    #expect((details["received"] as? String)?.hasSuffix("/callback/") == true)
    #expect(details["differs"] as? [String] == ["slash"])
  }

  @Test(
    "A login whose answer cannot come back is refused before anything is opened",
    arguments: [
      (["--way", "browser", "--grant", "implicit"], 2, "invalid_configuration"),
      (["--way", "window"] + optionsFile(["response_mode": "form_post"]), 2, "invalid_configuration"),
      (
        ["--redirect-uri", "https://app.example/done"] + optionsFile(["response_mode": "form_post"]), 2,
        "invalid_configuration"
      ),
      (
        ["--headless-test", "--navigations", "-"] + optionsFile(["response_mode": "form_post"]), 2,
        "invalid_configuration"
      ),
      (["--way", "browser", "--redirect-uri", "com.example.app:/done"], 7, "no_user_agent"),
      (["--way", "browser", "--redirect-uri", "https://app.example/done"], 7, "no_user_agent"),
      (["--way", "paste"], 3, "cancelled"), (["--way", "device"], 2, "invalid_configuration"),
      (["--browser", "'firefox"], 2, "invalid_option"), (["--kiosk"], 7, "no_display"),
      (["--way", "window"], 7, "no_display"),
      ([], 7, "no_user_agent"),
    ])
  func refused(options: [String], status: Int32, code: String) throws {
    let provider = try CodeProvider()
    let outcome = try provider.login(options)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome.error == code)
    #expect(provider.redirects.isEmpty)
  }

  @Test("A port in use is reported with a hint")
  func portInUse() throws {
    let provider = try CodeProvider()
    let other = try StandInServer { _, _ in .html("") }
    let outcome = try provider.login(["--way", "browser", "--redirect-uri", other.base + "/callback"])
    #expect(outcome.status == 7)
    #expect(outcome.error == "no_user_agent")
    #expect(outcome.messages.contains("is in use by another program"))
    #expect(outcome.messages.contains("hint: "))
    #expect(other.requests.isEmpty)
  }

  @Test(
    "If no browser can be opened the address is printed, over SSH with the command that forwards the port")
  func told() throws {
    let provider = try CodeProvider()
    let outcome = try provider.login(
      ["--browser", "false", "--timeout", "2"],
      environment: ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"])
    #expect(outcome.status == 4)
    #expect(
      outcome.messages.hasPrefix("tokentry: warning: the browser could not be opened: \"false\" failed\n"))
    let lines = outcome.messages.components(separatedBy: "\n").dropFirst().map(\.self)
    #expect(lines[0].hasPrefix("tokentry: info: open this page in a browser: \(provider.base)/auth?"))
    #expect(lines[0].contains("code_challenge_method=S256"), "the address is complete")
    #expect(
      lines[1].wholeMatch(of: /tokentry: info: .* ssh -N -L (\d+):localhost:\1 192\.0\.2\.2/) != nil,
      "\(lines)")
  }

  @Test("Two logins at once get their own answers")
  func twoAtOnce() async throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    let outcomes = try await atOnce(2) { _ in try provider.login(["--browser", browser.command]) }
    #expect(outcomes.map(\.status) == [0, 0])
    #expect(Set(provider.redirects).count == 2)
  }

  @Test("navigate listens on this machine too, and accepts the state of its URL only")
  func navigate() throws {
    let provider = try CodeProvider()
    let browser = try Browser()
    let redirect = "http://127.0.0.1:\(try freePort())/done"
    let url = "\(provider.base)/auth?state=S&redirect_uri=\(try CodeProvider.encoded(redirect))"
    let arguments = ["navigate", "--url", url, "--browser", browser.command, "--redirect-uri"]
    let outcome = try Tokentry.run(arguments + [redirect])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == "{\"callback\":\"\(redirect)?code=C&state=S\"}\n")
    let withoutPort = try Tokentry.run(arguments + ["http://127.0.0.1/done", "--way", "browser"])
    #expect(withoutPort.status == 2)
  }

  @Test("Without a state in its URL, navigate accepts any answer")
  func navigateAnywhere() throws {
    let redirect = "http://127.0.0.1:\(try freePort())/done"
    let server = try StandInServer { _, _ in .redirect(redirect + "?ticket=T") }
    let browser = try Browser()
    let outcome = try Tokentry.run([
      "navigate", "--url", server.base + "/cas", "--browser", browser.command, "--redirect-uri", redirect,
    ])
    #expect(outcome.output == "{\"callback\":\"\(redirect)?ticket=T\"}\n", "\(outcome.messages)")
  }

  @Test("Chromium as the desktop's default browser signs in", .enabled(if: Browser.chromium != nil))
  func chromium() throws {
    let provider = try CodeProvider()
    let browser = try Browser(chromium: try #require(Browser.chromium))
    let outcome = try provider.login(["--timeout", "60"], environment: try browser.asDesktopsOwn())
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("<h1>You are signed in</h1>"))
  }

  @Test(
    "Two logins at once in one Chromium with windows get their own answers",
    .enabled(if: Browser.chromium != nil))
  func chromiumTwice() async throws {
    let pages = Mutex(0)
    let provider = try CodeProvider { target in
      pages.withLock { $0 += 1 }
      return """
        <!doctype html><title>Wait</title><script>
        setInterval(async () => { if (await (await fetch('/pages')).text() === '2') location.replace('\(target)') }, 200)
        </script>
        """
    } pages: {
      pages.withLock { "\($0)" }
    }
    var screen: Screen? = try await Screen()
    let (name, folder) = (try #require(screen?.name), try #require(screen?.folder))
    let browser = try Browser(chromium: try #require(Browser.chromium), on: name)
    let environment = try browser.asDesktopsOwn()
    let login = { (name: String) in
      try Program(
        try Tokentry.path(), provider.words(["--timeout", "100"]),
        environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, errorPath: "\(folder)/\(name)")
    }
    let first = try login("first")
    try #require(await eventually(within: 90) { pages.withLock { $0 } == 1 }, "\(first.errors)")
    let second = try login("second")
    #expect(await second.end(within: 90) == 0, "\(second.errors)")
    #expect(await first.end(within: 90) == 0, "\(first.errors)")
    #expect(Set(provider.redirects).count == 2)
    try await screen?.shoot("chromium-two-logins")
    #expect(browser.runs == [2, 1], "the first browser took over the second page and still runs")
    screen = nil  // before the browser, which ends with it
  }
}
