import GLibSupport
import Glibc
import LoginCore

/// The program's environment: its variables, the folders and programs that they lead to, and the user's desktop.
package struct Environment: Sendable {
  package init() {}

  /// Returns a variable, or nil if it is not set or empty.
  package subscript(name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Returns a folder of the XDG Base Directory Specification, which says to ignore relative paths.
  package func folder(_ name: String, default relative: String) -> String? {
    if let folder = self[name], folder.hasPrefix("/") { return folder }
    return self["HOME"].map { "\($0)/\(relative)" }
  }

  /// The user's folder for state: losing it does little harm.
  package var stateFolder: String? { folder("XDG_STATE_HOME", default: ".local/state") }

  /// Returns a list of folders of that specification.
  package func folders(_ name: String, default folders: [String]) -> [String] {
    guard let list = self[name] else { return folders }
    return list.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  /// The folders for registering a URL scheme, or nil if `HOME` is not set.
  package var schemeFolders: SchemeRegistration.Folders? {
    guard let data = folder("XDG_DATA_HOME", default: ".local/share"),
      let configuration = folder("XDG_CONFIG_HOME", default: ".config"), let state = stateFolder
    else { return nil }
    return SchemeRegistration.Folders(data: data, configuration: configuration, state: state)
  }

  /// The path of the running executable.
  package var executable: String? { KernelFile.target(ofLink: "/proc/self/exe") }

  /// The paths at which our own programs look for `tokentry-window`: next to themselves in a build, in `libexec` if
  /// installed.
  package var windowPrograms: [String] {
    guard let folder = executable?.parentFolder else { return [] }
    return ["\(folder)/tokentry-window", "\(folder)/../libexec/tokentry/tokentry-window"]
  }

  /// The paths at which any other program looks for `tokentry-window`: the one in the variable `TOKENTRY_WINDOW`, or else
  /// these, and where Tokentry is usually installed.
  package var installedWindowPrograms: [String] {
    if let path = self["TOKENTRY_WINDOW"], !path.isEmpty { return [path] }
    let home = self["HOME"].map { [$0 + "/.local"] } ?? []
    return windowPrograms + (home + ["/usr", "/usr/local"]).map { $0 + "/libexec/tokentry/tokentry-window" }
  }

  /// Returns the path of a program in `PATH`.
  package func program(_ name: String) -> String? {
    (self["PATH"] ?? "").parts(at: ":").lazy.map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }
}

/// The user's desktop.
extension Environment {
  /// True if the user sits at another machine.
  package var isRemote: Bool { self["SSH_CONNECTION"] != nil }

  /// The address at which the user's machine reaches this one. `SSH_CONNECTION` has four parts: client, client port,
  /// server and server port.
  package var thisHost: String {
    let parts = self["SSH_CONNECTION"]?.parts(at: " ") ?? []
    return parts.count == 4 ? parts[2] : "THIS-MACHINE"
  }

  /// True if there is a display for pages, as far as the environment tells. Root must not use the display of another
  /// user: the browser, and the code that it loads, would run with the rights of root.
  package var hasDisplay: Bool { namesDisplay && ownerOfDisplay == nil }

  private var namesDisplay: Bool { self["DISPLAY"] != nil || self["WAYLAND_DISPLAY"] != nil }

  /// The owner of the display, if this program runs as root and the display belongs to another user. If the X server
  /// itself runs as root, the owner of its key counts.
  package var ownerOfDisplay: uid_t? {
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

  /// The command that opens a page in the browser of Windows, if this is WSL: WSL's own tool, or else a program of
  /// Windows.
  package var windowsBrowser: [String]? {
    guard self["WSL_DISTRO_NAME"] != nil || self["WSL_INTEROP"] != nil else { return nil }
    if let viewer = program("wslview") { return [viewer] }
    let system = "/mnt/c/Windows/System32/rundll32.exe"
    let runner = program("rundll32.exe") ?? (access(system, X_OK) == 0 ? system : nil)
    return runner.map { [$0, "url.dll,FileProtocolHandler"] }
  }
}

/// The machine's clock.
package struct SystemClock: WallClock {
  package init() {}

  package func now() -> UTCDate {
    guard let date = UTCDate(secondsSince1970: Int64(time(nil))) else {
      preconditionFailure("the machine's clock is beyond the year 9999")
    }
    return date
  }

  package func wait(seconds: Int64) async throws(Failure) {
    do throws(CancellationError) {
      try await pause(for: .seconds(seconds))
    } catch {
      throw .cancelled
    }
  }
}

extension String {
  /// The folder of the file or folder with this path, without a slash at its end: that of the root's entries is empty, and
  /// that of a bare name is `.`.
  package var parentFolder: String {
    lastIndex(of: "/").map { String(self[..<$0]) } ?? "."
  }
}
