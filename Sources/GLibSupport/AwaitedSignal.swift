import CLinux
import Glibc

/// A signal whose arrival can be read from a descriptor, for as long as this object lives; then it has its usual effect
/// again. There is one for a signal at a time.
///
/// GLib has the same, with a thread of its own that costs more than all that a kept token takes on the main loop.
final class AwaitedSignal: Sendable {
  /// Readable once the signal has come.
  let descriptor = linux_eventfd()
  private let number: Int32

  /// Where the handler, which may touch nothing else, looks for the descriptor of a signal.
  nonisolated(unsafe) private static let descriptors: UnsafeMutablePointer<Int32> = {
    let table = UnsafeMutablePointer<Int32>.allocate(capacity: Int(linux_last_signal) + 1)
    table.initialize(repeating: -1, count: Int(linux_last_signal) + 1)
    return table
  }()

  init(_ number: Int32) {
    self.number = number
    // Without a descriptor the signal has its usual effect, which nobody can miss.
    if descriptor == -1 { return }
    Self.descriptors[Int(number)] = descriptor
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let before = errno
      var one: UInt64 = 1
      write(AwaitedSignal.descriptors[Int(number)], &one, MemoryLayout.size(ofValue: one))
      errno = before
    }
    action.sa_flags = Int32(SA_RESTART)
    sigaction(number, &action, nil)
  }

  /// Makes room for the next arrival; several that nobody has looked at are one.
  func takeNotice() {
    var count: UInt64 = 0
    read(descriptor, &count, MemoryLayout.size(ofValue: count))
  }

  deinit {
    if descriptor == -1 { return }
    signal(number, SIG_DFL)
    close(descriptor)
  }
}
