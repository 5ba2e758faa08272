import Glibc
import LoginCore
import PrivateFiles
import Synchronization
import Wording

/// All messages of a run in a file as well, whatever standard error is told: nobody sees what a program that others
/// start says there.
enum MessageLog {
  /// What names the file.
  static let variable = "TOKENTRY_LOG"

  private static let file = Mutex<Int32?>(nil)

  static var isOpen: Bool { file.withLock { $0 != nil } }

  /// Adds to this file from now on, which nobody else may read; it is made if it is not there.
  static func open(_ path: String) throws(Failure) {
    do throws(FileFault) {
      let opened = try OpenFile.own(appendingTo: path)
      file.withLock { $0 = fcntl(opened.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
    } catch {
      throw .commandLine(.file(variable, .unusable(error)))
    }
  }

  /// Adds a line, in one piece, so that programs that write at once do not mix.
  static func write(_ text: String) {
    guard let descriptor = file.withLock(\.self) else { return }
    try? writeAll("\(SystemClock().now()) \(getpid()) \(text)\n".utf8, to: descriptor)
  }
}
