/// How much room a page gets, in the pixels of style sheets.
package struct WindowSize: Sendable, Equatable {
  package let width: Int
  package let height: Int

  /// Nothing if no window can be as small or as large.
  package init?(width: Int, height: Int) {
    guard Self.possible.contains(width), Self.possible.contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// One in which either would have enough room.
  package func union(_ other: WindowSize?) -> WindowSize {
    guard let other else { return self }
    return WindowSize(width: max(width, other.width), height: max(height, other.height)) ?? self
  }

  private static let possible = 200...10_000
}

extension WindowSize: LosslessStringConvertible {
  /// Reads what ``description`` writes, such as `960x720`.
  package init?(_ description: String) {
    let (width, height) = description.splitOnce(at: "x")
    let numbers = [width, height ?? ""].compactMap { text in
      text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
    }
    guard numbers.count == 2 else { return nil }
    self.init(width: numbers[0], height: numbers[1])
  }

  package var description: String { "\(width)x\(height)" }
}
