import Glibc
import LoginCore
import PrivateFiles
import Wording

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
    guard wasOpen else { throw .run(.outputClosed) }
    do throws(SystemFault) { try writeAll(text.utf8, to: STDOUT_FILENO) } catch { throw Self.failed(error) }
    if close(STDOUT_FILENO) == -1, errno != EINTR { throw Self.failed(SystemFault()) }
  }

  private static func failed(_ fault: SystemFault) -> Failure {
    .run(.output(fault.code))
  }
}
