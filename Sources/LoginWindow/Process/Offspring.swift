import CWebKitGTK
import Glibc

/// The processes that this one has started, and those that they have.
enum Offspring {
  /// Those whose name begins like this.
  static func named(_ name: String) -> [pid_t] {
    var found: [pid_t] = []
    var open = [getpid()]
    while let process = open.popLast() {
      for child in children(of: process) {
        let command = text("/proc/\(child)/comm")
        if command.hasPrefix(name) { found.append(child) }
        // WebKit's own start nothing, and have many threads to look at.
        if !command.hasPrefix("WebKit") { open.append(child) }
      }
    }
    return found
  }

  /// Each thread has its own.
  private static func children(of process: pid_t) -> [pid_t] {
    let folder = "/proc/\(process)/task"
    guard let threads = g_dir_open(folder, 0, nil) else { return [] }
    defer { g_dir_close(threads) }
    var children: [pid_t] = []
    while let thread = g_dir_read_name(threads) {
      let list = text("\(folder)/\(String(cString: thread))/children")
      children += list.split(separator: " ").compactMap { pid_t($0) }
    }
    return children
  }

  private static func text(_ path: String) -> String {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
  }
}
