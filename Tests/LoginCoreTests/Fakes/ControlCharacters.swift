@testable import LoginCore

extension String {
  /// Whether anything in the text could move a terminal's cursor.
  var hasControlCharacter: Bool { unicodeScalars.contains { $0.isControl } }
}
