import GLibSupport
import Glibc
import GnuTLSCrypto
import Language
import LoginCore
import Platform
import SecretStore
import SignIn
import SoupNetwork
import WindowProtocol

/// The questions about this machine that decide how logins work on it.
struct Doctor: Sendable {
  let shared: Composition
  let router: Router
  let window: WindowCheck

  var table: [Check] {
    let (runtime, state) = (shared.environment["XDG_RUNTIME_DIR"], shared.environment.stateFolder)
    return [
      Check("window", patience: WindowCheck.patience) { await window.findings() },
      Check("keyring") { await keyring() },
      Check("tls") { encryption },
      Check("proxy") { proxy },
      Check("browser") { browser },
      Check("portal") { await portal() },
      Check("terminal") { terminal },
      Check("loopback") { loopback },
      Check("runtime_folder") { folder(runtime, unset: "XDG_RUNTIME_DIR", forbidding: 0o077) },
      Check("state_folder") { folder(state, unset: "HOME", forbidding: 0) },
      Check("agent") { await agent() },
      Check("helpers") { helpers },
    ]
  }
}

/// The desktop.
@GLibActor
extension Doctor {
  /// The keyring is the default store of accounts.
  private func keyring() async -> Answer {
    if shared.agent != nil { return Answer(.ok, "the agent keeps the accounts") }
    if case .folder? = shared.namedStore {
      return Answer(.ok, "TOKENTRY_STORE names the folder for accounts")
    }
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return Answer(.warning, "there is no session bus, which the keyring needs", hint: .keepInFolder)
    }
    do throws(Failure) {
      return switch try await KeyringStore.condition() {
      case .open: Answer(.ok, "the keyring is open")
      case .file: Answer(.ok, "accounts are saved in the application's own encrypted file")
      case .locked:
        Answer(
          .warning, "the keyring is locked: saving or reading an account asks for its password",
          hint: "unlock it; \(.fileStore)")
      case .absent:
        Answer(.ok, "the keyring is created when you save the first account")
      }
    } catch {
      if await bus.has("org.freedesktop.secrets") {
        return Answer(.warning, error.message, hint: .keepInFolder)
      }
      return Answer(
        .warning, "no keyring service is running",
        hint: "start one, such as gnome-keyring-daemon; \(.fileStore)")
    }
  }

  /// The desktop's portal opens pages even from a container.
  private func portal() async -> Answer {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return Answer(.unknown, "there is no session bus")
    }
    return await bus.has("org.freedesktop.portal.Desktop")
      ? Answer(.ok, "the desktop's portal is running")
      : Answer(.unknown, "no portal; opening the default browser directly")
  }

  /// Looks for a browser by the methods of a login and in their order.
  private var browser: Answer {
    var missing: String?
    for method in router.browsers {
      let found: String?
      switch method {
      case .command(let words) where missing == nil && words[0].parts(at: "/").last == "true":
        return Answer(
          .warning, "BROWSER is \"true\": programs believe that a page was opened, and none was",
          hint: shared.agent == nil ? "unset it, or name a browser" : .openAtAgent)
      case .command(let words):
        found = isProgram(words[0]) ? words.joined(separator: " ") : nil
        if found == nil { missing = missing ?? words[0] }
      case .desktop: found = DesktopBrowser.name
      }
      guard let found else { continue }
      guard let missing else { return Answer(.ok, "\(found, upTo: 100) opens web pages") }
      return Answer(
        .warning, "there is no program \(missing, upTo: 100), so \(found, upTo: 100) opens web pages",
        hint: "see BROWSER and --browser")
    }
    if let missing {
      return Answer(
        .failed, "there is no program \(missing, upTo: 100)", hint: "see BROWSER and --browser")
    }
    if router.browsers.isEmpty, shared.agent != nil {
      return Answer(.failed, "the sign-ins of programs here open no page", hint: .openAtAgent)
    }
    return router.browsers.isEmpty
      ? Answer(
        .failed, "there is no desktop that could open one",
        hint: "set BROWSER or give --browser; at a terminal the address is printed anyway")
      : Answer(
        .failed, "no program is set for web pages",
        hint: "set one: xdg-settings set default-web-browser")
  }

  private var terminal: Answer {
    Terminal() == nil
      ? Answer(.failed, "no terminal to paste an answer into") : Answer(.ok, "you can paste here")
  }

  /// Finds which of the open `ways` a login without options takes. A browser can bring its answer back.
  func login(among ways: [LoginWay]) -> Answer {
    do throws(Failure) {
      let choice = router.choice(WayChoice.Question(redirectURI: try .onThisMachine()))
      guard let first = choice.ways.first else { throw choice.failure ?? .defect() }
      if ways.contains(first) { return Answer(.ok, "\(first.rawValue): \(choice.reason)") }
      guard let way = choice.ways.first(where: ways.contains) ?? ways.first else {
        return Answer(.failed, "no way to the user is open")
      }
      return Answer(.ok, "\(way.rawValue): the \(first.rawValue) cannot be used here")
    } catch {
      return Answer(.failed, error)
    }
  }
}

