import Glibc

/// What the web engine keeps in the user's runtime folder while it runs, and leaves there when it is ended as a whole.
package enum EngineLeftovers {
  /// Removes what a window has left that has ended, and sockets behind which nobody is any more.
  package static func remove(of window: pid_t) {
    guard let folder = runtimeFolder else { return }
    let instances = folder + "/.flatpak"
    for name in names(in: instances) where name.hasPrefix("webkit-\(window)-") {
      unlink("\(instances)/\(name)/bwrapinfo.json")
      rmdir("\(instances)/\(name)")
    }
    let sockets = folder + "/webkitgtk"
    for name in names(in: sockets) where name.contains("-proxy-") && isForsaken("\(sockets)/\(name)") {
      unlink("\(sockets)/\(name)")
    }
  }

  /// Where GLib puts such files.
  private static var runtimeFolder: String? {
    let variable = { (name: String) in
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    return variable("XDG_RUNTIME_DIR") ?? variable("XDG_CACHE_HOME")
      ?? variable("HOME").map { $0 + "/.cache" }
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  /// Whether it is a socket that nobody listens at, and not one that somebody is about to.
  private static func isForsaken(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
      time(nil) - status.st_ctim.tv_sec > 1
    else {
      return false
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0 else { return false }
    defer { close(connection) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    } == -1 && errno == ECONNREFUSED
  }
}
