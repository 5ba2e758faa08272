import CLinux
import Glibc
import Language
import LoginCore
import Testing

@testable import tokentry

@Suite("Hardening")
struct HardeningTests {
  @Test("The process leaves no core dump and no TLS keys, and survives writing to a closed pipe")
  func applied() async {
    await #expect(processExitsWith: .exitCode(7)) {
      setenv("SSLKEYLOGFILE", "/nonexistent/keys", 1)
      Hardening.apply()
      precondition(getenv("SSLKEYLOGFILE") == nil)
      var core = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
      precondition(core.rlim_cur == 0 && core.rlim_max == 0)
      precondition(linux_get_dumpable() == 0)
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0)
      close(ends[0])
      precondition(write(ends[1], "x", 1) == -1 && errno == EPIPE)
      exit(7)
    }
  }

  @Test("A crash ends with the status of a defect", arguments: [SIGSEGV, SIGILL, SIGBUS])
  func crash(signal: Int32) async {
    await #expect(processExitsWith: .exitCode(70)) { [signal] in
      CrashAnswer.install()
      raise(signal)
    }
  }

  @Test("The constant report of a crash is the one that a failure would have")
  func report() {
    let report = Report(Failure(.internalError, "a defect in tokentry: it crashed"))
    #expect(report.status == 70)
    #expect(CrashText.object.description == report.json.text + "\n")
    #expect(CrashText.message.description == "tokentry: error: \(report.failure.message)\n")
  }

  @Test("A stack overflow ends with the status of a defect")
  func stackOverflow() async {
    await #expect(processExitsWith: .exitCode(70)) {
      // Each thread has its own stack for signal handlers, and the body of an exit test runs on a second thread.
      CrashAnswer.install()
      print(depth(of: 1))
    }
  }
}

/// Calls itself until the stack overflows.
@inline(never)
private func depth(of number: Int) -> Int {
  number == 0 ? 0 : depth(of: number + 1) &+ (number ^ 1)
}
