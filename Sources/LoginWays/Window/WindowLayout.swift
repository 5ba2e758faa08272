import LoginCore

/// How large the user wants the window and what is in it.
package struct WindowLayout: Sendable, Equatable {
  /// Its size, if the user has changed it.
  package var size: WindowSize?
  /// How large pages are shown, in percent of their own size.
  package var zoom: Int

  package init(size: WindowSize? = nil, zoom: Int = 100) {
    self.size = size
    self.zoom = Self.zooms.clamp(zoom)
  }

  /// What a page can still be read at.
  package static let zooms = 50...300
}

extension ClosedRange<Int> {
  fileprivate func clamp(_ number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound) }
}

extension WindowLayout: LosslessStringConvertible {
  /// Reads what ``description`` writes, such as `640x800 110%`, or the zoom alone.
  package init?(_ description: String) {
    let words = description.split(separator: " ").map(String.init)
    guard let last = words.last, last.hasSuffix("%"), let zoom = Int(last.dropLast()), words.count <= 2,
      Self.zooms.contains(zoom)
    else { return nil }
    let size = words.count == 2 ? WindowSize(words[0]) : nil
    if words.count == 2, size == nil { return nil }
    self.init(size: size, zoom: zoom)
  }

  package var description: String { ((size.map { ["\($0)"] } ?? []) + ["\(zoom)%"]).joined(separator: " ") }
}

extension WindowLayout {
  /// Reads the members; those that are not known are left to later versions.
  init(_ object: JSONObject) {
    self.init(
      size: object["size"]?.string.flatMap(WindowSize.init), zoom: Int(object["zoom"]?.truncated ?? 100))
  }

  /// The members that say something.
  var json: JSONObject {
    [
      "size": size.map { .string($0.description) },
      "zoom": zoom == 100 ? nil : .number(JSONNumber(Int64(zoom))),
    ]
  }
}
