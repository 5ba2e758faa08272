import LoginCore

/// In which language a sentence is said.
package enum Language {
  case english, ofUser

  /// The name that HTML has for the language of the user's sentences.
  package static var tag: String {
    let header = Catalogues.translation { Catalogues.find("", in: $0) } ?? ""
    let line = header.parts(at: "\n").first { $0.hasPrefix("Language: ") }
    return line.map { String($0.dropFirst("Language: ".count)).replacingAll("_", with: "-") } ?? "en"
  }

  /// Whether that language is written from right to left.
  package static var isRightToLeft: Bool { ["ar", "fa", "he", "ur"].contains(tag.prefix { $0 != "-" }) }

  /// How this language puts a sentence.
  func pattern(_ english: String) -> String {
    if self == .english { return english }
    return Catalogues.translation { Catalogues.find(english, in: $0) } ?? english
  }

  /// How this language puts a sentence with a number in it.
  func pattern(_ one: String, _ other: String, _ count: Int) -> String {
    let english = count == 1 ? one : other
    if self == .english { return english }
    return Catalogues.translation { Catalogues.find(one, other, count, in: $0) } ?? english
  }

  /// A value that stands in a sentence: where the sentence runs from right to left, a host must not be torn apart.
  func isolated(_ value: String) -> String {
    self == .ofUser && Self.isRightToLeft ? "\u{2068}\(value)\u{2069}" : value
  }
}
