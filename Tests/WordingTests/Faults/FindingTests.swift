import LoginWays
import Testing

@testable import LoginCore
@testable import Wording

/// What is said of a machine.
@Suite("Finding")
struct FindingTests {
  /// What was found, and what is said of it.
  struct Row: Sendable {
    let finding: Finding
    let message: String
    let hint: String?

    init(_ result: Finding.Result, _ message: String, hint: String? = nil) {
      (finding, self.message, self.hint) = (Finding("thing", .ok, result), message, hint)
    }
  }

  static let rows: [Row] = [
    Row(
      .failure(.store(.locked)), "the keyring is locked",
      hint: "unlock it, or keep accounts elsewhere with --store file:PATH"),
    Row(
      .windowUnusable(.way(.window(.endedAtOnce))),
      "the window failed: it ended at once: one of its libraries may be missing",
      hint: "install tokentry-window, with GTK 3 and WebKitGTK 4.1"),
    Row(
      .loopbackUnusable(.way(.obstacle(.unreachable("no address")))),
      "a browser cannot reach this machine: no address",
      hint: "bring up the interface lo: `ip link set lo up`"),
    Row(
      .keyringUnusable(.store(.unavailable(.silentKeyring))), "the keyring does not answer",
      hint: "--store file:PATH keeps accounts in a folder"),
    Row(
      .helpers(["git", "docker"], missing: ["bazel"]), "found as the helper of git, docker",
      hint: "`tokentry helper` says how to set up bazel"),
    Row(.helpers(["git"], missing: []), "found as the helper of git"),
    Row(
      .helpers([], missing: ["git"]), "found as no program's helper",
      hint: "`tokentry helper` says how to set up git"),
    Row(.silent, "it does not answer", hint: "find out what keeps it from answering"),
    Row(.noSessionBus, "there is no session bus"),
    Row(.portal, "the desktop's portal is on the session bus"),
    Row(.noPortal, "there is none: the desktop's own program for web pages is used"),
    Row(
      .keyringWithoutBus, "there is no session bus, and no keyring without it",
      hint: "--store file:PATH keeps accounts in a folder"),
    Row(.keyringOpen, "the keyring is open"),
    Row(.keyringIsFile, "accounts are kept in the application's own encrypted file"),
    Row(
      .keyringLocked, "the keyring is locked: saving or reading an account asks for its password",
      hint: "unlock it; --store file:PATH keeps accounts in a folder"),
    Row(
      .keyringAbsent, "the service has no keyring yet: the first account that is saved makes one",
      hint: "save one without --silent; --store file:PATH keeps accounts in a folder"),
    Row(
      .keyringMissing, "no keyring is on the session bus",
      hint: "start one, such as gnome-keyring-daemon; --store file:PATH keeps accounts in a folder"),
    Row(.noEncryption, "GLib cannot encrypt connections", hint: "install glib-networking"),
    Row(
      .noAuthorities, "this machine trusts no certificate authority",
      hint: "install ca-certificates; --trust HOST=CERT.pem trusts one certificate"),
    Row(.authorities(140), "140 certificate authorities are trusted"),
    Row(.proxies([]), "the environment names none"),
    Row(.proxies(["http_proxy", "no_proxy"]), "the environment says http_proxy no_proxy"),
    Row(
      .shared("/etc"), "/etc is shared with other users",
      hint: "use a folder of your own, made with mkdir -m 700"),
    Row(
      .noProxy(variable: "https_proxy"), "https_proxy is not the address of a proxy",
      hint: "such as http://proxy.example:3128"),
    Row(.unusedProxy(variable: "all_proxy"), "all_proxy is not used", hint: "set https_proxy"),
    Row(.loopback, "a browser can bring an answer to this machine"),
    Row(
      .noDesktop, "there is no desktop that could open one",
      hint: "set BROWSER or give --browser; at a terminal the address is printed all the same"),
    Row(.noBrowser, "no program is set for web pages", hint: "set one: xdg-settings set default-web-browser"),
    Row(.browser("Firefox"), "Firefox opens web pages"),
    Row(.noBrowserProgram("firefox"), "there is no program firefox", hint: "see BROWSER and --browser"),
    Row(.noTerminal, "there is none to paste an answer into"),
    Row(.terminal, "an answer can be pasted"),
    Row(.unset(variable: "HOME"), "HOME is not set"),
    Row(.notWritable("/a"), "/a cannot be written"),
    Row(.otherOwner("/a"), "/a belongs to another user"),
    Row(.open("/a", mode: "700"), "/a is open to other users", hint: "chmod 700 /a"),
    Row(.folder("/a", isThere: true), "/a is this user's own"),
    Row(.folder("/a", isThere: false), "/a can be made"),
    Row(
      .noDisplay, "neither DISPLAY nor WAYLAND_DISPLAY is set",
      hint: "a window and a desktop's browser need one; in tests there is --headless-test"),
    Row(.display(":0"), ":0 is there"),
    Row(
      .displayClosed(":0"), "the display :0 cannot be opened",
      hint: "run it as the user of the desktop, or see DISPLAY, WAYLAND_DISPLAY and XAUTHORITY"),
    Row(.engine("WebKitGTK 2.50.6"), "WebKitGTK 2.50.6 starts"),
    Row(.sandbox, "WebKit's sandbox works"),
    Row(.sandboxUnknown, "only the window's program can tell"),
    Row(.nothingShown(remembered: nil), "no page was shown, so nothing is known about it"),
    Row(
      .nothingShown(remembered: .software),
      "no page was shown, so nothing is known about it; software is remembered from a login"),
    Row(
      .painting(true, .standard, hidden: false, remembered: nil),
      "pages can be seen with --rendering standard"),
    Row(
      .painting(false, .standard, hidden: false, remembered: .software),
      "pages stay blank with --rendering standard; software is remembered from a login",
      hint: "a login finds out by itself what works, and remembers it"),
    Row(
      .painting(nil, .standard, hidden: true, remembered: nil),
      "pages load; a hidden window does not tell more"),
    Row(
      .painting(nil, .standard, hidden: false, remembered: nil),
      "pages load; something keeps the window from being seen"),
  ]

