import LoginCore

/// How long a login still waits for its user, as the window is told.
package struct TimeLeft: Sendable, Equatable {
  /// How many seconds are left.
  package var seconds: Int64
  /// With how many of them left the user is told.
  package var warning: Int64
  /// Whether the user gets all of the time again by using the window: not where the caller has said how long it waits.
  package var isExtendable: Bool

  /// What is left of a whole: the user is told for a minute, or for the last quarter of a short one.
  package init(_ seconds: Int64, of whole: Int64, isExtendable: Bool) {
    self.seconds = seconds
    warning = min(60, whole / 4)
    self.isExtendable = isExtendable
  }
}

extension TimeLeft {
  /// Reads the members; those that are not known are left to later versions.
  init?(_ object: JSONObject) {
    guard let seconds = object["seconds_left"]?.truncated, (0...Self.longest).contains(seconds),
      let warning = object["warn_at"]?.truncated
    else { return nil }
    self.init(seconds, of: 0, isExtendable: object["extendable"]?.bool ?? false)
    self.warning = warning
  }

  /// All members.
  var json: JSONObject {
    [
      "seconds_left": .number(JSONNumber(seconds)), "warn_at": .number(JSONNumber(warning)),
      "extendable": .bool(isExtendable),
    ]
  }

  /// What a clock of ours can count, and more than anybody waits.
  private static let longest: Int64 = 1 << 40
}
