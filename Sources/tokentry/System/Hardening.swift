import CLinux
import GLibSupport
import Glibc
import Language
import LateLibraries
import LoginCore
import Platform

/// Keeps secrets out of core dumps, and away from child processes and other processes of the user.
enum Hardening {
  static func apply() {
    unsetenv("SSLKEYLOGFILE")  // GnuTLS would write the keys of every connection to this file
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // In a Flatpak, the desktop's portal has to inspect this process to see which sandbox asks. No other application of
    // the user runs in that sandbox.
    if !Flatpak.isAround { _ = linux_set_dumpable(0) }
    // write(2) then reports a closed pipe or a full quota as an error instead of ending this process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}

/// The answer of a program that cannot go on because of a defect or a missing library: still one JSON object, and no dump
/// of registers, which may hold parts of a secret.
enum CrashAnswer {
  // Written by the program's one thread, and read by a signal handler in any thread.
  nonisolated(unsafe) private static var isSilent = false
  /// The exit status, once it is decided. A background thread may crash while the program exits.
  nonisolated(unsafe) private static var decided: Int32?

  /// The stack of the signal handler. A global variable, because the kernel's pointer to it would not keep it alive.
  nonisolated(unsafe) private static let stack = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 64 * 1_024, alignment: 16)

  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  /// Replaces Swift's own crash handlers, and the default reaction to a missing library. The handler has its own stack, so
  /// that it also works after a stack overflow.
  static func install() {
    var place = stack_t(ss_sp: stack.baseAddress, ss_flags: 0, ss_size: stack.count)
    sigaltstack(&place, nil)
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in CrashAnswer.answer() }
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
    late_end_with {
      let reason = String(cString: $0)
      CrashAnswer.end(
        with: Failure(.internalError, "a library that tokentry needs cannot be used: \(reason)"))
    }
  }

  /// Writes nothing to standard output from now on, because the answer has been written or must not be JSON.
  static func silence(status: Int32? = nil) { (isSilent, decided) = (true, status) }

  /// Ends the program inside a call that cannot return.
  private static func end(with failure: Failure) -> Never {
    let report = Messages().report(failure)
    if !isSilent { try? writeAll((report.json.text + "\n").utf8, to: StandardOutput.descriptor) }
    _exit(report.status)
  }

  /// Runs in a signal handler, so it may only make system calls with memory that exists already.
  static func answer() {
    if let decided { _exit(decided) }
    let (message, object) = (CrashText.message, CrashText.object)
    _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    if !isSilent { _ = write(StandardOutput.descriptor, object.utf8Start, object.utf8CodeUnitCount) }
    _exit(70)
  }
}
