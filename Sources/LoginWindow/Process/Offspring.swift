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

  /// Whether a process has a file of this folder open.
  static func holds(fileIn folder: String, _ process: pid_t) -> Bool {
    // What is open has the name that it has without any link.
    guard let name = realpath(folder, nil) else { return false }
    defer { free(name) }
    let beginning = String(cString: name) + "/"
    return paths(in: "/proc/\(process)/fd").contains {
      guard let target = g_file_read_link($0, nil) else { return false }
      defer { g_free(target) }
      return String(cString: target).hasPrefix(beginning)
    }
  }

  /// Each thread has its own.
  private static func children(of process: pid_t) -> [pid_t] {
    paths(in: "/proc/\(process)/task").flatMap { thread in
      text("\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// The paths of what is in a folder.
  private static func paths(in folder: String) -> [String] {
    guard let directory = g_dir_open(folder, 0, nil) else { return [] }
    defer { g_dir_close(directory) }
    var paths: [String] = []
    while let name = g_dir_read_name(directory) { paths.append("\(folder)/\(String(cString: name))") }
    return paths
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
