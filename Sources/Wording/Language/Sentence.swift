import LoginCore

/// What a person is told: as the source has it, which programs and logs are told as well, and in the user's language.
///
/// A literal of this type is found by `data/po/extract.py` and handed to the translators; what is put into it is not
/// translated, unless it is a sentence itself. Whatever a value has come from: nothing in it writes on a terminal, and
/// it ends.
package struct Sentence: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// What the catalogues know it by: `%1$s` stands for the first value, and `%%` for a percent sign.
  private let pattern: String
  private let values: [Value]
  /// For a sentence with a number in it: the pattern for other numbers than one.
  private var plural: (pattern: String, count: Int)?

  /// What is put into a sentence.
  fileprivate enum Value: Sendable {
    case text(String)
    case sentence(Sentence)

    func rendered(_ language: Language) -> String {
      switch self {
      case .text(let text): language.isolated(text)
      case .sentence(let sentence): sentence.rendered(language)
      }
    }
  }

  package init(stringLiteral text: String) { self.init(stringInterpolation: .init(text)) }
  package init(stringInterpolation parts: StringInterpolation) {
    (pattern, values) = (parts.pattern, parts.values)
  }

  /// Words that are nobody's to translate: a name, or what somebody else has said.
  package init(verbatim text: String) {
    (pattern, values) = (Self.place(1), [.text(text.forDisplay(limit: 1_000))])
  }

  /// A sentence that another program of ours has said, in English: the catalogues may have it.
  package init(said text: String) { self.init(stringInterpolation: .init(text.forDisplay(limit: 200))) }

  /// The sentence for one of something, or for another number; both have the same values in them.
  package init(_ count: some BinaryInteger, one: Sentence, other: Sentence) {
    (pattern, values) = (one.pattern, other.values)
    plural = (other.pattern, Int(clamping: count))
  }

  /// The sentence in English.
  package var source: String { rendered(.english) }
  /// The sentence in the user's language.
  package var text: String { rendered(.ofUser) }

  private func rendered(_ language: Language) -> String {
    let words = plural.map { language.pattern(pattern, $0.pattern, $0.count) } ?? language.pattern(pattern)
    var (text, rest) = ("", words.unicodeScalars[...])
    while let percent = rest.firstIndex(of: "%") {
      text.unicodeScalars += rest[..<percent]
      rest = rest[percent...].dropFirst()
      if rest.first == "%" {
        text += "%"
        rest = rest.dropFirst()
      } else {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count + 2)
        if let number = Int(String(digits)), values.indices.contains(number - 1) {
          text += values[number - 1].rendered(language)
        }
      }
    }
    text.unicodeScalars += rest
    return text
  }

  private static func place(_ number: Int) -> String { "%\(number)$s" }

  /// Two sentences that say the same in English.
  package static func == (left: Sentence, right: Sentence) -> Bool { left.source == right.source }

  /// Collects the parts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pattern = ""
    fileprivate var values: [Value] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    fileprivate init(_ text: String) { appendLiteral(text) }

    package mutating func appendLiteral(_ text: String) { pattern += text.replacingAll("%", with: "%%") }

    package mutating func appendInterpolation(_ sentence: Sentence) { append(.sentence(sentence)) }
    package mutating func appendInterpolation(_ text: String) { appendInterpolation(text, upTo: 600) }
    package mutating func appendInterpolation(_ text: String, upTo limit: Int) {
      append(.text(text.forDisplay(limit: limit)))
    }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(value.description)
    }

    private mutating func append(_ value: Value) {
      values.append(value)
      pattern += Sentence.place(values.count)
    }
  }
}

/// Lists.
extension [Sentence] {
  package var list: Sentence { joined { "\($0), \($1)" } }
  package var conjunction: Sentence { joined { "\($0) and \($1)" } }
  package var alternatives: Sentence { joined { "\($0) or \($1)" } }

  private func joined(_ joint: (Sentence, Sentence) -> Sentence) -> Sentence {
    dropFirst().reduce(first ?? Sentence(verbatim: ""), joint)
  }
}

extension [String] {
  /// The names as what they are in every language.
  package var verbatim: [Sentence] { map(Sentence.init(verbatim:)) }
}

extension Sentence: CustomStringConvertible {
  /// For tests and debuggers, as the source has it.
  package var description: String { source }
}
