/// A JSON number in the digits in which it was written: `1.10` stays `1.10`, and no integer loses digits.
public struct JSONNumber: Sendable, Equatable {
  /// The number as RFC 8259 section 6 spells it.
  public let literal: String

  /// The caller has checked the grammar.
  init(literal: String) { self.literal = literal }

  /// An integer.
  public init(_ value: Int64) { literal = String(value) }

  /// Whether it is nothing at all, and not merely little.
  var isZero: Bool {
    !literal.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { $0.isDigit && $0 != UInt8(ascii: "0") }
  }

  /// The number rounded towards zero, or nothing where that does not fit.
  public var truncated: Int64? {
    if let exact = Int64(literal) { return exact }
    guard let value = Double(literal), value > -9.2e18, value < 9.2e18 else { return nil }
    return Int64(value)
  }
}
