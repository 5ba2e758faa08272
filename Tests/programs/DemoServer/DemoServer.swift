import DemoProvider
import GLibSupport
import Glibc
import GnuTLSCrypto
import LoginCore

/// Serves the demo provider in a process of its own, for benchmarks and tests. Prints its address and ends with its
/// standard input.
@main
struct DemoServer {
  static func main() {
    let failure: Failure? = GLibActor.run {
      do throws(Failure) {
        try await serve()
        return nil
      } catch {
        return error
      }
    }
    guard let failure else { return }
    print("demo-server: \(failure)")
    exit(1)
  }

  @GLibActor
  private static func serve() async throws(Failure) {
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: GnuTLSCryptography(), clock: Clock())
    print(provider.issuer)
    fflush(nil)
    await endOfInput()
    await provider.close()
  }

  @GLibActor
  private static func endOfInput() async {
    var waiting: CheckedContinuation<Void, Never>?
    let source = Source.hangUp(of: STDIN_FILENO) { waiting.take()?.resume() }
    await withCheckedContinuation { waiting = $0 }
    _ = source  // removed from the main loop when released
  }

  private struct Clock: WallClock {
    func now() -> UTCDate {
      guard let date = UTCDate(secondsSince1970: Int64(time(nil))) else {
        preconditionFailure("the machine's clock is beyond the year 9999")
      }
      return date
    }

    func wait(seconds: Int64) async throws(Failure) { throw .defect() }
  }
}
