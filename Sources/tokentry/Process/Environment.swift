import Glibc

/// What this program takes from its environment.
struct Environment {
  /// A variable that is set and not empty.
  subscript(name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
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
