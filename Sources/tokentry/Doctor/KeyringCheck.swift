import Desktop
import GLibSupport
import LoginCore
import SecretStore

/// Looks for the keyring, in which accounts are kept by default.
struct KeyringCheck: Check {
  let name = "keyring"

  func findings() async -> [Finding] { [await finding()] }

  @GLibActor
  private func finding() async -> Finding {
    let elsewhere = "--store file:PATH keeps accounts in a folder"
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return Finding(name, .warning, "there is no session bus, and no keyring without it", hint: elsewhere)
    }
    do throws(Failure) {
      switch try await KeyringStore.condition() {
      case .open: return Finding(name, .ok, "the keyring is open")
      case .file:
        return Finding(name, .ok, "accounts are kept in the application's own encrypted file")
      case .locked:
        return Finding(
          name, .warning, "the keyring is locked: saving or reading an account asks for its password",
          hint: "unlock it; \(elsewhere)")
      case .absent:
        return Finding(
          name, .warning, "the service has no keyring yet: the first account that is saved makes one",
          hint: "save one without --silent; \(elsewhere)")
      }
    } catch {
      if await bus.has("org.freedesktop.secrets") {
        return Finding(name, .warning, error.message, hint: elsewhere)
      }
      return Finding(
        name, .warning, "no keyring is on the session bus",
        hint: "start one, such as gnome-keyring-daemon; \(elsewhere)")
    }
  }
}

/// Looks for the desktop's portal, which opens pages even from within a container.
struct PortalCheck: Check {
  let name = "portal"

  func findings() async -> [Finding] {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return [Finding(name, .unknown, "there is no session bus")]
    }
    if await bus.has("org.freedesktop.portal.Desktop") {
      return [Finding(name, .ok, "the desktop's portal is on the session bus")]
    }
    return [Finding(name, .unknown, "there is none: the desktop's own program for web pages is used")]
  }
}
