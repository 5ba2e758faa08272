import Glibc
import LoginCore
import PrivateFiles
import Wording

/// The channel to the launching program: written once, as a whole, and checked.
struct StandardOutput: ~Copyable {
  /// What the launching program reads from, kept aside: libraries print where standard output usually is (GLib does
  /// under `G_MESSAGES_DEBUG`), and what is started later inherits it. Both get standard error in its place.
  static let descriptor: Int32 = {
    let aside = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return aside != -1 && dup2(STDERR_FILENO, STDOUT_FILENO) != -1 ? aside : STDOUT_FILENO
  }()

  private let wasOpen: Bool

  /// Opens /dev/null in place of the standard descriptors that are closed, so that no file and no pipe that is
  /// opened later takes their numbers.
  init() {
    wasOpen = fcntl(STDOUT_FILENO, F_GETFD) != -1
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, which is this one. Nothing can be written in place of standard output.
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
    _ = Self.descriptor
  }

  /// Writes everything and closes the descriptor, since some file systems report a full disk only then.
  consuming func write(_ text: String) throws(Failure) {
    if text.isEmpty { return }
    guard wasOpen else { throw .run(.outputClosed) }
    do throws(SystemFault) { try writeAll(text.utf8, to: Self.descriptor) } catch { throw Self.failed(error) }
    if close(Self.descriptor) == -1, errno != EINTR { throw Self.failed(SystemFault()) }
  }

  private static func failed(_ fault: SystemFault) -> Failure {
    .run(.output(fault.code))
  }
}
