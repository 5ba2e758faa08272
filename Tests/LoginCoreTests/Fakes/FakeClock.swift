@testable import LoginCore

/// A clock that stands still, and records that it was looked at.
struct FakeClock: WallClock {
  let date: UTCDate
  let record: Record

  func now() -> UTCDate {
    record.note(.now)
    return date
  }
}
