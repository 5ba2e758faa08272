/// Names that have been seen, told apart by their bytes.
package struct NameSet: Sendable {
  private var few: [String] = []
  /// With the type of what finds a member of a large object: that of a set is as much code again.
  private var many: [ByteName: Int] = [:]

  package init() {}

  /// A set that will hold about `count` names.
  init(expecting count: Int) {
    if count > Self.fewAtMost { many.reserveCapacity(count) }
  }

  /// Up to here a comparison with every name is faster than a hash.
  private static let fewAtMost = 16

  package func contains(_ name: String) -> Bool {
    many.isEmpty ? few.contains { $0.isIdentical(to: name) } : many[ByteName(text: name)] != nil
  }

  /// False if the name was there before.
  @discardableResult
  package mutating func insert(_ name: String) -> Bool {
    if !many.isEmpty { return many.updateValue(0, forKey: ByteName(text: name)) == nil }
    if contains(name) { return false }
    few.append(name)
    if few.count > Self.fewAtMost { for name in few { many[ByteName(text: name)] = 0 } }
    return true
  }
}

/// A name that equals another if its bytes do. A string's own hash would put all spellings of one text into
/// one place, which a hostile document could fill.
struct ByteName: Hashable {
  let text: String

  static func == (left: ByteName, right: ByteName) -> Bool { left.text.isIdentical(to: right.text) }

  @_optimize(speed)
  func hash(into hasher: inout Hasher) {
    let bytes = text.utf8.span
    var word: UInt64 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      if index & 7 == 7 { hasher.combine(word) }  // eight bytes at a time take an eighth of the time
    }
    hasher.combine(word)
    hasher.combine(bytes.count)
  }
}
