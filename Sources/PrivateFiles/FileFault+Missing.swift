import Glibc
import LoginCore

extension FileFault {
  /// Whether there is no such folder or file.
  package var isMissing: Bool { reason == .system(ENOENT) }
}
