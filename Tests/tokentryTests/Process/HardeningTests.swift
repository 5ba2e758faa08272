import Wording
import CLinux
import Glibc
import LoginCore
import Testing

@testable import tokentry

@Suite("Hardening")
struct HardeningTests {
  @Test("The process cannot be dumped, writes down no keys, and a pipe without a reader does not end it")
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

  @Test("A crash is reported as every other defect is")
  func report() {
    let report = Report(.run(.crash))
    #expect(CrashText.object.description == report.json.text + "\n")
    #expect(CrashText.message.description == "tokentry: error: \(report.message)\n")
  }

  @Test("A stack overflow is answered as well")
  func stackOverflow() async {
    await #expect(processExitsWith: .exitCode(70)) {
      // Child processes of tests run on other threads than the first; the alternate stack is the thread's own.
      CrashAnswer.install()
      print(depth(of: 1))
    }
  }
}

/// Calls itself until there is no stack left.
@inline(never)
private func depth(of number: Int) -> Int {
  number == 0 ? 0 : depth(of: number + 1) &+ (number ^ 1)
}
