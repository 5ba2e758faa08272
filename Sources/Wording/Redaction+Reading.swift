import LoginCore

extension Redaction {
  /// A text with all the ways in which it can be read by those who decode what looks encoded in it: each escape or none,
  /// and what came of that again. So a secret is found whatever stands before it and whatever it is made of.
  struct Reading {
    private let bytes: [UInt8]
    /// For each place what begins there at a percent sign or a backslash and stands for something else.
    private var escapes: [Set<Unit>]
    /// Where an escape ends that stands for neither a letter nor a digit.
    private var separations: Set<Int> = []

    /// A part of the text that stands for a character.
    private struct Unit: Hashable {
      let value: [UInt8]
      let end: Int
    }

    /// As often a text may be encoded.
    private static let depth = 3

    init(_ source: [UInt8]) {
      bytes = Redaction.canonical(source)
      escapes = [Set<Unit>](repeating: [], count: source.count)
      let places = bytes.indices.filter { [UInt8(ascii: "%"), UInt8(ascii: "\\")].contains(bytes[$0]) }
      for _ in 0..<Self.depth {
        var found = escapes
        for place in places { found[place] = Set(percentEscapes(at: place) + backslashEscapes(at: place)) }
        escapes = found
      }
      for unit in escapes.joined() where !Redaction.isOfWords(unit.value[0]) {
        separations.insert(unit.end)
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
    var end: Int?
    while let step = waiting.popLast() {
      let isFound =
        step.count == secret.count
        ? stands(start..<step.place, step.count)
        : step.count >= Redaction.shortest && isCut(at: step.place)
      if isFound { end = max(end ?? 0, step.place) }
      if step.count == secret.count || step.place == bytes.count { continue }
      if bytes[step.place] == secret[step.count] {
        // As long as there are no escapes there is one way alone.
        let next = Step(count: step.count + 1, place: step.place + 1)
        if seen.isEmpty || seen.insert(next).inserted { waiting.append(next) }
      }
      for unit in escapes[step.place] where secret[step.count...].starts(with: unit.value) {
        let next = Step(count: step.count + unit.value.count, place: unit.end)
        if seen.insert(next).inserted { waiting.append(next) }
      }
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
  private func units(at place: Int) -> [Unit] {
    guard place < bytes.count else { return [] }
    return [Unit(value: [bytes[place]], end: place + 1)] + escapes[place]
  }

  /// Where a character ends that is there in one way or another.
  private func ends(of character: UInt8, at place: Int) -> [Int] {
    units(at: place).filter { $0.value == [character] }.map(\.end)
  }

  /// The numbers of so many hexadecimal digits, and where they end.
  private func numbers(_ count: Int, at place: Int) -> [(value: UInt32, end: Int)] {
    var found: [(value: UInt32, end: Int)] = [(0, place)]
    for _ in 0..<count {
      found = found.flatMap { number in
        units(at: number.end).compactMap { unit in
          unit.value[0].hexadecimalValue.map { (number.value << 4 | UInt32($0), unit.end) }
        }
      }
    }
    return found
  }

  /// What is encoded as in an address.
  private func percentEscapes(at place: Int) -> [Unit] {
    ends(of: UInt8(ascii: "%"), at: place).flatMap { numbers(2, at: $0) }.map {
      Unit(value: Redaction.canonical([UInt8($0.value)]), end: $0.end)
    }
  }

  /// What JSON writes with one character behind a backslash (RFC 8259 section 7); others stand for themselves.
  private static let simple: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "r"): 0x0D,
  ]

  /// What is encoded as in JSON.
  private func backslashEscapes(at place: Int) -> [Unit] {
    ends(of: UInt8(ascii: "\\"), at: place).flatMap { backslash in
      units(at: backslash).compactMap { unit in
        Self.simple[unit.value[0]].map { Unit(value: [$0], end: unit.end) }
      } + ends(of: UInt8(ascii: "u"), at: backslash).flatMap { numbers(4, at: $0) }.flatMap(character)
    }
  }

  /// The character of a number behind \u. One beyond the first plane is a pair; half a pair is nobody's character.
  private func character(_ number: (value: UInt32, end: Int)) -> [Unit] {
    if let scalar = Unicode.Scalar(number.value) { return [Self.unit(scalar, number.end)] }
    guard number.value < 0xDC00 else { return [] }
    return ends(of: UInt8(ascii: "\\"), at: number.end).flatMap { ends(of: UInt8(ascii: "u"), at: $0) }
      .flatMap { numbers(4, at: $0) }.compactMap { second in
        guard (0xDC00...0xDFFF).contains(second.value) else { return nil }
        return Unicode.Scalar(0x10000 + (number.value - 0xD800) << 10 + (second.value - 0xDC00)).map {
          Self.unit($0, second.end)
        }
      }
  }

  private static func unit(_ scalar: Unicode.Scalar, _ end: Int) -> Unit {
    Unit(value: Redaction.canonical(Array(String(scalar).utf8)), end: end)
  }
}
