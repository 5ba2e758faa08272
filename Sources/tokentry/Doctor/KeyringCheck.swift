import Desktop
import GLibSupport
import LoginCore
import SecretStore
import Wording

/// Looks for the keyring, in which accounts are kept by default.
struct KeyringCheck: Check {
  let name = "keyring"

  func findings() async -> [Finding] { [await finding()] }

  @GLibActor
  private func finding() async -> Finding {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return Finding(name, .warning, .keyringWithoutBus)
    }
    do throws(Failure) {
      return switch try await KeyringStore.condition() {
      case .open: Finding(name, .ok, .keyringOpen)
      case .file: Finding(name, .ok, .keyringIsFile)
      case .locked: Finding(name, .warning, .keyringLocked)
      case .absent: Finding(name, .warning, .keyringAbsent)
      }
    } catch {
      let isThere = await bus.has("org.freedesktop.secrets")
      return Finding(name, .warning, isThere ? .keyringUnusable(error) : .keyringMissing)
    }
  }
}

/// Looks for the desktop's portal, which opens pages even from within a container.
struct PortalCheck: Check {
  let name = "portal"

  func findings() async -> [Finding] {
    guard SessionBus.isKnown, let bus = try? await SessionBus() else {
      return [Finding(name, .unknown, .noSessionBus)]
    }
    let isThere = await bus.has("org.freedesktop.portal.Desktop")
    return [isThere ? Finding(name, .ok, .portal) : Finding(name, .unknown, .noPortal)]
  }
}
