import Glibc
import LoginCore

/// The channel to the launching program: written once, as a whole, and checked.
struct StandardOutput: ~Copyable {
  private let wasOpen: Bool

  /// Opens /dev/null in place of the standard descriptors that are closed, so that no file and no pipe that is
  /// opened later takes their numbers.
  init() {
    wasOpen = fcntl(STDOUT_FILENO, F_GETFD) != -1
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, which is this one. Nothing can be written in place of standard output.
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
  }

  /// Writes everything and closes the descriptor, since some file systems report a full disk only then.
  consuming func write(_ text: String) throws(Failure) {
    if text.isEmpty { return }
    guard wasOpen else { throw .output(.outputFailed("standard output is closed")) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if written < 0, errno == EAGAIN {
        Self.waitUntilWritable()
      } else if written == 0 || errno != EINTR {
        throw Self.failed()
      }
    }
    if close(STDOUT_FILENO) == -1, errno != EINTR { throw Self.failed() }
  }

  /// A launching program may have made its pipe non-blocking.
  private static func waitUntilWritable() {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }

  private static func failed() -> Failure {
    .output(.outputFailed(String(cString: strerror(errno))))
  }
}
