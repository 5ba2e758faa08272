import GLibSupport
import Glibc
import LoginCore

/// The machine's clock.
struct SystemClock: WallClock {
  func now() -> UTCDate {
    guard let date = UTCDate(secondsSince1970: Int64(time(nil))) else {
      preconditionFailure("the machine's clock is beyond the year 9999")
    }
    return date
  }

  func wait(seconds: Int64) async throws(Failure) {
    do throws(CancellationError) {
      try await pause(for: .seconds(seconds))
    } catch {
      throw .user(.cancelled(.task))
    }
  }
}
