import GLibSupport
import Glibc
import LoginCore
import PrivateFiles
import Synchronization

/// The terminal from which this program was started, while it takes a line of any length.
///
/// A terminal cuts lines at 4,095 bytes and shows what is typed, and an answer may be longer and hold a token: so
/// it is asked to do neither, and left as it was found, however the login ends.
public final class Terminal: Sendable {
  private let descriptor: Int32
  private let usual: termios
  private let isPassing = Mutex(false)

  /// Nothing without a terminal, or in the background, where reading would stop this process.
  public convenience init?() {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    guard tcgetpgrp(descriptor) == getpgrp() else {
      Glibc.close(descriptor)
      return nil
    }
    self.init(descriptor: descriptor)
  }

  /// Takes over a descriptor; nothing if it is no terminal's.
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

  /// Begins to pass every key on. Ctrl-C still is the signal that it always is.
  func passKeys() {
    var attributes = usual
    attributes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    withUnsafeMutableBytes(of: &attributes.c_cc) { keys in
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
      keys[Int(VSUSP)] = 0  // no key: a stopped program would leave the terminal like this
    }
    isPassing.withLock { $0 = true }
    tcsetattr(descriptor, TCSANOW, &attributes)
  }

  /// Leaves it as it was found, on whatever thread this is; what has been typed for us and not been read shall
  /// not reach a shell.
  func restore() {
    let wasPassing = isPassing.withLock { isPassing in
      defer { isPassing = false }
      return isPassing
    }
    if !wasPassing { return }
    var attributes = usual
    tcsetattr(descriptor, TCSAFLUSH, &attributes)
  }

  /// Calls `body` whenever a key was pressed.
  @GLibActor
  func whenReadable(_ body: @escaping @GLibActor () -> Void) -> Source { .readable(descriptor, body) }

  /// What was typed; nothing if the terminal has gone.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Writes a text for the user.
  func show(_ text: String) { try? writeAll(text.utf8, to: descriptor) }
}
