@testable import LoginCore

/// A clock that stands still, and records that it was looked at and for how long somebody wanted to wait.
struct FakeClock: WallClock {
  let date: UTCDate
  let record: Record

  func now() -> UTCDate {
    record.note(.now)
    return date
  }

  func wait(seconds: Int64) async throws(Failure) { record.note(.wait(seconds)) }
}
