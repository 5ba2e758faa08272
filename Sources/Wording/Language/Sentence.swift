import LoginCore

/// What a person is told: as the source has it, which programs and logs are told as well, and in the user's language.
///
/// A literal of this type in this target is found by `Tests/check-translations.py` and handed to the translators; what is
/// put into it is not translated, unless it is a sentence itself. Whatever a value has come from: nothing in it writes on
/// a terminal, and it ends.
package struct Sentence: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// One word in size, and put together in one place: there are hundreds of sentences in a program.
  private let parts: Parts

  private final class Parts: Sendable {
    /// What the catalogues know it by: `%1$s` stands for the first value, and `%%` for a percent sign.
    let pattern: String
    let values: [Value]
    /// For a sentence with a number in it: the pattern for other numbers than one.
    let plural: (pattern: String, count: Int)?

    init(_ pattern: String, _ values: [Value], plural: (pattern: String, count: Int)? = nil) {
      (self.pattern, self.values, self.plural) = (pattern, values, plural)
    }
  }

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

  @inline(never)
  package init(stringLiteral text: String) { parts = Parts(Self.escaped(text), []) }

  @inline(never)
  package init(stringInterpolation: StringInterpolation) {
    parts = Parts(stringInterpolation.pattern, stringInterpolation.values)
  }

  /// Words that are nobody's to translate: a name, or what somebody else has said.
  @inline(never)
  package init(verbatim text: String) {
    parts = Parts(Self.place(1), [.text(text.forDisplay(limit: 1_000))])
  }

  /// A sentence that another program of ours has said, in English: the catalogues may have it.
  package init(said text: String) { self.init(stringLiteral: text.forDisplay(limit: 200)) }

  /// The sentence for one of something, or for another number; both have the same values in them.
  package init(_ count: some BinaryInteger, one: Sentence, other: Sentence) {
    parts = Parts(
      one.parts.pattern, other.parts.values, plural: (other.parts.pattern, Int(clamping: count)))
  }

  /// The sentence in English.
  package var source: String { rendered(.english) }
  /// The sentence in the user's language.
  package var text: String { rendered(.ofUser) }

  private func rendered(_ language: Language) -> String {
    // By nothing at all a catalogue is asked for what it says of itself.
    if parts.pattern.isEmpty { return "" }
    let words =
      parts.plural.map { language.pattern(parts.pattern, $0.pattern, $0.count) }
      ?? language.pattern(parts.pattern)
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
        if let number = Int(String(digits)), parts.values.indices.contains(number - 1) {
          text += parts.values[number - 1].rendered(language)
        }
      }
    }
    text.unicodeScalars += rest
    return text
  }

  private static func place(_ number: Int) -> String { "%\(number)$s" }
  private static func escaped(_ text: String) -> String { text.replacingAll("%", with: "%%") }

  /// Two sentences that say the same in English.
  package static func == (left: Sentence, right: Sentence) -> Bool { left.source == right.source }

  /// Collects the parts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pattern = ""
    fileprivate var values: [Value] = []

    @inline(never)
    package init(literalCapacity: Int, interpolationCount: Int) {}

    @inline(never)
    package mutating func appendLiteral(_ text: String) { pattern += escaped(text) }

    @inline(never)
    package mutating func appendInterpolation(_ sentence: Sentence) { append(.sentence(sentence)) }

    @inline(never)
    package mutating func appendInterpolation(_ text: String) { appendInterpolation(text, upTo: 600) }

    package mutating func appendInterpolation(_ text: String, upTo limit: Int) {
      append(.text(text.forDisplay(limit: limit)))
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(value.description)
    }

    private mutating func append(_ value: Value) {
      values.append(value)
      pattern += place(values.count)
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
