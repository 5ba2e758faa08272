/// The name that somebody who wrote `word` probably meant: the nearest of `names`, if it is near enough.
package func nearestName(to word: String, among names: some Sequence<String>) -> String? {
  guard word.utf8.count <= longestName else { return nil }
  let limit = max(1, word.utf8.count / 3)
  // Words are never nearer to each other than their lengths are.
  let likely = names.filter { abs($0.utf8.count - word.utf8.count) <= limit }
  let measured = likely.map { (name: $0, distance: editDistance(word, $0)) }
  let nearest = measured.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
  guard let nearest, nearest.distance <= limit else { return nil }
  return nearest.name
}

/// No name here is longer, and the time below grows with the product of the lengths.
private let longestName = 64

/// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
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
