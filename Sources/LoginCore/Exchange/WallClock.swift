/// The time of day.
public protocol WallClock: Sendable {
  /// The current second.
  func now() -> UTCDate
  /// Returns when so many seconds have passed. Ends early when its task is cancelled.
  func wait(seconds: Int64) async throws(Failure)
}
