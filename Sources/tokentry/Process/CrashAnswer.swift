import Glibc
import LoginCore

/// What standard output says if this program has a defect that ends it: still one JSON object, and no dump of
/// registers, which may hold parts of a secret.
enum CrashAnswer {
  // Filled once before the handlers are installed, and only read by them.
  nonisolated(unsafe) private static var object = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  nonisolated(unsafe) private static var message = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  nonisolated(unsafe) private static var isSilent = false

  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  /// Takes the place of Swift's own crash handlers, on a stack of its own so that an overflow is answered too.
  static func install() {
    let failure = Failure.defect("it crashed")
    object = permanent(failure.json.text + "\n")
    message = permanent("tokentry: error: \(failure.message)\n")
    let size = 64 * 1_024
    var stack = stack_t(
      ss_sp: UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16), ss_flags: 0, ss_size: size)
    sigaltstack(&stack, nil)
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in CrashAnswer.answer() }
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
  }

  /// Says nothing on standard output from now on: the answer has been written, or is not to be JSON.
  static func silence() { isSilent = true }

  /// Bytes that stay where they are for as long as the process lives.
  private static func permanent(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = Array(text.utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(fromContentsOf: bytes)
    return buffer
  }

  /// Runs in a signal handler: nothing but system calls on memory that is already there.
  private static func answer() {
    _ = write(STDERR_FILENO, message.baseAddress, message.count)
    if !isSilent { _ = write(STDOUT_FILENO, object.baseAddress, object.count) }
    _exit(70)
  }
}
