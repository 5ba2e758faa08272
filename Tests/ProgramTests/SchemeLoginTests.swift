import Foundation
@testable import TestSupport
import Testing

@Suite("Login in the browser with a private scheme", .blocking)
struct SchemeLoginTests {
  private static let done = "vk53://auth/done"
  /// In the form of RFC 8252 section 7.1. The xdg-open of Debian 12 takes an address whose scheme has digits for a
  /// file.
  private static let reverse = "com.example.app:/done"

  @Test(
    "The desktop brings the answer back, and no file is left",
    arguments: [("gio open", done), ("gio open", reverse), ("xdg-open", reverse)])
  func login(opener: String, redirect: String) throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let browser = try Browser(handingOver: "", with: opener)
    let outcome = try provider.login(
      Self.options(browser, redirect) + ["--timeout", "30"], environment: bus.environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      outcome.output
        == #"{"access_token":"T","token_type":"Bearer","checks":{"redirect":"exact","state":"verified","pkce":"S256"}}"#
        + "\n")
    #expect(provider.redirects == [redirect])
    #expect(bus.files(named: "mimeapps.list", "tokentry-vk53.desktop", "vk53") == [])
    #expect(!bus.files().contains { $0.contains("com.example.app") })
  }

  @Test(
    "Chromium brings the answer back when its user allows the scheme", .enabled(if: Browser.chromium != nil))
  func chromium() async throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    var screen: Screen? = try await Screen()
    let name = try #require(screen?.name)
    let browser = try Browser(
      chromium: try #require(Browser.chromium), on: name, opening: "com.example.app", of: provider.base)
    let environment = bus.environment
    let outcome = try await onThread {
      try provider.login(Self.options(browser, Self.reverse) + ["--timeout", "60"], environment: environment)
    }
    try await screen?.shoot("chromium-scheme")
    screen = nil
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(provider.exchange?.contains("code=C&") == true)
  }

  @Test("The user's own handler of the scheme is restored, and the rest of the list stays")
  func restored() throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let list = """
      # mine
      [Default Applications]
      text/html=editor.desktop
      x-scheme-handler/vk53=other.desktop;third.desktop
      [Added Associations]
      x-scheme-handler/vk53=other.desktop;

      """
    try bus.write(list, to: ".config/mimeapps.list")
    let seen = bus.path(of: "seen")
    let browser = try Browser(
      handingOver: "import shutil; shutil.copy('\(bus.path(of: ".config/mimeapps.list"))', '\(seen)')")
    let outcome = try provider.login(Self.options(browser), environment: bus.environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(try bus.read(".config/mimeapps.list") == list)
    #expect(
      try bus.read("seen")
        == list.replacingOccurrences(of: "vk53=other.desktop;third", with: "vk53=tokentry-vk53"))
  }

  @Test("Only an answer with the right state ends the login, and other answers are reported")
  func strays() throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let log = bus.path(of: "log")
    let browser = try Browser(
      handingOver: """
        def bring(callback):
            run = subprocess.run(["\(try Tokentry.path())", "take-callback:", callback], capture_output=True, text=True)
            open("\(log)", "a").write(f"{run.returncode} {run.stderr}")
        bring("\(Self.done)?code=X&state=other")
        bring("\(Self.done)?code=X")
        bring("vk53://elsewhere?" + location.split("?")[1])
        names = subprocess.run(["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
          "--method", "org.freedesktop.DBus.ListNames"], capture_output=True, text=True).stdout
        name = next(part for part in names.split("'") if part.startswith("org.tokentry.Tokentry.Login.h"))
        call = ["gdbus", "call", "--session", "--dest", name, "--object-path", "/org/tokentry/Login", "--method"]
        for callback in "\(Self.done)?code=X&state=other", "\(Self.done)?code=X":
            run = subprocess.run(call + ["org.tokentry.Login1.TakeCallback", callback], capture_output=True, text=True)
            open("\(log)", "a").write(f"{run.stdout}")
        """)
    let outcome = try provider.login(Self.options(browser), environment: bus.environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(provider.exchange?.contains("code=C&") == true)
    let refusal = "1 tokentry: error: no sign-in is waiting for this answer"
    let lines = try bus.read("log").split(separator: "\n").map(String.init).filter { !$0.contains("hint:") }
    #expect(lines.count == 5, "\(lines)")
    #expect(lines.prefix(2) == [refusal, refusal])
    #expect(lines[2].contains("not the answer"), "\(lines)")
    #expect(lines.suffix(2) == ["(false,)", "(false,)"])
  }

  @Test("Two logins at once with one scheme get their own answers, and the last one restores the handler")
  func twoAtOnce() async throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let environment = bus.environment
    // The second begins when the first is open. The first goes on when the second has its answer.
    let (isOpen, isOver) = (bus.path(of: "first-is-open"), bus.path(of: "second-is-over"))
    let (slow, fast) = (
      try Browser(handingOver: "open('\(isOpen)', 'w'); \(Self.pause(until: isOver))"),
      try Browser(handingOver: Self.pause(until: isOpen))
    )
    let outcomes = try await withThrowingTaskGroup { group in
      for browser in [slow, fast] {
        group.addTask {
          let outcome = try await onThread {
            try provider.login(Self.options(browser), environment: environment)
          }
          if browser === fast { try Data().write(to: URL(filePath: isOver)) }
          return outcome
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map(\.messages))")
    #expect(bus.files(named: "mimeapps.list", "tokentry-vk53.desktop", "vk53") == [])
  }

  /// Python that waits for a file, or for a minute.
  private static func pause(until file: String) -> String {
    "[time.sleep(0.02) for _ in range(3000) if not os.path.exists('\(file)')]"
  }

  @Test(
    "The scheme is restored when a login ends, or by the next login if it was killed",
    arguments: [SIGTERM, SIGKILL, 0])
  func interrupted(signal: Int32) async throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let entries = { bus.files(named: "mimeapps.list", "tokentry-vk53.desktop", "vk53") }
    let list = bus.path(of: ".config/mimeapps.list")
    let browser = try Browser(
      handingOver: """
        open("\(bus.path(of: "seen"))", "w").write(open("\(list)").read())
        sys.exit(0)
        """)
    let login = try Program(
      try Tokentry.path(), provider.words(Self.options(browser) + ["--timeout", signal == 0 ? "25" : "90"]),
      environment: bus.environment, errorPath: bus.path(of: "errors"))
    let seen = { (try? bus.read("seen"))?.contains("vk53=tokentry-vk53.desktop\n") == true }
    if signal != 0 {
      #expect(await eventually(within: 60) { seen() }, "\(login.errors)")
      login.end(signal)
    }
    #expect(await login.end(within: 60) == [0: 4, SIGTERM: 3, SIGKILL: 128 + SIGKILL][signal])
    #expect(await eventually { seen() }, "\(login.errors)")
    if signal != SIGKILL { return #expect(entries() == []) }
    #expect(entries().count == 3)
    let next = try provider.login(
      ["--way", "browser", "--browser", "false", "--timeout", "1"], environment: bus.environment)
    #expect(next.status == 4)
    #expect(entries() == [])
  }

  @Test("An answer without a waiting login is reported as a notification")
  func notified() throws {
    let bus = try PrivateBus(.none)
    let desktop = try Notifications(bus.environment)
    let outcome = try Tokentry.run(
      ["take-callback:", "\(Self.done)?code=C&state=S"], environment: bus.environment)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("tokentry: error: no sign-in is waiting for this answer"))
    #expect(desktop.first() == "org.tokentry.Tokentry: No sign-in is in progress")
  }

  @Test("navigate accepts a private scheme if its URL has a state, and tokens are refused")
  func others() throws {
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let browser = try Browser(handingOver: "")
    let url = "\(provider.base)/auth?redirect_uri=\(try CodeProvider.encoded(Self.done))"
    let words = [
      "navigate", "--redirect-uri", Self.done, "--register-scheme", "--browser", browser.command, "--url",
    ]
    let outcome = try Tokentry.run(words + [url + "&state=S"], environment: bus.environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == "{\"callback\":\"\(Self.done)?code=C&state=S\"}\n")
    #expect(try Tokentry.run(words + [url], environment: bus.environment).status == 2)
    let token = try provider.login(
      Self.options(browser) + ["--way", "browser", "--grant", "implicit"], environment: bus.environment
    )
    #expect(token.status == 2)
    #expect(try provider.login(Self.options(browser)).status == 7, "there is no message bus")
  }

  private static func options(_ browser: Browser, _ redirect: String = done) -> [String] {
    ["--redirect-uri", redirect, "--register-scheme", "--browser", browser.command]
  }
}

extension PrivateBus {
  /// The path of a file in the home.
  func path(of file: String) -> String { (environment["HOME"] ?? "") + "/" + file }

  func read(_ file: String) throws -> String { try String(contentsOfFile: path(of: file), encoding: .utf8) }

  func write(_ text: String, to file: String) throws {
    let folder = URL(filePath: path(of: file)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: path(of: file), atomically: true, encoding: .utf8)
  }

  /// The files with these names anywhere in the home, or all files.
  func files(named names: String...) -> [String] {
    let all = FileManager.default.enumerator(atPath: path(of: ""))?.compactMap { $0 as? String } ?? []
    return names.isEmpty ? all : all.filter { names.contains(URL(filePath: $0).lastPathComponent) }
  }
}
