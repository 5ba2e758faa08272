import Glibc
import LoginCore

/// Finds the user's session if the caller has cleared the environment. Codex, for example, leaves its helpers only HOME,
/// PATH, USER and the languages. Missing variables are set to the paths that systemd uses; others stay as they are.
package struct UserSession {
  /// The folder of the session's sockets.
  let folder: String

  package init(folder: String) { self.folder = folder }

  /// True if the environment belongs to this user and names no session, neither on this machine nor over SSH.
  package static let isLost: Bool = {
    let environment = Environment()
    let session = [
      "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION",
    ]
    guard session.allSatisfy({ environment[$0] == nil }), let home = environment["HOME"],
      let user = getpwuid(getuid())
    else { return false }
    // Another home may mean another user, or a service.
    return home == String(cString: user.pointee.pw_dir)
  }()

  /// The variables that the caller would have to pass, because they were not found: one of each inner list. Empty if the
  /// environment was not cleared.
  package static var missing: [[String]] {
    guard isLost else { return [] }
    let environment = Environment()
    return [
      environment["DBUS_SESSION_BUS_ADDRESS"] == nil ? ["DBUS_SESSION_BUS_ADDRESS"] : nil,
      environment.hasDisplay ? nil : ["DISPLAY", "WAYLAND_DISPLAY"],
    ].compactMap(\.self)
  }

  /// The variables that are taken from the session's manager.
  private static let names = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP"]

  /// Restores the variables. Call this before there is another thread, since it changes the environment.
  package static func restore() {
    guard isLost else { return }
    let session = UserSession(folder: "/run/user/\(getuid())")
    set(session.sockets)
    if let known = SessionManager.environment {
      set(known.filter { names.contains($0.key) })
    } else {
      // The bus does not answer, so later code must not wait for it, or find it next to the other sockets.
      for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { unsetenv(name) }
    }
    if Environment().hasDisplay { return }
    set(session.display)
  }

  package static func set(_ variables: [String: String]) {
    for (name, value) in variables { setenv(name, value, 0) }
  }

  /// The folder and its message bus. Empty if other users can look into the folder.
  package var sockets: [String: String] {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
      status.st_mode & 0o077 == 0
    else { return [:] }
    let bus = Self.isSocket("\(folder)/bus") ? ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"] : [:]
    return bus.merging(["XDG_RUNTIME_DIR": folder]) { $1 }
  }

  /// The first Wayland display.
  var display: [String: String] {
    let name = (0..<10).map { "wayland-\($0)" }.first { Self.isSocket("\(folder)/\($0)") }
    return name.map { ["WAYLAND_DISPLAY": $0] } ?? [:]
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == getuid()
  }
}
