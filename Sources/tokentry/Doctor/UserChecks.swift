import Desktop
import Glibc
import LoginCore
import PrivateFiles
import UserAgents
import Wording

/// Looks for a browser that can be opened.
struct BrowserCheck: Check {
  let name = "browser"
  /// What the caller or the environment says.
  let command: String?
  /// Whether the user sits at this machine's desktop.
  let isDesktop: Bool

  func findings() async -> [Finding] {
    if let command { return [finding(of: command)] }
    guard isDesktop else { return [Finding(name, .failed, .noDesktop)] }
    guard let program = DesktopBrowser.name else { return [Finding(name, .failed, .noBrowser)] }
    return [Finding(name, .ok, .browser(program))]
  }

  private func finding(of command: String) -> Finding {
    let programs = command.parts(at: ":").compactMap { shellWords($0)?.first }
    let isThere = programs.contains(where: isProgram)
    return isThere
      ? Finding(name, .ok, .browser(command)) : Finding(name, .failed, .noBrowserProgram(command))
  }
}

/// Looks for a terminal at which an answer can be pasted.
struct TerminalCheck: Check {
  let name = "terminal"

  func findings() async -> [Finding] {
    [Terminal() == nil ? Finding(name, .failed, .noTerminal) : Finding(name, .ok, .terminal)]
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
    guard let folder else { return Finding(name, .warning, .unset(variable: variable)) }
    var status = stat()
    guard let existing = Self.nearestExisting(folder), stat(existing, &status) == 0,
      access(existing, W_OK) == 0
    else { return Finding(name, .warning, .notWritable(folder)) }
    if existing == folder {
      guard status.st_uid == geteuid() else { return Finding(name, .warning, .otherOwner(folder)) }
      guard status.st_mode & mode == 0 else {
        guard OpenFile.isUsersOwn(status, folder) else { return Finding(name, .warning, .shared(folder)) }
        return Finding(name, .warning, .open(folder, mode: mode == 0o077 ? "700" : "go-w"))
      }
    }
    return Finding(name, .ok, .folder(folder, isThere: existing == folder))
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
