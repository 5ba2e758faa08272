/// A piece of HTML. The literal is markup, and interpolated strings are escaped, so no value can become markup.
///
/// Put attribute values in double quotes, and do not interpolate into scripts or styles.
public struct HTML: Sendable, ExpressibleByStringInterpolation {
  public private(set) var markup: String

  public init(stringLiteral markup: StaticString) { self.markup = markup.description }

  public init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

  /// Joins several pieces.
  public init(_ pieces: [HTML]) { markup = pieces.map(\.markup).joined() }

  /// Collects markup and escaped texts.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    public init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    /// Adds a text, escaped.
    public mutating func appendInterpolation(_ text: String) { markup += HTML.escape(text) }

    /// Adds markup.
    public mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    /// Adds markup unless it is nil.
    public mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }
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
