import Glibc
import LoginCore

/// Files that the web engine keeps in the user's runtime folder and in the temporary folder while it runs. If its process
/// group is killed, it leaves them behind.
package enum EngineLeftovers {
  /// Removes the files of a window that has ended or is about to, and sockets without a listener.
  package static func remove(of window: pid_t) {
    for folder in Set([getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp", "/tmp"]) {
      for name in names(in: folder) where name.hasPrefix(folderPrefix(of: window)) {
        removeOwn("\(folder)/\(name)")
      }
    }
    guard let folder = runtimeFolder else { return }
    let instances = folder + "/.flatpak"
    for name in names(in: instances) where name.hasPrefix("webkit-\(window)-") {
      unlink("\(instances)/\(name)/bwrapinfo.json")
      rmdir("\(instances)/\(name)")
    }
    let sockets = folder + "/webkitgtk"
    for name in names(in: sockets)
    where name.parts(at: "-").contains("proxy") && isForsaken("\(sockets)/\(name)", by: window) {
      unlink("\(sockets)/\(name)")
    }
  }

  /// The start of the name of the folder in which a window has its content rules compiled; a random part follows.
  package static func folderPrefix(of window: pid_t) -> String { "tokentry-\(window)-" }

  /// Removes a folder if this user owns it and it is not a link: in /tmp, any user can make one with this name.
  private static func removeOwn(_ folder: String) {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      return
    }
    for name in names(in: folder) where name != "." && name != ".." {
      // Only a folder cannot be unlinked.
      let path = "\(folder)/\(name)"
      if unlink(path) != 0 { removeOwn(path) }
    }
    rmdir(folder)
  }

  /// GLib's runtime folder.
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

  /// True if a process has bound a socket to this path, even if it does not listen yet.
  private static func isBound(_ path: String) -> Bool {
    let table = open("/proc/net/unix", O_RDONLY | O_CLOEXEC)
    guard table >= 0 else { return true }
    defer { close(table) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = read(table, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    // The path is the last field.
    return bytes.split(separator: 0x0A).contains { $0.reversed().starts(with: " \(path)".utf8.reversed()) }
  }

  /// True if a process of the window listens at this socket, or no process does or is about to.
  private static func isForsaken(_ path: String, by window: pid_t) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0 else { return false }
    defer { close(connection) }
    let isConnected =
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      } == 0
    if !isConnected { return errno == ECONNREFUSED && !isBound(path) }
    // Process, user and group: struct ucred, which glibc declares for GNU sources only.
    var peer: [Int32] = [0, 0, 0]
    var length = socklen_t(MemoryLayout<Int32>.size * peer.count)
    // A process in a namespace that is not visible from here has no number.
    guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0, peer[0] > 0 else {
      return false
    }
    let group = getpgid(peer[0])
    return group == window || group < 0 && errno == ESRCH
  }
}
