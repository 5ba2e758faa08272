/// A pattern in which `*` stands for any run of characters and `?` for one; all else stands for itself.
///
/// There is no escape: JSON is full of backslashes, and a `?` in an address matches itself anyway.
struct Glob: Equatable, Sendable {
  /// The pattern as it stands in the story.
  let pattern: String

  init(_ pattern: String) {
    self.pattern = pattern
  }

  /// Whether the whole of `text` fits the pattern, in time bounded by the product of the two lengths.
  func matches(_ text: String) -> Bool {
    let pattern = Array(pattern.unicodeScalars)
    let text = Array(text.unicodeScalars)
    var inPattern = 0
    var inText = 0
    var retry: (pattern: Int, text: Int)?

    while inText < text.count {
      if inPattern < pattern.count, pattern[inPattern] == "*" {
        retry = (inPattern + 1, inText)
        inPattern += 1
      } else if inPattern < pattern.count, pattern[inPattern] == "?" || pattern[inPattern] == text[inText] {
        inPattern += 1
        inText += 1
      } else if let last = retry {
        // Only the last star needs a second try: what it gave up, an earlier one could not use better.
        retry = (last.pattern, last.text + 1)
        inPattern = last.pattern
        inText = last.text + 1
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == "*" }
  }
}
