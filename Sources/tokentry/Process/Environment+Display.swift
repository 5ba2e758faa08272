import Glibc
import LoginCore
import LoginWays

/// Whose display there is, and what else can show a page.
extension Environment {
  /// Whether there is a display to show a page on, as far as that can be told without trying. Root shows no pages on
  /// that of somebody else: a browser and what it loads would run with all of root's rights.
  var hasDisplay: Bool { namesDisplay && ownerOfDisplay == nil }

  /// Why nothing can be shown.
  var noDisplay: Failure { ownerOfDisplay.map { foreignDisplay($0) } ?? .way(.noDisplay) }

  /// The same where it is because the display is another user's.
  var foreignDisplay: Failure? { ownerOfDisplay.map { foreignDisplay($0) } }

  private var namesDisplay: Bool { self["DISPLAY"] != nil || self["WAYLAND_DISPLAY"] != nil }

  /// The user whose display it is, if this program runs as root and that is somebody else. An X server may run as root
  /// all the same; then the key to it tells whose it is.
  private var ownerOfDisplay: uid_t? {
    guard geteuid() == 0, namesDisplay else { return nil }
    for case let path? in [waylandSocket, displaySocket, self["XAUTHORITY"]] {
      var status = stat()
      if stat(path, &status) == 0, status.st_uid != 0 { return status.st_uid }
    }
    return nil
  }

  private var waylandSocket: String? {
    guard let name = self["WAYLAND_DISPLAY"] else { return nil }
    return name.hasPrefix("/") ? name : self["XDG_RUNTIME_DIR"].map { "\($0)/\(name)" }
  }

  /// The socket of a display of this machine, such as `:0` or `:0.0`.
  private var displaySocket: String? {
    guard let name = self["DISPLAY"], name.hasPrefix(":") else { return nil }
    return "/tmp/.X11-unix/X" + name.dropFirst().prefix { $0 != "." }
  }

  private func foreignDisplay(_ owner: uid_t) -> Failure {
    let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "#\(owner)"
    let words =
      ["sudo", "-u", name, "XDG_RUNTIME_DIR=/run/user/\(owner)", "tokentry"]
      + CommandLine.arguments.dropFirst()
    return .way(.displayOfOther(user: name, command: words.map(\.quotedIfNeeded).joined(separator: " ")))
  }

  /// What opens a page in the browser of the Windows in which this Linux runs (WSL): its own tool, or Windows' own.
  var windowsBrowser: [String]? {
    guard self["WSL_DISTRO_NAME"] != nil || self["WSL_INTEROP"] != nil else { return nil }
    if let viewer = program("wslview") { return [viewer] }
    let system = "/mnt/c/Windows/System32/rundll32.exe"
    let runner = program("rundll32.exe") ?? (access(system, X_OK) == 0 ? system : nil)
    return runner.map { [$0, "url.dll,FileProtocolHandler"] }
  }

  /// The first program of this name where the user's shell would look for it.
  func program(_ name: String) -> String? {
    (self["PATH"] ?? "").parts(at: ":").lazy.map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }
}

extension String {
  /// The word as a shell takes it.
  fileprivate var quotedIfNeeded: String {
    let isPlain = !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_./:=,@+%#".utf8.contains($0) }
    return isPlain ? self : "'" + replacingAll("'", with: "'\\''") + "'"
  }
}
