import LoginCore

/// Whether a page says that its provider lets nobody sign in within an embedded view.
///
/// There is no standard for that. Google's error page names it in its address, in Base64 within a parameter
/// (`authError`); the word is its own, so whoever else uses it means the same.
package enum EmbeddedRefusal {
  private static let word = Array("disallowed_useragent".utf8)

  /// Judges the address of a page.
  package static func isNamed(in uri: String) -> Bool {
    let query = Array((uri.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? "").utf8)
    guard query.count <= Callback.maximumLength,
      let parameters = ParameterList(form: query, upTo: Callback.maximumParameters)
    else { return false }
    return parameters.parameters.contains { parameter in
      let value = parameter.value
      return holdsWord(Array(value.utf8)) || decoded(value).map(holdsWord) ?? false
    }
  }

  /// In either alphabet, padded or not. A form's space was a `+`.
  private static func decoded(_ text: String) -> [UInt8]? {
    var digits = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { digit in
      switch digit {
      case UInt8(ascii: "+"), UInt8(ascii: " "): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    // With zeros behind it no end is a wrong one.
    while digits.count % 4 != 0 { digits.append(UInt8(ascii: "A")) }
    return Base64.decodeURLSafe(String(decoding: digits, as: UTF8.self))
  }

  private static func holdsWord(_ bytes: [UInt8]) -> Bool {
    bytes.count >= word.count
      && (0...(bytes.count - word.count)).contains { bytes[$0..<($0 + word.count)].elementsEqual(word) }
  }
}
