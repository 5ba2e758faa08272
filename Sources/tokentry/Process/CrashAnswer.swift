import Glibc
import LateLibraries
import LoginCore
import PrivateFiles
import Wording

/// What standard output says if this program cannot go on, because of a defect or of a library that is not there:
/// still one JSON object, and no dump of registers, which may hold parts of a secret.
enum CrashAnswer {
  // Written by the one thread of the program, and read by a handler in whichever thread crashes.
  nonisolated(unsafe) private static var isSilent = false
  /// What the program ends with once that is decided: a thread that is left behind may crash among what the end
  /// takes away.
  nonisolated(unsafe) private static var decided: Int32?

  /// The stack of the handler: the system alone would know of it otherwise, as of memory that nobody uses any more.
  nonisolated(unsafe) private static let stack = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 64 * 1_024, alignment: 16)

  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  /// Takes the place of Swift's own crash handlers, on a stack of its own so that an overflow is answered too, and
  /// of what late libraries do where they are missing.
  static func install() {
    var place = stack_t(ss_sp: stack.baseAddress, ss_flags: 0, ss_size: stack.count)
    sigaltstack(&place, nil)
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in CrashAnswer.answer() }
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
    late_end_with { CrashAnswer.end(with: .run(.missingLibrary(String(cString: $0)))) }
  }

  /// Says nothing on standard output from now on: the answer has been written, or is not to be JSON.
  static func silence(status: Int32? = nil) { (isSilent, decided) = (true, status) }

  /// Ends the program in the middle of a call that cannot return.
  private static func end(with failure: Failure) -> Never {
    let report = Messages().report(failure)
    if !isSilent { try? writeAll((report.json.text + "\n").utf8, to: StandardOutput.descriptor) }
    _exit(report.verdict.status)
  }

  /// Runs in a signal handler: nothing but system calls on memory that is already there.
  static func answer() {
    if let decided { _exit(decided) }
    let (message, object) = (CrashText.message, CrashText.object)
    _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    if !isSilent { _ = write(StandardOutput.descriptor, object.utf8Start, object.utf8CodeUnitCount) }
    _exit(70)
  }
}
