@testable import LoginCore

/// A second reader of parameters, to compare with the library's.
struct Parameters {
  private var pairs: [(name: String, value: String)] = []

  /// Reads the query or the fragment of an address.
  init(_ uri: [UInt8], isFragment: Bool) {
    let (page, fragment) = Self.halves(uri, at: "#")
    self.init(form: (isFragment ? fragment : Self.halves(page, at: "?").1) ?? [])
  }

  private static func halves(_ text: [UInt8], at mark: Unicode.Scalar) -> ([UInt8], [UInt8]?) {
    guard let index = text.firstIndex(of: UInt8(mark.value)) else { return (text, nil) }
    return (Array(text[..<index]), Array(text[(index + 1)...]))
  }

  /// Reads a form (URL Standard section 5.1).
  init(form: [UInt8]) {
    for part in form.split(separator: UInt8(ascii: "&")) {
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      pairs.append((Self.decoded(name), Self.decoded(part.dropFirst(name.count + 1))))
    }
  }

  var all: [(name: String, value: String)] { pairs }

  func values(of name: String) -> [String] {
    pairs.filter { $0.name.bytes == name.bytes }.map(\.value)
  }

  var hasRepeatedName: Bool { Set(pairs.map { $0.name.bytes }).count < pairs.count }

  private static func decoded(_ text: ArraySlice<UInt8>) -> String {
    var (bytes, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        digits.allSatisfy(\.isASCII),
        let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
