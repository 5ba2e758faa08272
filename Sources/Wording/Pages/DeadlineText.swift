/// What the bar above a page says before the login ends because nobody has gone on with it.
package enum DeadlineText {
  package static let stillHere = "I’m still _here"

  /// How long it still waits.
  package static func time(left seconds: Int64, isExtendable: Bool) -> String {
    let time = seconds == 1 ? "1 second" : "\(seconds) seconds"
    return isExtendable ? "Are you still there? The sign-in ends in \(time)." : "The sign-in ends in \(time)."
  }
}
