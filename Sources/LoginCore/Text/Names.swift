/// A set of names, compared byte by byte.
package struct NameSet: Sendable {
  private var few: [String] = []
  /// A dictionary of the type that ``JSONObject`` uses too, because a `Set` would add as much code again.
  private var many: [ByteName: Int] = [:]

  package init() {}

  /// Creates a set that will hold about `count` names.
  init(expecting count: Int) {
    if count > Self.fewAtMost { many.reserveCapacity(count) }
  }

  /// Up to this number, comparing with every name is faster than hashing.
  private static let fewAtMost = 16

  package func contains(_ name: String) -> Bool {
    many.isEmpty ? few.contains { $0.isIdentical(to: name) } : many[ByteName(text: name)] != nil
  }

  /// Adds a name. Returns false if the set contained it already.
  @discardableResult
  package mutating func insert(_ name: String) -> Bool {
    if !many.isEmpty { return many.updateValue(0, forKey: ByteName(text: name)) == nil }
    if contains(name) { return false }
    few.append(name)
    if few.count > Self.fewAtMost { for name in few { many[ByteName(text: name)] = 0 } }
    return true
  }
}

/// A name that is hashed and compared by its bytes. A `String` hashes all canonically equivalent spellings of a text
/// alike, so a hostile document could put thousands of names into one bucket.
struct ByteName: Hashable {
  let text: String

  static func == (left: ByteName, right: ByteName) -> Bool { left.text.isIdentical(to: right.text) }

  func hash(into hasher: inout Hasher) {
    let bytes = text.utf8.span
    var word: UInt64 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      if index & 7 == 7 { hasher.combine(word) }  // Hashing eight bytes at once takes an eighth of the time.
    }
    hasher.combine(word)
    hasher.combine(bytes.count)
  }
}

/// Returns the name that a person who wrote `word` probably meant: the nearest of `names`, if it is near enough.
package func nearestName(to word: String, among names: some Sequence<String>) -> String? {
  guard word.utf8.count <= longestName else { return nil }
  let limit = max(1, word.utf8.count / 3)
  // The distance between two words is at least the difference of their lengths.
  let likely = names.filter { abs($0.utf8.count - word.utf8.count) <= limit }
  let measured = likely.map { (name: $0, distance: editDistance(word, $0)) }
  let nearest = measured.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
  if let nearest, nearest.distance <= limit { return nearest.name }
  // Who shortens a name means the only one that begins so.
  let longer = names.filter { $0.hasPrefix(word) }
  return word.utf8.count >= shortestBeginning && longer.count == 1 ? longer[0] : nil
}

/// Fewer letters may be the beginning of any word.
private let shortestBeginning = 4

/// Longer than any name we look for. The time that a comparison takes grows with the product of the lengths.
private let longestName = 64

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
private func editDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first.utf8), b = Array(second.utf8.prefix(longestName))
  var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
  for i in 0...a.count { table[i][0] = i }
  for j in 0...b.count { table[0][j] = j }
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  for i in 1...a.count {
    for j in 1...b.count {
      let replacement = table[i - 1][j - 1] + (a[i - 1].lowercased == b[j - 1].lowercased ? 0 : 1)
      table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, replacement)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
      }
    }
  }
  return table[a.count][b.count]
}
