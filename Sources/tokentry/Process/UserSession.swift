import Desktop
import Glibc
import LoginCore
import Wording

/// The user's session, where a caller has cleared the environment (Codex leaves its helpers HOME, PATH, USER and the
/// languages): what is missing is looked for where systemd puts it. Nothing that is set is changed.
struct UserSession {
  /// The folder of the session's sockets.
  let folder: String

  /// Whether the environment says whose it is and nothing of a session, neither of one here nor of one over a network.
  static let isLost: Bool = {
    let environment = Environment()
    let session = [
      "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION",
    ]
    guard session.allSatisfy({ environment[$0] == nil }), let home = environment["HOME"],
      let user = getpwuid(getuid())
    else { return false }
    // With another home it is another user's, or nobody's.
    return home == String(cString: user.pointee.pw_dir)
  }()

  /// What the caller would have to pass, since it was not found, one of each; nothing if the environment was left alone.
  static var missing: [[String]] {
    guard isLost else { return [] }
    let environment = Environment()
    return [
      environment["DBUS_SESSION_BUS_ADDRESS"] == nil ? ["DBUS_SESSION_BUS_ADDRESS"] : nil,
      environment.hasDisplay ? nil : ["DISPLAY", "WAYLAND_DISPLAY"],
    ].compactMap(\.self)
  }

  /// What belongs to the session and is asked of its manager.
  private static let names = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP"]

  /// Finds what was lost; before other threads look at the environment.
  static func restore() {
    guard isLost else { return }
    let session = UserSession(folder: "/run/user/\(getuid())")
    set(session.sockets)
    if let known = SessionManager.environment {
      set(known.filter { names.contains($0.key) })
    } else {
      // Nobody is to wait for that bus again, nor to find it beside the other sockets.
      for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { unsetenv(name) }
    }
    if Environment().hasDisplay { return }
    set(session.display)
  }

  private static func set(_ variables: [String: String]) {
    for (name, value) in variables { setenv(name, value, 0) }
  }

  /// The folder itself, and the message bus in it; nothing if it is not this user's alone.
  var sockets: [String: String] {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
      status.st_mode & 0o077 == 0
    else { return [:] }
    let bus = Self.isSocket("\(folder)/bus") ? ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"] : [:]
    return bus.merging(["XDG_RUNTIME_DIR": folder]) { $1 }
  }

  /// The first display of Wayland.
  var display: [String: String] {
    let name = (0..<10).map { "wayland-\($0)" }.first { Self.isSocket("\(folder)/\($0)") }
    return name.map { ["WAYLAND_DISPLAY": $0] } ?? [:]
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == getuid()
  }
}

extension Report {
  /// Whether it is for lack of what belongs to a session.
  var lacksSession: Bool {
    [Verdict.noDisplay, .noUserAgent, .storeUnavailable].contains(verdict)
  }
}
