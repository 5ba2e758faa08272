import GLibSupport
import Glibc
import LoginCore

/// Files that the web engine keeps in the user's runtime folder and in the temporary folder while it runs. If its process
/// group is killed, it leaves them behind.
package enum EngineLeftovers {
  /// Removes the files of a window that has ended or is about to, and sockets without a listener.
  package static func remove(of window: pid_t) {
    let environment = Environment()
    for folder in Set([environment["TMPDIR"] ?? "/tmp", "/tmp"]) {
      removeFolders(in: folder, beginningWith: folderPrefix(of: window))
    }
    // GLib's runtime folder.
    guard
      let folder = environment["XDG_RUNTIME_DIR"] ?? environment.folder("XDG_CACHE_HOME", default: ".cache")
    else { return }
    removeFolders(in: folder + "/.flatpak", beginningWith: "webkit-\(window)-")
    let path = folder + "/webkitgtk"
    guard let sockets = try? OpenFile(reading: path, O_DIRECTORY) else { return }
    for name in (try? sockets.names()) ?? []
    where name.parts(at: "-").contains("proxy") && isForsaken("\(path)/\(name)", by: window) {
      unlinkat(sockets.descriptor, name, 0)
    }
  }

  /// The start of the name of the folder in which a window has its content rules compiled; a random part follows.
  package static func folderPrefix(of window: pid_t) -> String { "tokentry-\(window)-" }

  /// Removes the user's own folders with such names: in /tmp, any user can make one.
  private static func removeFolders(in path: String, beginningWith prefix: String) {
    guard let parent = try? OpenFile(reading: path, O_DIRECTORY) else { return }
    for name in (try? parent.names()) ?? [] where name.hasPrefix(prefix) {
      guard let folder = try? OpenFile(name, in: parent, OpenFile.folder),
        (try? folder.checkOwn(forbidding: 0)) != nil
      else { continue }
      try? parent.removeFolder(name)
    }
  }

  /// True if a process has bound a socket to this path, even if it does not listen yet.
  private static func isBound(_ path: String) -> Bool {
    guard let table = KernelFile.bytes("/proc/net/unix", upTo: .max) else { return true }
    // The path is the last field.
    return table.split(separator: 0x0A).contains { $0.reversed().starts(with: " \(path)".utf8.reversed()) }
  }

  /// True if a process of the window listens at this socket, or no process does or is about to.
  private static func isForsaken(_ path: String, by window: pid_t) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    do throws(SystemError) {
      let connection = try UnixSocket.connected(to: path)
      defer { close(connection) }
      // A process in a namespace that is not visible from here has no number.
      guard let peer = UnixSocket.peer(of: connection), peer.process > 0 else { return false }
      let group = getpgid(peer.process)
      return group == window || group < 0 && errno == ESRCH
    } catch {
      return error.code == ECONNREFUSED && !isBound(path)
    }
  }
}
