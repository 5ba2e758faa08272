import GLibSupport
import Glibc
import LoginCore
import Wording

/// Standard output for an answer that is handed on as it comes.
@GLibActor
struct StreamedOutput {
  private let writer = DescriptorWriter(descriptor: StandardOutput.descriptor)

  /// Hands on a part of the answer when the reader has room for it.
  func write(_ bytes: [UInt8]) async throws(Failure) {
    do throws(SystemError) {
      try await writer.write(bytes)
    } catch {
      throw Self.failed(error.code)
    }
  }

  /// Closes the descriptor, since some file systems report a full disk only then.
  func finish() throws(Failure) {
    if close(StandardOutput.descriptor) == -1, errno != EINTR { throw Self.failed(errno) }
  }

  private static func failed(_ code: Int32) -> Failure {
    .run(.output(code))
  }
}
