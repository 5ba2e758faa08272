import Glibc

/// Stream sockets of this machine, which have a path as their address (unix(7)). All of them are non-blocking, and closed
/// when another program starts.
package enum UnixSocket {
  private static let type = Int32(SOCK_STREAM.rawValue)

  /// The length that a path must not reach, in bytes.
  package static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// Connects to the program that listens at a path. Throws `EAGAIN` if too many others wait for it.
  package static func connected(to path: String) throws(SystemError) -> Int32 {
    try made(path) { Glibc.connect($0, $1, $2) }
  }

  /// Listens at a path where there is no file yet. Only this user can connect.
  package static func listening(at path: String) throws(SystemError) -> Int32 {
    let descriptor = try made(path) { descriptor, address, length in
      let mask = umask(0o177)
      defer { umask(mask) }
      return bind(descriptor, address, length)
    }
    guard listen(descriptor, SOMAXCONN) == 0 else { throw closed(descriptor) }
    return descriptor
  }

  private static func made(
    _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < pathLimit else { throw SystemError(code: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, type | O_CLOEXEC | O_NONBLOCK, 0)  // as SOCK_CLOEXEC and SOCK_NONBLOCK
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw closed(descriptor) }
    return descriptor
  }

  private static func closed(_ descriptor: Int32) -> SystemError {
    let error = SystemError(code: errno)
    close(descriptor)
    return error
  }

  /// Returns the next connection to a listener of any kind, or nil if no program waits for one.
  package static func accepted(_ listener: Int32) -> Int32? {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return descriptor
  }

  /// Returns the path of a listening socket that another program has opened, or nil for any other descriptor.
  package static func path(ofListener descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0, address.sun_family == AF_UNIX, option(SO_ACCEPTCONN, of: descriptor) == 1,
      option(SO_TYPE, of: descriptor) == type
    else { return nil }
    return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }

  /// The process that has opened the other end of a connection.
  package struct Peer: Sendable {
    /// The process, or 0 if this one cannot see it because it is in another container.
    package let process: pid_t
    package let user: uid_t
  }

  /// Returns the process at the other end of a connection.
  package static func peer(of descriptor: Int32) -> Peer? {
    // glibc's header defines this structure (ucred) for GNU sources only.
    var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    return Peer(process: credentials.process, user: credentials.user)
  }
}
