import LoginCore
import LoginWays

/// One thing that logins need of a machine, and how it is.
package struct Finding: Sendable, Equatable {
  /// How it is.
  package enum State: String, Sendable {
    /// It works.
    case ok
    /// Logins work, but not as well as they could.
    case warning
    /// What needs it does not work.
    case failed
    /// It could not be looked at.
    case unknown
  }

  /// What was looked at, in one word.
  package let name: String
  package let state: State
  /// What was found.
  package let result: Result

  /// What was found of `name`.
  package init(_ name: String, _ state: State, _ result: Result) {
    (self.name, self.state, self.result) = (name, state, result)
  }

  /// What can be found.
  package enum Result: Sendable, Equatable {
    case failure(Failure)
    /// A failure for which something else helps than usual.
    case windowUnusable(Failure), loopbackUnusable(Failure), keyringUnusable(Failure)
    case silent
    case noSessionBus, portal, noPortal
    case keyringWithoutBus, keyringOpen, keyringIsFile, keyringLocked, keyringAbsent, keyringMissing
    case noEncryption, noAuthorities, authorities(Int)
    case proxies([String])
    /// A variable that is set to something else.
    case noProxy(variable: String)
    /// One that is set, and that nothing looks at.
    case unusedProxy(variable: String)
    case loopback
    case noDesktop, noBrowser, browser(String), noBrowserProgram(String)
    case noTerminal, terminal
    case unset(variable: String), notWritable(String), otherOwner(String), shared(String), open(
      String, mode: String)
    case folder(String, isThere: Bool)
    case noDisplay, display(String), displayClosed(String)
    /// The programs that find their helper, and those that do not.
    case helpers([String], missing: [String])
    case engine(String), sandbox, sandboxUnknown
    case nothingShown(remembered: Rendering?)
    /// Whether a page was painted; nothing if that could not be seen.
    case painting(Bool?, Rendering, hidden: Bool, remembered: Rendering?)
  }

  package var json: JSONObject {
    [
      "name": .string(name), "state": .string(state.rawValue),
      "message": .string(Report.shown(message.source)),
      "hint": hint.map { .string(Report.shown($0.source)) },
    ]
  }
}

extension [Finding] {
  /// All of them, in their order.
  package var json: JSONValue { .array(map { .object($0.json) }) }
}

extension Finding {
  /// What was found, for a person.
  package var message: Sentence { saying.words }
  /// What mends it.
  package var hint: Sentence? { saying.hint }