  /// Findings in which every text is what somebody outside wants to be shown.
  static func findings(saying text: String) -> [Finding] {
    let results: [Finding.Result] = [
      .failure(.network(.unknownHost(text))), .proxies([text]), .noProxy(variable: text),
      .unusedProxy(variable: text), .browser(text),
      .noBrowserProgram(text),
      .unset(variable: text), .notWritable(text), .otherOwner(text), .shared(text), .open(text, mode: text),
      .folder(text, isThere: true), .display(text), .displayClosed(text), .engine(text),
      .helpers([text], missing: [text]),
    ]
    return results.map { Finding("thing", .failed, $0) }
  }

  @Test("What was found is said, and what mends it where something does", arguments: rows)
  func words(row: Row) {
    #expect(row.finding.message.source == row.message)
    #expect(row.finding.hint?.source == row.hint)
  }

  @Test("What came from outside cannot write on a terminal, and ends")
  func foreignText() {
    for finding in Self.findings(saying: "a\u{1B}[2J\n\u{202E}" + String(repeating: "c", count: 10_000)) {
      let name = Comment(rawValue: FaultCases.present(in: finding).sorted().joined(separator: " "))
      for text in [finding.message, finding.hint].compactMap(\.?.source) {
        #expect(!text.unicodeScalars.contains { $0.isControl || $0.isBidirectionalControl }, name)
        #expect(text.utf8.count < 2_500, name)
      }
    }
  }

  /// One of each state.
  static let states = [
    Finding("tls", .ok, .authorities(140)), Finding("bus", .warning, .noSessionBus),
    Finding("browser", .failed, .noDesktop), Finding("sandbox", .unknown, .sandboxUnknown),
  ]

  @Test("Its object says what was found, and what mends it where something does")
  func json() {
    #expect(
      Self.states.json
        == [
          ["name": "tls", "state": "ok", "message": "140 certificate authorities are trusted"],
          ["name": "bus", "state": "warning", "message": "there is no session bus"],
          [
            "name": "browser", "state": "failed", "message": "there is no desktop that could open one",
            "hint": "set BROWSER or give --browser; at a terminal the address is printed all the same",
          ], ["name": "sandbox", "state": "unknown", "message": "only the window's program can tell"],
        ])
  }

  @Test("A machine on which no login can work is an error with all that was found")
  func unfit() {
    let findings = [Finding("tls", .failed, .noEncryption)]
    #expect(Report(.run(.unfit(.noProvider, findings))).json["checks"] == findings.json)
    #expect(Report(.way(.noDisplay)).json["checks"] == nil)
  }
}
