/// The components of a URI, split as RFC 3986 appendix B and left as they are.
struct URIParts {
  let scheme: String
  let authority: String?
  let path: String
  let query: String?
  let fragment: String?

  init(_ text: String) throws(AddressFault) {
    var rest = text[...]
    fragment = rest.cut(from: "#")
    query = rest.cut(from: "?")
    guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), colon != rest.startIndex,
      let first = rest.utf8.first, first.isLetter,
      rest.utf8[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { throw .notAbsolute }
    scheme = rest[..<colon].lowercased()
    rest = rest[rest.utf8.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    } else {
      authority = nil
    }
    path = String(rest)
    guard text.utf8.allSatisfy({ $0.isVisible && !$0.isNeverBare }) else {
      throw .illegalCharacter
    }
    if authority?.utf8.contains(UInt8(ascii: "@")) == true { throw .credentials }
    if Self.hasDotSegment(path) { throw .dotSegment }
  }

  private static let dotSegments = [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"]

  private static func hasDotSegment(_ path: String) -> Bool {
    var rest = path[...]
    while let first = rest.utf8.first {
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      if ".%".utf8.contains(first), dotSegments.contains(rest[..<end].lowercased()) { return true }
      rest = rest[end...]
      if !rest.isEmpty { rest = rest[rest.utf8.index(after: end)...] }
    }
    return false
  }
}

extension UInt8 {
  /// A printable character that RFC 3986 allows nowhere, and which web engines escape or reinterpret.
  fileprivate var isNeverBare: Bool {
    switch Unicode.Scalar(self) {
    case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": true
    default: false
    }
  }
}

extension Substring {
  /// Removes everything from the first `mark` on and returns what followed the mark.
  fileprivate mutating func cut(from mark: Unicode.Scalar) -> String? {
    guard let index = utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
    let tail = String(self[utf8.index(after: index)...])
    self = self[..<index]
    return tail
  }
}
