/// An English sentence with values in it: what people read, and the key of its translation.
///
/// Write one as a literal: `"\(host) did not answer within \(seconds) s"`. `Tests/tools/check-translations.py` finds the
/// literal in the sources and hands it to the translators. A value is never translated, unless it is a message itself.
/// Values may come from outside: they are shown in one line, without control characters, and are cut.
///
/// A parser of a single text throws a message that continues "VALUE is …" or "NAME: …", because only its caller knows
/// what the text was for.
package struct Message: Error, Sendable, ExpressibleByStringInterpolation {
  /// One reference, so that a message costs a word to copy and little code to make.
  private let parts: Parts

  private final class Parts: Sendable {
    let pattern: String
    let values: [Value]
    let plural: Plural?

    init(_ pattern: String, _ values: [Value], plural: Plural? = nil) {
      (self.pattern, self.values, self.plural) = (pattern, values, plural)
    }
  }

  fileprivate enum Value: Sendable {
    case text(String)
    case message(Message)
  }

  /// The pattern for numbers other than one, and the number.
  package struct Plural: Sendable {
    package let pattern: String
    package let count: Int
  }

  /// The key of the translation: `%1$s` stands for the first value, and `%%` for a percent sign.
  package var pattern: String { parts.pattern }
  /// The values in English, in the order of the pattern.
  package var values: [String] {
    parts.values.map {
      switch $0 {
      case .text(let text): text
      case .message(let message): message.description
      }
    }
  }

  @inline(never)
  package init(stringLiteral text: String) { parts = Parts(Self.escaped(text), []) }

  @inline(never)
  package init(stringInterpolation: StringInterpolation) {
    parts = Parts(stringInterpolation.pattern, stringInterpolation.values)
  }

  /// A text that has no translation: a name, or the words of another program.
  @inline(never)
  package init(verbatim text: String) {
    parts = Parts(Self.place(1), [.text(text.forDisplay(limit: 1_000))])
  }

  /// A sentence that another program of ours sent in English, so that the catalogues may have it.
  package init(catalogued text: String) { self.init(stringLiteral: text.forDisplay(limit: 200)) }

  private init(_ parts: Parts) { self.parts = parts }

  /// Returns the same message with each value changed, also those of messages in it.
  package func mapValues(_ change: (String) -> String) -> Message {
    let values = parts.values.map { value -> Value in
      switch value {
      case .text(let text): .text(change(text))
      case .message(let message): .message(message.mapValues(change))
      }
    }
    return Message(Parts(parts.pattern, values, plural: parts.plural))
  }

  /// The message for one thing or for another number of things. Both have the same values.
  package init(_ count: some BinaryInteger, one: Message, other: Message) {
    parts = Parts(
      one.parts.pattern, other.parts.values,
      plural: Plural(pattern: other.parts.pattern, count: Int(clamping: count)))
  }

  /// The sentence in the language of `translated`, which returns the pattern to use. `isolated` protects a value from
  /// the writing direction of the text around it.
  package func rendered(
    translated: (_ pattern: String, Plural?) -> String, isolated: (String) -> String
  ) -> String {
    // The empty pattern is a catalogue's key for its own header.
    if parts.pattern.isEmpty { return "" }
    var (text, rest) = ("", translated(parts.pattern, parts.plural).unicodeScalars[...])
    while let percent = rest.firstIndex(of: "%") {
      text.unicodeScalars += rest[..<percent]
      rest = rest[percent...].dropFirst()
      if rest.first == "%" {
        text += "%"
        rest = rest.dropFirst()
      } else {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count + 2)
        if let number = Int(String(digits)), parts.values.indices.contains(number - 1) {
          switch parts.values[number - 1] {
          case .text(let value): text += isolated(value)
          case .message(let message): text += message.rendered(translated: translated, isolated: isolated)
          }
        }
      }
    }
    text.unicodeScalars += rest
    return text
  }

  private static func place(_ number: Int) -> String { "%\(number)$s" }
  private static func escaped(_ text: String) -> String { text.replacingAll("%", with: "%%") }

  /// Collects the parts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pattern = ""
    fileprivate var values: [Value] = []

    @inline(never)
    package init(literalCapacity: Int, interpolationCount: Int) {}

    @inline(never)
    package mutating func appendLiteral(_ text: String) { pattern += escaped(text) }

    /// Adds a message, which is translated too.
    @inline(never)
    package mutating func appendInterpolation(_ message: Message) { append(.message(message)) }

    /// Adds a text of at most 600 characters.
    @inline(never)
    package mutating func appendInterpolation(_ text: String) { appendInterpolation(text, upTo: 600) }

    /// Adds a text that is cut at `limit` characters.
    package mutating func appendInterpolation(_ text: String, upTo limit: Int) {
      append(.text(text.forDisplay(limit: limit)))
    }

    /// Adds the description of a value, of at most 600 characters.
    @inline(never)
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(value.description)
    }

    private mutating func append(_ value: Value) {
      values.append(value)
      pattern += place(values.count)
    }
  }
}

extension Message: CustomStringConvertible {
  /// The sentence in English, for programs and logs.
  package var description: String {
    rendered(
      translated: { pattern, plural in plural.map { $0.count == 1 ? pattern : $0.pattern } ?? pattern },
      isolated: \.self)
  }
}

extension Message: Equatable {
  /// True if both say the same in English.
  package static func == (left: Message, right: Message) -> Bool { left.description == right.description }
}

/// Lists.
extension [Message] {
  package var list: Message { joined { "\($0), \($1)" } }
  package var conjunction: Message { joined { "\($0) and \($1)" } }
  package var alternatives: Message { joined { "\($0) or \($1)" } }

  private func joined(_ joint: (Message, Message) -> Message) -> Message {
    dropFirst().reduce(first ?? Message(verbatim: ""), joint)
  }
}

extension [String] {
  /// Names, which are the same in every language.
  package var verbatim: [Message] { map(Message.init(verbatim:)) }
}
