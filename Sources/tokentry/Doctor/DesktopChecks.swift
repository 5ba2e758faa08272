import GLibSupport
import LoginCore
import Platform
import SecretStore
import SignIn
import WindowProtocol

/// Checks the keyring, which is the default store of accounts.
struct KeyringCheck: Check {
  let name = "keyring"

  func findings() async -> [Finding] { [await finding()] }

  @GLibActor
  private func finding() async -> Finding {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return Finding(
        name, .warning, "there is no session bus, which the keyring needs", hint: .keepInFolder)
    }
    do throws(Failure) {
      return switch try await KeyringStore.condition() {
      case .open: Finding(name, .ok, "the keyring is open")
      case .file: Finding(name, .ok, "accounts are kept in the application's own encrypted file")
      case .locked:
        Finding(
          name, .warning, "the keyring is locked: saving or reading an account asks for its password",
          hint: "unlock it; \(.fileStore)")
      case .absent:
        Finding(
          name, .warning, "there is no keyring yet; it is created the first time you save an account",
          hint: "save an account without --silent; \(.fileStore)")
      }
    } catch {
      guard await bus.has("org.freedesktop.secrets") else {
        return Finding(
          name, .warning, "no keyring service is running",
          hint: "start one, such as gnome-keyring-daemon; \(.fileStore)")
      }
      return Finding(name, .warning, error.message, hint: .keepInFolder)
    }
  }
}

/// Checks the desktop's portal, which opens pages even from a container.
struct PortalCheck: Check {
  let name = "portal"

  func findings() async -> [Finding] {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return [Finding(name, .unknown, "there is no session bus")]
    }
    return await bus.has("org.freedesktop.portal.Desktop")
      ? [Finding(name, .ok, "the desktop's portal is running")]
      : [Finding(name, .unknown, "no portal; opening the default browser directly")]
  }
}

/// Checks whether a browser can be opened, by the methods of a login and in their order.
struct BrowserCheck: Check {
  let name = "browser"
  let router: Router

  func findings() async -> [Finding] {
    let methods = router.browsers
    var missing: String?
    for method in methods {
      switch method {
      case .command(let words) where isProgram(words[0]):
        return [opens(words.joined(separator: " "), missing)]
      case .command(let words): missing = missing ?? words[0]
      case .desktop: if let browser = DesktopBrowser.name { return [opens(browser, missing)] }
      }
    }
    return [failed(missing, methods)]
  }

  private func opens(_ browser: String, _ missing: String?) -> Finding {
    missing.map {
      Finding(
        name, .warning, "there is no program \($0, upTo: 100), so \(browser, upTo: 100) opens web pages",
        hint: "see BROWSER and --browser")
    } ?? Finding(name, .ok, "\(browser, upTo: 100) opens web pages")
  }

  private func failed(_ missing: String?, _ methods: [BrowserOpener.Method]) -> Finding {
    if let missing {
      return Finding(
        name, .failed, "there is no program \(missing, upTo: 100)", hint: "see BROWSER and --browser")
    }
    return methods.isEmpty
      ? Finding(
        name, .failed, "there is no desktop that could open one",
        hint: "set BROWSER or give --browser; at a terminal the address is printed anyway")
      : Finding(
        name, .failed, "no program is set for web pages",
        hint: "set one: xdg-settings set default-web-browser")
  }
}

/// Tells which way a login takes that has no options for it and whose answer a browser can bring back.
struct LoginCheck: Check {
  let name = "login"
  let router: Router

  func findings() async -> [Finding] {
    do throws(Failure) {
      let choice = router.choice(AgentChoice.Question(redirectURI: try .ofThisMachine()))
      guard let agent = choice.agents.first else { throw choice.failure ?? .defect() }
      return [Finding(name, .ok, "\(agent.rawValue): \(choice.reason)")]
    } catch {
      return [Finding(name, .failed, error)]
    }
  }
}

/// Checks whether an answer can be pasted at a terminal.
struct TerminalCheck: Check {
  let name = "terminal"

  func findings() async -> [Finding] {
    [
      Terminal() == nil
        ? Finding(name, .failed, "no terminal to paste an answer into")
        : Finding(name, .ok, "you can paste here")
    ]
  }
}
