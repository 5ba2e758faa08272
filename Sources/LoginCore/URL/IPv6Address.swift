/// An IPv6 address, used to check that a text is in the one form in which web engines write it (URL Standard section 3.5).
struct IPv6Address {
  let pieces: [UInt16]

  init(pieces: [UInt16]) { self.pieces = pieces }

  /// Reads groups of hexadecimal digits with at most one gap. Returns nil for embedded IPv4 addresses, which every web
  /// engine rewrites.
  init?(_ text: String) {
    let halves = Self.halves(of: text)
    guard let head = halves.first.flatMap(Self.groups) else { return nil }
    guard halves.count == 2 else {
      guard halves.count == 1, head.count == 8 else { return nil }
      pieces = head
      return
    }
    guard let tail = Self.groups(halves[1]), head.count + tail.count < 8 else { return nil }
    pieces = head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  private static func halves(of text: String) -> [String] {
    guard let gap = text.utf8.indices.first(where: { text[$0...].utf8.starts(with: "::".utf8) }) else {
      return [text]
    }
    return [String(text[..<gap]), String(text[text.utf8.index(gap, offsetBy: 2)...])]
  }

  private static func groups(_ text: String) -> [UInt16]? {
    if text.isEmpty { return [] }
    var groups: [UInt16] = []
    for digits in text.parts(at: ":") {
      guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }),
        let group = UInt16(digits, radix: 16)
      else { return nil }
      groups.append(group)
    }
    return groups
  }

  /// The address as web engines write it: the first of the longest runs of zeros becomes a gap.
  var serialized: String {
    var longest = 0..<0
    var start = 0
    while start < pieces.count {
      let end: Int = pieces[start...].firstIndex { $0 != 0 } ?? pieces.count
      if end - start > max(1, longest.count) { longest = start..<end }
      start = max(end, start + 1)
    }
    func text(_ pieces: ArraySlice<UInt16>) -> String {
      pieces.map { String($0, radix: 16) }.joined(separator: ":")
    }
    if longest.isEmpty { return text(pieces[...]) }
    return text(pieces[..<longest.lowerBound]) + "::" + text(pieces[longest.upperBound...])
  }
}
