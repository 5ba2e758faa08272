import GLibSupport
import Glibc
import LoginCore
import Platform

/// The pipe to the program that started this one. An answer is written once and as a whole.
struct StandardOutput: ~Copyable {
  /// A copy of standard output, whose own number is replaced by standard error: libraries print there (GLib does so with
  /// `G_MESSAGES_DEBUG`), and child processes inherit it.
  static let descriptor: Int32 = {
    let aside = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return aside != -1 && dup2(STDERR_FILENO, STDOUT_FILENO) != -1 ? aside : STDOUT_FILENO
  }()

  private let wasOpen: Bool

  /// Opens /dev/null for standard descriptors that are closed, so that no file that is opened later gets their numbers.
  init() {
    wasOpen = fcntl(STDOUT_FILENO, F_GETFD) != -1
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      // open(2) returns the lowest free number, which is this one. Writing to standard output fails.
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
    _ = Self.descriptor
  }

  /// Writes everything and closes the descriptor, because some file systems report a full disk only then.
  consuming func write(_ text: String) throws(Failure) {
    if text.isEmpty { return }
    guard wasOpen else {
      throw Failure(.outputFailed, "the result could not be written: standard output is closed")
    }
    do throws(SystemError) { try writeAll(text.utf8, to: Self.descriptor) } catch {
      throw .output(error.code)
    }
    if close(Self.descriptor) == -1, errno != EINTR { throw .output(errno) }
  }
}

/// Standard output for an answer that is passed on as it arrives.
@GLibActor
struct StreamedOutput {
  private let writer = DescriptorWriter(descriptor: StandardOutput.descriptor)

  /// Writes a part of the answer once the reader has room for it.
  func write(_ bytes: [UInt8]) async throws(Failure) {
    do throws(SystemError) { try await writer.write(bytes) } catch { throw .output(error.code) }
  }

  /// Closes the descriptor, because some file systems report a full disk only then.
  func finish() throws(Failure) {
    if close(StandardOutput.descriptor) == -1, errno != EINTR { throw .output(errno) }
  }
}

extension StreamedOutput {
  /// Writes the whole answer of a command that goes on. The caller then sees the end of the output. Standard output stays
  /// open, because another file would get its number, but leads nowhere.
  func giveAnswer(_ text: String) async throws(Failure) {
    try await write(Array(text.utf8))
    CrashAnswer.silence()
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard null >= 0, dup2(null, StandardOutput.descriptor) >= 0 else { throw .output(errno) }
    _ = fcntl(StandardOutput.descriptor, F_SETFD, FD_CLOEXEC)
    close(null)
  }
}

extension Failure {
  /// Standard output cannot be written, for the reason of this `errno`.
  static func output(_ code: Int32) -> Failure {
    let isFull = [ENOSPC, EDQUOT].contains(code)
    let reason: Message = isFull ? "the disk is full" : Message(verbatim: SystemError(code: code).message)
    return Failure(.outputFailed, "the result could not be written: \(reason)")
  }
}
