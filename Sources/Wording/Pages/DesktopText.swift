/// What the desktop itself shows of us.
package enum DesktopText {
  /// The comment of the entry that brings answers back to us.
  package static let callbackEntry: Sentence =
    "Brings the answer of a sign-in to the program that waits for it"

  /// The notification of an answer that came to nothing.
  package static let lostAnswer: (title: Sentence, sentence: Sentence) = (
    "No sign-in waits for this answer", "It may have ended already. Begin it again in the application."
  )

  /// The notification of a window that nobody has looked at, below its title.
  package static let waiting: Sentence = "A sign-in waits for you in another window."

  /// The notification of a code that nobody has typed in yet.
  package static func codeEnds(in seconds: Int64) -> (title: Sentence, sentence: Sentence) {
    ("A sign-in still waits for you", DeviceText.time(left: seconds))
  }
}
