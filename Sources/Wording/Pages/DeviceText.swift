import LoginWays

/// What a page of ours says about a code that is typed in on another device.
package struct DeviceText {
  package static let copyAddress = "Copy address"
  package static let copyCode = "Copy code"
  package static let picture = "QR code of the address"

  package let title = "Sign in on any device"
  package let sentence: String
  package let problem: String?

  package init(_ instruction: DeviceInstruction) {
    let what = "open this address on any device"
    sentence =
      switch (instruction.picture != nil, instruction.completeURI != nil) {
      case (true, true):
        "Scan the picture with a phone, or \(what). Type in this code, or check that the page shows it."
      case (true, false): "Scan the picture with a phone, or \(what), and type in the code."
      case (false, _): "Open this address on any device, and type in the code."
      }
    problem =
      instruction.lacksBrowser ? "No browser could be opened: copy the address." : nil
  }

  /// How long the code is good for, exactly only when it matters.
  package static func time(left seconds: Int64) -> String {
    switch seconds {
    case ...0: "The code has expired."
    case 1: "The code is valid for one more second."
    case ..<100: "The code is valid for \(seconds) more seconds."
    case ..<7_200: "The code is valid for \((seconds + 59) / 60) more minutes."
    default: "The code is valid for \(seconds / 3_600) more hours."
    }
  }
}
