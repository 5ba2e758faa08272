@testable import LoginCore
@testable import LoginWays
@testable import Wording

extension Room {
  /// Texts of strangers that people see.
  static let display = Room(
    name: "display", longest: 512,
    growing: [
      ("blanks", { pieces($0) { _ in "  a" } }), ("marks", { pieces($0) { _ in "\u{301}" } }),
      ("colons", { pieces($0, from: "https://") { _ in ":" } }), ("words", { pieces($0) { "w\($0) " } }),
    ]
  ) { bytes in
    let text = bytes.text
    for limit in [0, 3, 60, .max] {
      let shown = text.forDisplay(limit: limit)
      demand(isShowable(shown), "nothing in it writes on a terminal: \(shown)")
      demand(limit == .max || shown.unicodeScalars.count <= limit * 2 + 2, "it ends: \(shown)")
      demand(shown.forDisplay(limit: .max).bytes == shown.bytes, "what is shown is shown as it is: \(shown)")
      checkOrder(of: shown, in: text)
    }
    demand(isShowable("\("a \(text) b" as Sentence)"), "a sentence is one line")
    demand(
      "\("%1$s %% \(text)" as Sentence)".has("%1$s %% "), "what is put into a sentence is no place of it")
    checkPage(text)
    let near = nearestName(to: text, among: ["client_id", "scope"])
    demand(near == nil || text.utf8.count <= 64, "a long word is near to none")
  }

  /// All that is shown is there, in this order, but for a blank or what says that there is more.
  private static func checkOrder(of shown: String, in text: String) {
    var rest = text.unicodeScalars[...]
    for scalar in shown.unicodeScalars where scalar != " " && scalar != "…" {
      guard let index = rest.firstIndex(of: scalar) else {
        return demand(false, "\(scalar) is not in \(text)")
      }
      rest = rest[rest.index(after: index)...]
    }
  }

  private static func checkPage(_ text: String) {
    let page = PageAddress(text)
    demand(isShowable(page.host) || !isShowable(text), "a host can be shown: \(page.host)")
    demand(page.connection != .secure || text.hasPrefix("https:"), "\(text) is not encrypted")
    guard page.connection == .secure, let address = try? WebAddress(text) else { return }
    // Of a host that is too long the end is shown.
    let isSame = page.origin.bytes == address.origin.bytes
    let end = page.host.dropFirst().bytes
    let isEnd = page.host.hasPrefix("…") && address.origin.bytes.suffix(end.count).elementsEqual(end)
    demand(
      isSame || isEnd || text.bytes != address.description.bytes,
      "\(text) is \(page.origin)")
  }
}
