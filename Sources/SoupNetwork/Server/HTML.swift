/// A piece of HTML. The literal is markup, and interpolated strings are escaped, so no value can become markup.
///
/// Put attribute values in double quotes, and do not interpolate into scripts or styles.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  package private(set) var markup: String

  package init(stringLiteral markup: StaticString) { self.markup = markup.description }

  package init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

  /// Joins several pieces.
  package init(_ pieces: [HTML]) { markup = pieces.map(\.markup).joined() }

  /// Collects markup and escaped texts.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    package mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    /// Adds a text, escaped.
    package mutating func appendInterpolation(_ text: String) { markup += HTML.escape(text) }

    /// Adds markup.
    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    /// Adds markup unless it is nil.
    package mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }
  }

  /// Works on scalars: a quote with a combining mark is one character in Swift, but still a quote in HTML.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\0": escaped += "\u{FFFD}"  // as HTML parsers do
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
