/// What the bar above a page says before the login ends because nobody has gone on with it.
package enum DeadlineText {
  package static let stillHere: Sentence = "I’m still _here"

  /// How long it still waits.
  package static func time(left seconds: Int64, isExtendable: Bool) -> Sentence {
    let end = Sentence(
      seconds, one: "The sign-in ends in \(seconds) second.", other: "The sign-in ends in \(seconds) seconds."
    )
    return isExtendable ? "Are you still there? \(end)" : end
  }
}
