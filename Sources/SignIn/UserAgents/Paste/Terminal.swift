import GLibSupport
import Glibc
import LoginCore
import Platform
import Synchronization

/// The terminal from which this program was started, while it takes a line of any length.
///
/// Normally a terminal cuts lines at 4,095 bytes and shows the typed text. An answer may be longer and contain a token, so
/// both are switched off, and on again however the login ends.
package final class Terminal: Sendable {
  private let descriptor: Int32
  private let usual: termios
  private let isPassing = Mutex(false)
  /// The terminal that passes keys. It is restored when the program exits meanwhile.
  private static let passing = Mutex<Terminal?>(nil)
  private static let restoresAtExit: Void = { _ = atexit { passing.withLock { $0 }?.restore() } }()

  /// Returns nil without a terminal, or in the background, where reading would stop this process.
  package convenience init?() {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    guard tcgetpgrp(descriptor) == getpgrp() else {
      Glibc.close(descriptor)
      return nil
    }
    self.init(descriptor: descriptor)
  }

  /// Takes over a descriptor. Returns nil if it does not belong to a terminal.
  init?(descriptor: Int32) {
    var usual = termios()
    guard tcgetattr(descriptor, &usual) == 0 else {
      Glibc.close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.usual = usual
  }

  deinit { Glibc.close(descriptor) }

  /// Makes every key readable at once. Ctrl-C still sends its signal.
  func passKeys() {
    var attributes = usual
    attributes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    withUnsafeMutableBytes(of: &attributes.c_cc) { keys in
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
      keys[Int(VSUSP)] = 0  // disabled: a stopped program would leave the terminal like this
    }
    isPassing.withLock { $0 = true }
    Self.restoresAtExit
    Self.passing.withLock { $0 = self }
    tcsetattr(descriptor, TCSANOW, &attributes)
  }

  /// Restores the terminal, on any thread. Discards unread input, so that it does not reach the shell.
  func restore() {
    let wasPassing = isPassing.withLock { isPassing in
      defer { isPassing = false }
      return isPassing
    }
    if !wasPassing { return }
    Self.passing.withLock { $0 = nil }
    var attributes = usual
    tcsetattr(descriptor, TCSAFLUSH, &attributes)
  }

  @GLibActor
  func whenReadable(_ body: @escaping @GLibActor () -> Void) -> Source { .readable(descriptor, body) }

  /// Returns the typed bytes, or nil once the terminal is gone.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  func show(_ text: String) { try? writeAll(text.utf8, to: descriptor) }
}
