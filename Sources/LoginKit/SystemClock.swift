import GLibSupport
import Glibc
import LoginCore

/// The machine's clock.
package struct SystemClock: WallClock {
  package init() {}

  package func now() -> UTCDate {
    guard let date = UTCDate(secondsSince1970: Int64(time(nil))) else {
      preconditionFailure("the machine's clock is beyond the year 9999")
    }
    return date
  }

  package func wait(seconds: Int64) async throws(Failure) {
    do throws(CancellationError) {
      try await pause(for: .seconds(seconds))
    } catch {
      throw .cancelled
    }
  }
}
