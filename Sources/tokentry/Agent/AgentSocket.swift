import GLibSupport
import Glibc
import LoginCore
import Platform

/// The socket at which an agent listens: one that systemd hands over, or one that the agent makes and removes.
@GLibActor
final class AgentSocket {
  let descriptor: Int32
  let path: String
  /// The file of a socket that the agent has made itself.
  private var own: stat?

  /// The number of the first descriptor that systemd hands over (sd_listen_fds(3)).
  private static let inherited: Int32 = 3
  /// The number of tries to get the lock, 20 ms apart.
  private nonisolated static let triesForLock = 50
  /// The variables with which systemd hands it over. Programs that the agent starts must not see them.
  nonisolated static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]

  /// Without a path, listens at systemd's socket, or else at the default path.
  init(at given: String?, _ environment: Environment) throws(Failure) {
    if given == nil, environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"] {
      guard count == "1", let path = UnixSocket.path(ofListener: Self.inherited) else {
        throw .unusableSocket("systemd hands over something else than one listening socket")
      }
      _ = fcntl(Self.inherited, F_SETFD, FD_CLOEXEC)
      _ = fcntl(Self.inherited, F_SETFL, fcntl(Self.inherited, F_GETFL) | O_NONBLOCK)
      (descriptor, self.path) = (Self.inherited, path)
      return
    }
    let path = if let given { given } else { try environment.agentSocket }
    self.path = path
    guard path.utf8.count < UnixSocket.pathLimit else {
      throw .unusableSocket("the path is longer than \(UnixSocket.pathLimit - 1) bytes")
    }
    let parents = path.parts(at: "/").dropLast().joined(separator: "/")
    let folder = parents.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : parents
    let isDefault = given == nil
    let lock = try failing(Self.locked(folder, making: isDefault)) { (error: FileError) in
      .unusableSocket(error.message).with(hint: error.hint)
    }
    defer { close(lock) }
    descriptor = try Self.listening(at: path)
    var status = stat()
    if lstat(path, &status) == 0 { own = status }
  }

  /// Opens the folder of the socket, and keeps other agents from listening there at the same moment. Everyone who may read
  /// the folder can hold the lock, and a sandbox must not keep the agent from starting. So it goes on without the lock then,
  /// and the system lets one agent bind the socket.
  private static func locked(_ path: String, making: Bool) throws(FileError) -> Int32 {
    _ = try PrivateFolder(path, making: making, forbidding: making ? 0o077 : 0o022)
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileError(path, systemCode: errno) }
    for _ in 1...triesForLock where flock(folder, LOCK_EX | LOCK_NB) != 0 { usleep(20_000) }
    return folder
  }

  private static func listening(at path: String) throws(Failure) -> Int32 {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw .unusableSocket("\(path, upTo: 200) exists and is not a socket")
      }
      if let other = try? UnixSocket.connected(to: path) {
        close(other)
        throw .unusableSocket("another agent listens at \(path, upTo: 200)")
      }
      // Left by an agent that was killed.
      unlink(path)
    }
    return try failing(UnixSocket.listening(at: path)) { (error: SystemError) in
      .unusableSocket("\(path, upTo: 200): \(error.message)")
    }
  }

  /// Removes the socket if the agent has made it, unless another one has taken its place.
  func remove() {
    close(descriptor)
    var status = stat()
    guard let own, lstat(path, &status) == 0, status.st_ino == own.st_ino, status.st_dev == own.st_dev else {
      return
    }
    unlink(path)
  }
}

extension Failure {
  fileprivate static func unusableSocket(_ reason: Message) -> Failure {
    Failure(.invalidConfiguration, "the agent cannot listen: \(reason)")
  }
}
