import Glibc
import LoginCore
import Wording

/// What this program takes from its environment.
struct Environment {
  /// A variable that is set and not empty.
  subscript(name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// A variable of ours that is set and not empty.
  func text(_ name: String) throws(Failure) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    guard let text = String(validatingCString: value) else { throw .commandLine(.notUTF8(name)) }
    return text
  }

  /// A folder of the XDG Base Directory Specification, which ignores relative ones.
  func folder(_ name: String, default relative: String) -> String? {
    if let folder = self[name], folder.hasPrefix("/") { return folder }
    return self["HOME"].map { "\($0)/\(relative)" }
  }

  /// The user's folder for what a program remembers and can do without.
  var stateFolder: String? { folder("XDG_STATE_HOME", default: ".local/state") }

  /// A list of folders of the same specification.
  func folders(_ name: String, default folders: [String]) -> [String] {
    guard let list = self[name] else { return folders }
    return list.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  /// The path of the running executable.
  var executable: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}

/// What it says of the user's desktop.
extension Environment {
  /// Whether the user sits at another machine.
  var isRemote: Bool { self["SSH_CONNECTION"] != nil }

  /// This machine as the user's own machine calls it: the third of client, its port, server and its port.
  var thisHost: String {
    let parts = self["SSH_CONNECTION"]?.parts(at: " ") ?? []
    return parts.count == 4 ? parts[2] : "THIS-MACHINE"
  }

  /// The program of the window is beside this one in a build, and in a folder of its own where it is installed.
  var windowPrograms: [String] {
    guard let executable, let slash = executable.lastIndex(of: "/") else { return [] }
    let folder = executable[..<slash]
    return ["\(folder)/tokentry-window", "\(folder)/../libexec/tokentry/tokentry-window"]
  }
}
