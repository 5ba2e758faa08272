import LoginCore

extension Redaction {
  /// A text with all the ways in which it can be read by those who decode what looks encoded in it: each escape or none,
  /// and what came of that again. So a secret is found whatever stands before it and whatever it is made of.
  struct Reading {
    private let bytes: [UInt8]
    /// For each place what begins there at a percent sign or a backslash and stands for something else.
    private var escapes: [[Unit]]
    /// Where an escape ends that stands for neither a letter nor a digit.
    private var separations: Set<Int> = []

    /// A part of the text that stands for a character, or for a byte of one.
    private struct Unit: Equatable {
      /// The bytes of the character, the first one lowest.
      private let bytes: UInt32
      let count: Int
      /// Where it ends in the text.
      let end: Int

      init(_ byte: UInt8, end: Int) { (bytes, count, self.end) = (UInt32(byte), 1, end) }

      init(_ scalar: Unicode.Scalar, end: Int) {
        bytes = scalar.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        (count, self.end) = (scalar.utf8.count, end)
      }

      var first: UInt8 { UInt8(truncatingIfNeeded: bytes) }

      /// Whether a secret goes on with it.
      func continues(_ secret: [UInt8], at place: Int) -> Bool {
        secret.count - place >= count
          && (0..<count).allSatisfy { secret[place + $0] == UInt8(truncatingIfNeeded: bytes >> (8 * $0)) }
      }
    }

    /// As often a text may be encoded.
    private static let depth = 3

    init(_ source: [UInt8]) {
      bytes = Redaction.canonical(source)
      escapes = [[Unit]](repeating: [], count: source.count)
      let places = bytes.indices.filter { [UInt8(ascii: "%"), UInt8(ascii: "\\")].contains(bytes[$0]) }
      for _ in 0..<Self.depth {
        var found = escapes
        for place in places {
          found[place] = []
          forEachEscape(at: place) { if !found[place].contains($0) { found[place].append($0) } }
        }
        escapes = found
      }
      for place in places {
        for unit in escapes[place] where !Redaction.isOfWords(unit.first) { separations.insert(unit.end) }
      }
    }
  }

  private static func isOfWords(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit }
}

/// Looking for secrets.
extension Redaction.Reading {
  /// Marks where a secret is, and where the beginning of it is at which a long text was cut.
  func mark(_ secret: [UInt8], in marked: inout [Bool]) {
    for start in bytes.indices where bytes[start] == secret[0] || !escapes[start].isEmpty {
      if let end = end(of: secret, from: start) { for place in start..<end { marked[place] = true } }
    }
  }

  /// Where a secret ends that begins at a place.
  private func end(of secret: [UInt8], from start: Int) -> Int? {
    var (waiting, seen) = ([Step(count: 0, place: start)], Set<Step>())
    var (end, isForked) = (Int?.none, false)
    while let step = waiting.popLast() {
      let isFound =
        step.count == secret.count
        ? stands(start..<step.place, step.count)
        : step.count >= Redaction.shortest && isCut(at: step.place)
      if isFound { end = max(end ?? 0, step.place) }
      if step.count == secret.count || step.place == bytes.count { continue }
      let others = waiting.count
      forEachUnit(at: step.place) { unit in
        guard unit.continues(secret, at: step.count) else { return }
        let next = Step(count: step.count + unit.count, place: unit.end)
        if !isForked || seen.insert(next).inserted { waiting.append(next) }
      }
      // Where there are two ways they may meet again.
      isForked = isForked || waiting.count > others + 1
    }
    return end
  }

  /// How many bytes of a secret have been read, and how far that is in the text.
  private struct Step: Hashable {
    let count: Int
    let place: Int
  }

  /// Whether so many bytes that are there are no accident.
  private func stands(_ range: Range<Int>, _ count: Int) -> Bool {
    if count >= Redaction.shortestInside { return true }
    let isApart = range.lowerBound == 0 || separations.contains(range.lowerBound)
    return (isApart || !Redaction.isOfWords(bytes[range.lowerBound - 1]))
      && (range.upperBound == bytes.count || !Redaction.isOfWords(bytes[range.upperBound]))
  }

  /// Whether a long text was cut there, perhaps inside of an escape.
  private func isCut(at end: Int) -> Bool {
    (end..<min(end + 6, bytes.count)).contains { bytes[$0] == 0xE2 && bytes[$0...].starts(with: "…".utf8) }
  }
}

/// Escapes.
extension Redaction.Reading {
  /// What stands there as it is, and what it may stand for.
  private func forEachUnit(at place: Int, _ body: (Unit) -> Void) {
    guard place < bytes.count else { return }
    body(Unit(bytes[place], end: place + 1))
    for unit in escapes[place] { body(unit) }
  }

  /// Where a character ends that is there in one way or another.
  private func forEachEnd(of character: UInt8, at place: Int, _ body: (Int) -> Void) {
    forEachUnit(at: place) { if $0.first == character { body($0.end) } }
  }

  /// The numbers of so many hexadecimal digits, and where they end.
  private func forEachNumber(
    _ digits: Int, at place: Int, behind number: UInt32 = 0, _ body: (UInt32, Int) -> Void
  ) {
    if digits == 0 { return body(number, place) }
    forEachUnit(at: place) { unit in
      guard let digit = unit.first.hexadecimalValue else { return }
      forEachNumber(digits - 1, at: unit.end, behind: number << 4 | UInt32(digit), body)
    }
  }

  /// What is encoded as in an address, and what as in JSON.
  private func forEachEscape(at place: Int, _ body: (Unit) -> Void) {
    forEachEnd(of: UInt8(ascii: "%"), at: place) { percent in
      forEachNumber(2, at: percent) { number, end in
        body(Unit(Redaction.canonical(UInt8(number)), end: end))
      }
    }
    forEachEnd(of: UInt8(ascii: "\\"), at: place) { backslash in
      forEachUnit(at: backslash) { unit in
        if let byte = Self.simple[unit.first] { body(Unit(byte, end: unit.end)) }
      }
      forEachUTF16(behind: backslash) { number, end in forCharacter(number, end, body) }
    }
  }

  /// The numbers behind \u.
  private func forEachUTF16(behind backslash: Int, _ body: (UInt32, Int) -> Void) {
    forEachEnd(of: UInt8(ascii: "u"), at: backslash) { forEachNumber(4, at: $0, body) }
  }

  /// The character of a number behind \u. One beyond the first plane is a pair; half a pair is nobody's character.
  private func forCharacter(_ number: UInt32, _ end: Int, _ body: (Unit) -> Void) {
    if let scalar = Unicode.Scalar(number) { return body(Self.unit(scalar, end)) }
    guard number < 0xDC00 else { return }
    forEachEnd(of: UInt8(ascii: "\\"), at: end) { backslash in
      forEachUTF16(behind: backslash) { second, end in
        guard (0xDC00...0xDFFF).contains(second) else { return }
        let value = 0x10000 + (number - 0xD800) << 10 + (second - 0xDC00)
        if let scalar = Unicode.Scalar(value) { body(Self.unit(scalar, end)) }
      }
    }
  }

  private static func unit(_ scalar: Unicode.Scalar, _ end: Int) -> Unit {
    if let byte = UInt8(exactly: scalar.value), byte < 0x80 {
      return Unit(Redaction.canonical(byte), end: end)
    }
    return Unit(scalar, end: end)
  }

  /// What JSON writes with one character behind a backslash (RFC 8259 section 7); others stand for themselves.
  private static let simple: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "r"): 0x0D,
  ]
}
