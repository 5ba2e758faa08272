import Desktop
import Glibc
import LoginCore
import UserAgents

/// Looks for a browser that can be opened.
struct BrowserCheck: Check {
  let name = "browser"
  /// What the caller or the environment says.
  let command: String?
  /// Whether the user sits at this machine's desktop.
  let isDesktop: Bool

  func findings() async -> [Finding] {
    if let command { return [finding(of: command)] }
    guard isDesktop else {
      return [
        Finding(
          name, .failed, "there is no desktop that could open one",
          hint: "set BROWSER or give --browser; at a terminal the address is printed all the same")
      ]
    }
    guard let program = DesktopBrowser.name else {
      return [
        Finding(
          name, .failed, "no program is set for web pages",
          hint: "set one: xdg-settings set default-web-browser")
      ]
    }
    return [Finding(name, .ok, "\(program.forDisplay(limit: 60)) opens web pages")]
  }

  private func finding(of command: String) -> Finding {
    let shown = command.forDisplay(limit: 100)
    let programs = command.parts(at: ":").compactMap { shellWords($0)?.first }
    if programs.contains(where: isProgram) { return Finding(name, .ok, "\(shown) opens web pages") }
    return Finding(name, .failed, "there is no program \(shown)", hint: "see BROWSER and --browser")
  }
}

/// Looks for a terminal at which an answer can be pasted.
struct TerminalCheck: Check {
  let name = "terminal"

  func findings() async -> [Finding] {
    if Terminal() == nil { return [Finding(name, .failed, "there is none to paste an answer into")] }
    return [Finding(name, .ok, "an answer can be pasted")]
  }
}

/// Looks at the folders in which locks and sessions are kept: whether there can be files in them, of this user alone.
struct FolderCheck: Check {
  let name = "folders"
  let environment: Environment

  func findings() async -> [Finding] {
    [
      finding("runtime_folder", environment["XDG_RUNTIME_DIR"], forbidding: 0o077, unset: "XDG_RUNTIME_DIR"),
      finding("state_folder", environment.stateFolder, forbidding: 0o022, unset: "HOME"),
    ]
  }

  private func finding(
    _ name: String, _ folder: String?, forbidding mode: mode_t, unset variable: String
  ) -> Finding {
    func warning(_ message: String, hint: String? = nil) -> Finding {
      Finding(name, .warning, message, hint: hint)
    }
    guard let folder else { return warning("\(variable) is not set") }
    let shown = folder.forDisplay(limit: 200)
    var status = stat()
    guard let existing = Self.nearestExisting(folder), stat(existing, &status) == 0,
      access(existing, W_OK) == 0
    else { return warning("\(shown) cannot be written") }
    if existing == folder {
      guard status.st_uid == geteuid() else { return warning("\(shown) belongs to another user") }
      guard status.st_mode & mode == 0 else {
        let repair = mode == 0o077 ? "700" : "go-w"
        return warning("\(shown) is open to other users", hint: "chmod \(repair) \(shown)")
      }
    }
    return Finding(name, .ok, "\(shown) \(existing == folder ? "is this user's own" : "can be made")")
  }

  /// The folder, or the one above it in which it would be made.
  private static func nearestExisting(_ path: String) -> String? {
    var path = path
    while access(path, F_OK) != 0 {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
      path = String(path[..<slash])
    }
    return path
  }
}
