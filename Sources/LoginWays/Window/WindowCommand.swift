import LoginCore

/// What the window is told, one JSON object a line.
package enum WindowCommand: Sendable, Equatable {
  /// Comes first, and once.
  case open(WindowOpening)
  /// Go to the page, which was not known when the window was opened.
  case go(to: String)
  /// In place of that: say what can be shown here, and end.
  case check
  /// Come to the front, unless it is to stay out of sight.
  case raise
  /// Be visible, even before a page is ready, and even if it was to stay out of sight.
  case show
  /// The login is over without an answer.
  case cancel
  /// The last callback was the answer.
  case accept
  /// The login is in the browser; take the answer if the user brings it.
  case ask(PasteQuestion)
  /// No browser could be opened, so that the user goes on with the page, or elsewhere.
  case unopened
  /// The login is on another device; tell the user what to do there.
  case device(DeviceInstruction)
  /// So long does the login wait from now on.
  case deadline(TimeLeft)

  /// The longest line that is read.
  package static let maximumLength = 1_024 * 1_024

  /// Reads a line. What is not known is nothing: later versions may say more.
  package init?(line: [UInt8]) {
    guard let member = WindowLine.member(of: line, upTo: Self.maximumLength) else { return nil }
    let object = member.value.object
    let command: WindowCommand? =
      switch member.name {
      case "open": object.flatMap(WindowOpening.init).map { .open($0) }
      case "go": object?["url"]?.string.map { .go(to: $0) }
      case "ask": object?["paste"]?.object.map { .ask(PasteQuestion($0)) }
      case "device": object.flatMap(DeviceInstruction.init).map { .device($0) }
      case "deadline": object.flatMap(TimeLeft.init).map { .deadline($0) }
      default: member.value == true ? Self.words.first { $0.name == member.name }?.command : nil
      }
    guard let command else { return nil }
    self = command
  }

  /// Those that are a name alone.
  private static let words: [(name: String, command: WindowCommand)] = [
    ("check", .check), ("raise", .raise), ("show", .show), ("cancel", .cancel), ("accept", .accept),
    ("unopened", .unopened),
  ]

  /// The line, with its line feed.
  package var line: String {
    let object: JSONObject =
      switch self {
      case .open(let opening): ["open": .object(opening.json)]
      case .go(let url): ["go": ["url": .string(url)]]
      case .ask(let question): ["ask": ["paste": .object(question.json)]]
      case .device(let instruction): ["device": .object(instruction.json)]
      case .deadline(let time): ["deadline": .object(time.json)]
      case .check, .raise, .show, .cancel, .accept, .unopened:
        Self.words.reduce(into: [:]) { if $1.command == self { $0[$1.name] = true } }
      }
    return object.text + "\n"
  }
}

/// The shape that all messages have: an object with one member, which says what it is about.
enum WindowLine {
  static func member(of line: [UInt8], upTo limit: Int) -> JSONObject.Member? {
    guard let object = (try? JSONReader.read(line, maximumSize: limit))?.object, object.count == 1 else {
      return nil
    }
    return object.first
  }
}
