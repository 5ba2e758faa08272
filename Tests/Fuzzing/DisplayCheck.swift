@testable import LoginCore
@testable import WindowProtocol

extension Check {
  /// Foreign texts that people see.
  static let display = Check(growing: [
    ("blanks", { pieces($0) { _ in "  a" } }), ("marks", { pieces($0) { _ in "\u{301}" } }),
    ("colons", { pieces($0, from: "https://") { _ in ":" } }), ("words", { pieces($0) { "w\($0) " } }),
  ]
  ) { bytes in
    let text = bytes.text
    for limit in [0, 3, 60, .max] {
      let shown = text.forDisplay(limit: limit)
      require(isShowable(shown), "a shown text has no control characters: \(shown)")
      require(limit == .max || shown.unicodeScalars.count <= limit * 2 + 2, "a shown text is cut: \(shown)")
      require(
        shown.forDisplay(limit: .max).bytes == shown.bytes,
        "a shown text does not change when it is shown again: \(shown)")
      checkOrder(of: shown, in: text)
    }
    require(isShowable(("a \(text) b" as Message).description), "a sentence is one line")
    require(
      ("%1$s %% \(text)" as Message).description.has("%1$s %% "), "a value is not a placeholder")
    checkPage(text)
    let nearest = nearestName(to: text, among: ["client_id", "scope"])
    require(nearest == nil || text.utf8.count <= 64, "a long word gets no suggestion")
  }

  /// Checks that all shown characters are in the text and in its order, except spaces and the ellipsis.
  private static func checkOrder(of shown: String, in text: String) {
    var rest = text.unicodeScalars[...]
    for scalar in shown.unicodeScalars where scalar != " " && scalar != "…" {
      guard let index = rest.firstIndex(of: scalar) else {
        return require(false, "\(scalar) is not in \(text)")
      }
      rest = rest[rest.index(after: index)...]
    }
  }

  private static func checkPage(_ text: String) {
    let page = PageAddress(text)
    require(isShowable(page.host) || !isShowable(text), "a host can be shown: \(page.host)")
    require(page.connection != .secure || text.hasPrefix("https:"), "the connection to \(text) is encrypted")
    guard page.connection == .secure, let address = try? WebAddress(text) else { return }
    // Only the end of a long host is shown.
    let isSame = page.origin.bytes == address.origin.bytes
    let end = page.host.dropFirst().bytes
    let isEnd = page.host.hasPrefix("…") && address.origin.bytes.suffix(end.count).elementsEqual(end)
    require(
      isSame || isEnd || text.bytes != address.description.bytes,
      "\(text) is not shown as \(page.origin)")
  }
}
