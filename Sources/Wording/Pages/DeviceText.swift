import LoginWays

/// What a page of ours says about a code that is typed in on another device.
package struct DeviceText {
  package static let copyAddress: Sentence = "Copy address"
  package static let copyCode: Sentence = "Copy code"
  package static let picture: Sentence = "QR code of the address"

  package let title: Sentence = "Sign in on any device"
  package let sentence: Sentence
  package let problem: Sentence?

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

  /// How long the code is good for, exactly only when it matters.
  package static func time(left seconds: Int64) -> Sentence {
    switch seconds {
    case ...0: "The code has expired."
    case ..<100:
      Sentence(
        seconds, one: "The code is valid for \(seconds) more second.",
        other: "The code is valid for \(seconds) more seconds.")
    case ..<7_200: Self.minutes((seconds + 59) / 60)
    default: Self.hours(seconds / 3_600)
    }
  }

  private static func minutes(_ minutes: Int64) -> Sentence {
    Sentence(
      minutes, one: "The code is valid for \(minutes) more minute.",
      other: "The code is valid for \(minutes) more minutes.")
  }

  private static func hours(_ hours: Int64) -> Sentence {
    Sentence(
      hours, one: "The code is valid for \(hours) more hour.",
      other: "The code is valid for \(hours) more hours.")
  }
}
