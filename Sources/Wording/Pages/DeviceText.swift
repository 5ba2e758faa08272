import LoginCore
import LoginWays

/// The text of our page about a code to type in on another device.
package struct DeviceText {
  package static let copyAddress: Message = "Copy address"
  package static let copyCode: Message = "Copy code"
  package static let picture: Message = "QR code of the address"

  package let title: Message = "Sign in on any device"
  package let sentence: Message
  package let problem: Message?

  package init(_ instruction: DeviceInstruction) {
    sentence =
      switch (instruction.picture != nil, instruction.completeURI != nil) {
      case (true, true):
        """
        Scan the picture with a phone, or open this address on any device. Type in this code, or check that the page \
        shows it.
        """
      case (true, false):
        "Scan the picture with a phone, or open this address on any device, and type in the code."
      case (false, _): "Open this address on any device, and type in the code."
      }
    problem =
      instruction.lacksBrowser ? "No browser could be opened: copy the address." : nil
  }

  /// The time left, in seconds only near the end.
  package static func time(left seconds: Int64) -> Message {
    switch seconds {
    case ...0: "The code has expired."
    case ..<100:
      Message(
        seconds, one: "The code is valid for \(seconds) more second.",
        other: "The code is valid for \(seconds) more seconds.")
    case ..<7_200: Self.minutes((seconds + 59) / 60)
    default: Self.hours(seconds / 3_600)
    }
  }

  private static func minutes(_ minutes: Int64) -> Message {
    Message(
      minutes, one: "The code is valid for \(minutes) more minute.",
      other: "The code is valid for \(minutes) more minutes.")
  }

  private static func hours(_ hours: Int64) -> Message {
    Message(
      hours, one: "The code is valid for \(hours) more hour.",
      other: "The code is valid for \(hours) more hours.")
  }
}

/// The text of the bar above a page shortly before the time of the login is over.
package enum DeadlineText {
  package static let stillHere: Message = "I’m still _here"

  package static func time(left seconds: Int64, isExtendable: Bool) -> Message {
    let end = Message(
      seconds, one: "The sign-in ends in \(seconds) second.", other: "The sign-in ends in \(seconds) seconds."
    )
    return isExtendable ? "Are you still there? \(end)" : end
  }
}

/// Texts that the desktop shows.
package enum DesktopText {
  /// The comment in the desktop entry to which the browser hands answers.
  package static let callbackEntry: Message =
    "Brings the answer of a sign-in to the program that waits for it"

  /// The notification of an answer that came too late.
  package static let lostAnswer: (title: Message, sentence: Message) = (
    "No sign-in waits for this answer", "It may have ended already. Begin it again in the application."
  )

  /// The notification of a window that the user has not seen yet, below its title.
  package static let waiting: Message = "A sign-in waits for you in another window."

  /// The notification of a code that has not been typed in yet.
  package static func codeEnds(in seconds: Int64) -> (title: Message, sentence: Message) {
    ("A sign-in still waits for you", DeviceText.time(left: seconds))
  }
}
