import CWebKitGTK
import Glibc
import Platform

/// This process and everything that WebKit has started for it.
enum ProcessGroup {
  /// Makes this process the leader of its own group, so that ``end()`` ends no other program.
  static func lead() {
    if getpgrp() != getpid() { setpgid(0, 0) }
  }

  /// Makes SIGQUIT end the group at once. Swift would print a backtrace, and keep the window open meanwhile.
  static func endOnQuit() {
    signal(SIGQUIT) { _ in
      kill(0, SIGKILL)
      _exit(1)
    }
  }

  /// Ends all processes of the group at once. A page in an endless loop would keep its process for ten
  /// seconds more.
  static func end() -> Never {
    EngineLeftovers.remove(of: getpid())
    kill(0, SIGKILL)
    _exit(1)  // the signal is on its way
  }
}

/// The processes of WebKit that this one has started, directly or through bubblewrap.
enum EngineProcesses {
  /// Returns the descendants of this process whose name starts with `name`.
  static func named(_ name: String) -> [pid_t] {
    var found: [pid_t] = []
    var open = [getpid()]
    while let process = open.popLast() {
      for child in children(of: process) {
        let command = KernelFile.text("/proc/\(child)/comm") ?? ""
        if command.hasPrefix(name) { found.append(child) }
        // WebKit's processes start no others, and have many threads to search.
        if !command.hasPrefix("WebKit") { open.append(child) }
      }
    }
    return found
  }

  /// True if the process has a file in this folder open.
  static func holds(fileIn folder: String, _ process: pid_t) -> Bool {
    // The names of open files have their symbolic links resolved.
    guard let name = realpath(folder, nil) else { return false }
    defer { free(name) }
    let beginning = String(cString: name) + "/"
    return paths(in: "/proc/\(process)/fd").contains {
      KernelFile.target(ofLink: $0)?.hasPrefix(beginning) == true
    }
  }

  /// Linux lists the children by the thread that started them.
  private static func children(of process: pid_t) -> [pid_t] {
    paths(in: "/proc/\(process)/task").flatMap { thread in
      (KernelFile.text("\(thread)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  private static func paths(in folder: String) -> [String] {
    guard let directory = g_dir_open(folder, 0, nil) else { return [] }
    defer { g_dir_close(directory) }
    var paths: [String] = []
    while let name = g_dir_read_name(directory) { paths.append("\(folder)/\(String(cString: name))") }
    return paths
  }
}