  private var saying: Saying {
    let elsewhere = StoreObstacle.elsewhere
    return switch result {
    case .failure(let failure): Saying(Report(failure).message, hint: Report(failure).hint)
    case .windowUnusable(let failure):
      Saying(Report(failure).message, hint: "install tokentry-window, with GTK 3 and WebKitGTK 4.1")
    case .loopbackUnusable(let failure):
      Saying(Report(failure).message, hint: "bring up the interface lo: `ip link set lo up`")
    case .keyringUnusable(let failure): Saying(Report(failure).message, hint: elsewhere)
    case .silent: Saying("it does not answer", hint: "find out what keeps it from answering")
    case .noSessionBus: "there is no session bus"
    case .portal: "the desktop's portal is on the session bus"
    case .noPortal: "there is none: the desktop's own program for web pages is used"
    case .keyringWithoutBus: Saying("there is no session bus, and no keyring without it", hint: elsewhere)
    case .keyringOpen: "the keyring is open"
    case .keyringIsFile: "accounts are kept in the application's own encrypted file"
    case .keyringLocked:
      Saying(
        "the keyring is locked: saving or reading an account asks for its password",
        hint: "unlock it; \(elsewhere)")
    case .keyringAbsent:
      Saying(
        "the service has no keyring yet: the first account that is saved makes one",
        hint: "save one without --silent; \(elsewhere)")
    case .keyringMissing:
      Saying(
        "no keyring is on the session bus", hint: "start one, such as gnome-keyring-daemon; \(elsewhere)")
    case .noEncryption: Saying("GLib cannot encrypt connections", hint: "install glib-networking")
    case .noAuthorities:
      Saying(
        "this machine trusts no certificate authority",
        hint: "install ca-certificates; --trust HOST=CERT.pem trusts one certificate")
    case .authorities(let count):
      Saying(
        Sentence(
          count, one: "\(count) certificate authority is trusted",
          other: "\(count) certificate authorities are trusted"))
    case .proxies([]): "the environment names none"
    case .proxies(let list): "the environment says \(list.joined(separator: " "))"
    case .noProxy(let variable):
      Saying("\(variable) is not the address of a proxy", hint: "such as http://proxy.example:3128")
    case .unusedProxy(let variable):
      Saying("\(variable) is not used", hint: "set https_proxy")
    case .loopback: "a browser can bring an answer to this machine"
    case .noDesktop:
      Saying(
        "there is no desktop that could open one",
        hint: "set BROWSER or give --browser; at a terminal the address is printed all the same")
    case .noBrowser:
      Saying("no program is set for web pages", hint: "set one: xdg-settings set default-web-browser")
    case .browser(let name): "\(name.forDisplay(limit: 100)) opens web pages"
    case .noBrowserProgram(let name):
      Saying("there is no program \(name.forDisplay(limit: 100))", hint: "see BROWSER and --browser")
    case .noTerminal: "there is none to paste an answer into"
    case .terminal: "an answer can be pasted"
    case .unset(let variable): "\(variable) is not set"
    case .notWritable(let path): "\(path.forDisplay(limit: 200)) cannot be written"
    case .otherOwner(let path): "\(path.forDisplay(limit: 200)) belongs to another user"
    case .shared(let path):
      Saying("\(path.forDisplay(limit: 200)) is shared with other users", hint: FileFault.ownFolder)
    case .open(let path, let mode):
      Saying(
        "\(path.forDisplay(limit: 200)) is open to other users",
        hint: "chmod \(mode) \(path.forDisplay(limit: 200))")
    case .folder(let path, let isThere):
      isThere
        ? "\(path.forDisplay(limit: 200)) is this user's own" : "\(path.forDisplay(limit: 200)) can be made"
    case .noDisplay:
      Saying(
        "neither DISPLAY nor WAYLAND_DISPLAY is set",
        hint: "a window and a desktop's browser need one; in tests there is --headless-test")
    case .display(let name): "\(name.forDisplay(limit: 60)) is there"
    case .displayClosed(let name):
      Saying(
        "the display \(name.forDisplay(limit: 60)) cannot be opened",
        hint: "run it as the user of the desktop, or see DISPLAY, WAYLAND_DISPLAY and XAUTHORITY")
    case .helpers(let found, let missing):
      Saying(
        found.isEmpty
          ? "found as no program's helper" : "found as the helper of \(found.verbatim.list)",
        hint: missing.isEmpty
          ? nil : "`tokentry helper` says how to set up \(missing.verbatim.list)")
    case .engine(let name): "\(name.forDisplay(limit: 60)) starts"
    case .sandbox: "WebKit's sandbox works"
    case .sandboxUnknown: "only the window's program can tell"
    case .nothingShown(let remembered):
      Saying(Self.with(remembered, "no page was shown, so nothing is known about it"))
    case .painting(true?, let rendering, _, let remembered):
      Saying(Self.with(remembered, "pages can be seen with --rendering \(rendering.rawValue)"))
    case .painting(false?, let rendering, _, let remembered):
      Saying(
        Self.with(remembered, "pages stay blank with --rendering \(rendering.rawValue)"),
        hint: "a login finds out by itself what works, and remembers it")
    case .painting(nil, _, true, let remembered):
      Saying(Self.with(remembered, "pages load; a hidden window does not tell more"))
    case .painting(nil, _, false, let remembered):
      Saying(Self.with(remembered, "pages load; something keeps the window from being seen"))
    }
  }

  private static func with(_ remembered: Rendering?, _ words: Sentence) -> Sentence {
    remembered.map { "\(words); \($0.rawValue) is remembered from a login" } ?? words
  }
}
