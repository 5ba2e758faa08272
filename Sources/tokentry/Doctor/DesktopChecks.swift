import Desktop
import GLibSupport
import LoginCore
import SecretStore
import UserAgents

/// Checks the keyring, which is the default store of accounts.
struct KeyringCheck: Check {
  let name = "keyring"

  func findings() async -> [Finding] { [await finding()] }

  @GLibActor
  private func finding() async -> Finding {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return Finding(
        name, .warning, "there is no session bus, which the keyring needs", hint: .fileStore)
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
      return Finding(name, .warning, error.message, hint: .fileStore)
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

/// Checks whether a browser can be opened.
struct BrowserCheck: Check {
  let name = "browser"
  /// The command of the caller or the environment.
  let command: String?
  /// True if the user sits at this machine's desktop.
  let isDesktop: Bool

  func findings() async -> [Finding] { [command.map(finding(of:)) ?? desktopFinding] }

  /// A command may be a list with colons between the programs.
  private func finding(of command: String) -> Finding {
    let programs = command.parts(at: ":").compactMap { shellWords($0)?.first }
    return programs.contains(where: isProgram)
      ? Finding(name, .ok, "\(command, upTo: 100) opens web pages")
      : Finding(
        name, .failed, "there is no program \(command, upTo: 100)", hint: "see BROWSER and --browser")
  }

  private var desktopFinding: Finding {
    if !isDesktop {
      return Finding(
        name, .failed, "there is no desktop that could open one",
        hint: "set BROWSER or give --browser; at a terminal the address is printed anyway")
    }
    return DesktopBrowser.name.map { Finding(name, .ok, "\($0, upTo: 100) opens web pages") }
      ?? Finding(
        name, .failed, "no program is set for web pages",
        hint: "set one: xdg-settings set default-web-browser")
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
