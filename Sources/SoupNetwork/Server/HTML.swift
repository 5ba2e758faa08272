/// A piece of HTML into which texts come escaped: what stands in the literal is markup, what is interpolated
/// is text, so that no value from outside can become markup.
///
/// Attribute values have to stand in double quotes, and nothing may be interpolated into a script or a style.
public struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup.
  public private(set) var markup: String

  /// A piece without text from outside.
  public init(stringLiteral markup: StaticString) { self.markup = markup.description }

  public init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

  /// Several pieces, one after the other.
  public init(_ pieces: [HTML]) { markup = pieces.map(\.markup).joined() }

  /// Collects markup and escaped texts.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    public init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    /// Adds a text.
    public mutating func appendInterpolation(_ text: String) { markup += HTML.escape(text) }

    /// Adds markup.
    public mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    /// Adds markup where there is any.
    public mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }
  }

  /// By scalars: a quote with a combining mark behind it is one character for Swift and still a quote for
  /// HTML.
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
      case "\0": escaped += "\u{FFFD}"  // as HTML reads it
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
