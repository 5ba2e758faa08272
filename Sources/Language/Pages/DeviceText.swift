import LoginCore
import WindowProtocol

/// The text that counts the time for a code down.
package enum DeviceText {
  /// Says at a terminal for how long the code is awaited.
  package static func wait(seconds: Int64) -> Message {
    let minutes = (seconds + 59) / 60
    return seconds < 100
      ? Message(
        seconds, one: "waiting for up to \(seconds) second; Ctrl+C cancels",
        other: "waiting for up to \(seconds) seconds; Ctrl+C cancels")
      : Message(
        minutes, one: "waiting for up to \(minutes) minute; Ctrl+C cancels",
        other: "waiting for up to \(minutes) minutes; Ctrl+C cancels")
  }

  /// The time left, in seconds only near the end.
  package static func time(left seconds: Int64) -> Message {
    switch seconds {
    case ...0: "The code has expired."
    case ..<100:
      Message(
        seconds, one: "This code expires in \(seconds) second.",
        other: "This code expires in \(seconds) seconds.")
    case ..<7_200: minutes((seconds + 59) / 60)
    default: hours(seconds / 3_600)
    }
  }

  private static func minutes(_ minutes: Int64) -> Message {
    Message(
      minutes, one: "This code expires in \(minutes) minute.",
      other: "This code expires in \(minutes) minutes.")
  }

  private static func hours(_ hours: Int64) -> Message {
    Message(
      hours, one: "This code expires in \(hours) hour.",
      other: "This code expires in \(hours) hours.")
  }
}

/// The text of the bar above a page shortly before the time of the login is over.
package enum DeadlineText {
  package static let stillHere: Message = "I'm Still _Here"

  /// A user who can have more time is asked for a sign of life.
  package static func time(left seconds: Int64, isExtendable: Bool) -> Message {
    let end = self.seconds(seconds)
    return isExtendable ? "Still there? \(end)" : end
  }

  /// The time left on the page with a code that would last longer, in seconds only near the end.
  package static func time(left seconds: Int64) -> Message {
    switch seconds {
    case ..<100: self.seconds(seconds)
    case ..<7_200: minutes((seconds + 59) / 60)
    default: hours(seconds / 3_600)
    }
  }

  private static func seconds(_ seconds: Int64) -> Message {
    Message(
      seconds, one: "This sign-in ends in \(seconds) second.",
      other: "This sign-in ends in \(seconds) seconds.")
  }

  private static func minutes(_ minutes: Int64) -> Message {
    Message(
      minutes, one: "This sign-in ends in \(minutes) minute.",
      other: "This sign-in ends in \(minutes) minutes.")
  }

  private static func hours(_ hours: Int64) -> Message {
    Message(
      hours, one: "This sign-in ends in \(hours) hour.", other: "This sign-in ends in \(hours) hours.")
  }
}

/// Texts that the desktop shows.
package enum DesktopText {
  /// The comment in the desktop entry to which the browser hands answers.
  package static let callbackEntry: Message =
    "Passes the result of a sign-in to the application that started it"

  /// The notification of an answer that came too late.
  package static let lostAnswer: (title: Message, sentence: Message) = (
    "No sign-in is in progress", "It may have ended already. Start again in the application."
  )

  /// The notification of a window that the user has not seen yet, below its title.
  package static let waiting: Message = "Another window is waiting for you to sign in."

  /// The notification of an account whose token can no longer be kept fresh in a file.
  package static func signInNeeded(to account: String, for file: String) -> (
    title: Message, sentence: Message
  ) {
    (
      "The account \(account, upTo: 64) needs a new sign-in",
      "Until then, programs that read \(file, upTo: 200) get no new token."
    )
  }

  /// The notification of a code that has not been typed in yet.
  package static func codeEnds(in seconds: Int64) -> (title: Message, sentence: Message) {
    ("A sign-in is still waiting for you", DeviceText.time(left: seconds))
  }
}