/// The network, the folders, and other programs.
@GLibActor
extension Doctor {
  private var encryption: Answer {
    guard EncryptionSupport.isThere else {
      return Answer(.failed, "GLib cannot encrypt connections", hint: "install glib-networking")
    }
    if let file = shared.environment["SSL_CERT_FILE"], !file.isEmpty {
      do throws(Failure) { try shared.host.network.apis.checkAuthorities() } catch {
        return Answer(.failed, error)
      }
      return Answer(.ok, "SSL_CERT_FILE names the certificate authorities")
    }
    let count = SystemTrust.authorityCount
    guard count > 0 else {
      return Answer(
        .failed, "this machine trusts no certificate authority",
        hint: "install ca-certificates; --trust HOST=CERT.pem trusts one certificate")
    }
    let trusted = Message(
      count, one: "\(count) certificate authority is trusted",
      other: "\(count) certificate authorities are trusted")
    return Answer(.ok, trusted)
  }

  /// The proxies in the environment. Only a login shows if they work.
  private var proxy: Answer {
    let (names, environment) = (ProxyVariables.names, shared.environment)
    if let unfit = names.first(where: { environment[$0].map { !ProxyVariables.isAddress($0) } ?? false }) {
      return Answer(
        .warning, "\(unfit) is not the address of a proxy", hint: "such as http://proxy.example:3128")
    }
    if !names.contains(where: { environment[$0] != nil }),
      let unused = ProxyVariables.unused.first(where: { environment[$0] != nil })
    {
      return Answer(.warning, "\(unused) is not used", hint: "set https_proxy")
    }
    let set = (names + ["no_proxy", "NO_PROXY"]).compactMap { name in
      environment[name].map { "\(name)=\(Redaction.address($0))" }
    }
    return Answer(.ok, set.isEmpty ? "no proxy set" : "set to \(set.joined(separator: " "))")
  }

  private var loopback: Answer {
    do throws(Failure) {
      _ = try LoopbackListener(for: .onThisMachine(), mayMove: true, cryptography: shared.cryptography)
      return Answer(.ok, "a browser can return an answer to this machine")
    } catch {
      return Answer(.failed, error.message, hint: "bring up the interface lo: `ip link set lo up`")
    }
  }

  /// Locks and sessions are in these folders. Others must not be able to replace them, nor have `forbidden` permissions.
  private func folder(_ folder: String?, unset variable: String, forbidding forbidden: mode_t) -> Answer {
    guard let folder else { return Answer(.warning, "\(variable) is not set") }
    let existing = Self.nearestExisting(folder)
    guard access(existing, W_OK) == 0 else {
      return Answer(.warning, "\(folder, upTo: 200) cannot be written")
    }
    if let fault = OpenFile.fault(ofFolder: existing) { return Answer(.warning, fault) }
    guard existing == folder else { return Answer(.ok, "\(folder, upTo: 200) can be created") }
    do throws(FileError) {
      try OpenFile(reading: folder, O_DIRECTORY).checkOwn(forbidding: forbidden)
      return Answer(.ok, "only you can access \(folder, upTo: 200)")
    } catch {
      return Answer(.warning, error)
    }
  }

  /// Returns the folder, or the folder above it in which it would be created.
  private static func nearestExisting(_ path: String) -> String {
    var path = path
    while access(path, F_OK) != 0 {
      path = path.parentFolder
      if path.isEmpty { return "/" }
    }
    return path
  }

  /// Asks the agent that keeps the accounts, or else the one that may run here for programs elsewhere.
  private func agent() async -> Answer {
    guard let link = shared.agent ?? shared.ownAgent else {
      return Answer(.unknown, "XDG_RUNTIME_DIR is not set")
    }
    if shared.agent == nil, access(link.path, F_OK) != 0 {
      return Answer(.ok, "no agent is running; only programs elsewhere need one")
    }
    do throws(Failure) {
      _ = try await link.answer(to: "accounts", [:])
      return Answer(.ok, "an agent answers at \(link.path, upTo: 200)")
    } catch {
      return Answer(shared.agent == nil ? .warning : .failed, error)
    }
  }

  /// The programs whose settings name this one, and those that would find it if they did. Logins do not need that.
  private var helpers: Answer {
    let found = HelperProtocols.all.filter {
      $0.places(in: shared.environment).contains(where: Self.isThisProgram)
    }
    let setUp = found.filter(isSetUp).map { $0.name }
    let possible = found.map { $0.name }.filter { !setUp.contains($0) }
    let parts: [Message?] = [
      setUp.isEmpty ? nil : "set up in the settings of \(setUp.verbatim.list)",
      possible.isEmpty ? nil : "can be a helper of \(possible.verbatim.list)",
    ]
    let said = parts.compactMap(\.self)
    return Answer(
      .ok, said.isEmpty ? "not set up as a helper" : said.conjunction,
      hint: setUp.count == HelperProtocols.all.count ? nil : "`tokentry helper` says how to set it up")
  }

  /// True if one of the helper's settings names this program.
  private func isSetUp(_ helper: any HelperProtocol.Type) -> Bool {
    guard let home = shared.environment["HOME"] else { return false }
    return helper.settings.contains { name in
      guard let file = try? OpenFile(reading: "\(home)/\(name)"),
        let bytes = try? file.contents(limit: 1 << 20)
      else { return false }
      return String(decoding: bytes, as: UTF8.self).holds("tokentry")
    }
  }

  private static func isThisProgram(_ path: String) -> Bool {
    var (this, other) = (stat(), stat())
    return stat("/proc/self/exe", &this) == 0 && stat(path, &other) == 0 && this.st_ino == other.st_ino
      && this.st_dev == other.st_dev
  }
}

extension Failure.Hint {
  /// Programs that start no browser of `BROWSER` look for xdg-open.
  fileprivate static let openAtAgent: Failure.Hint = """
    to open them where the agent is, make a link to tokentry called xdg-open in a folder of its own, put the folder first in \
    PATH, and set BROWSER to the link
    """
}
