extension JSONReader {
  /// The line in which the member at `path` begins, for a message about a document that was read before.
  static func line(of path: [String], in bytes: [UInt8]) -> Int {
    var reader = JSONReader(bytes)
    do throws(JSONFault) {
      for name in path where try !reader.descend(to: name) { break }
    } catch {
      return error.line
    }
    return reader.line
  }

  /// Steps to the value of a member of the object that comes next.
  private mutating func descend(to name: String) throws(JSONFault) -> Bool {
    skipWhitespace()
    try enter()
    while try !skip(UInt8(ascii: "}")) {
      let found = try memberName().isIdentical(to: name)
      if found { return true }
      _ = try value()
      _ = try skip(UInt8(ascii: ","))
    }
    return false
  }
}
