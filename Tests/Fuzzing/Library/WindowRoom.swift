@testable import LoginCore
@testable import LoginWays

extension Room {
  /// What the window and its caller tell each other, in both directions.
  static let window = Room(
    name: "window", longest: 1_024,
    growing: [
      (
        "redirects",
        { elements($0, from: "{\"open\":{\"redirect_uris\":[", to: "]}}") { "\"https://a\($0).example/\"" } }
      ),
      (
        "certificates",
        {
          elements($0, from: "{\"open\":{\"redirect_uris\":[],\"trust\":{", to: "}}}") { "\"a\($0)\":\"b\"" }
        }
      ),
      ("callback", { pieces($0, from: "{\"callback\":{\"uri\":\"", to: "\"}}") { _ in "\\u0041" } }),
    ]
  ) { bytes in
    if let command = WindowCommand(line: bytes) {
      let line = command.line
      check(line)
      demand(WindowCommand(line: line.bytes) == command, "a command is told as it was meant: \(line)")
      if case .open(let opening) = command, let policy = try? opening.policy() {
        demand(policy.redirectTexts == opening.redirectURIs, "where the visit ends is what was said")
      }
    }
    if let event = WindowEvent(line: bytes) {
      let line = event.line
      check(line)
      demand(WindowEvent(line: line.bytes) == event, "an event is told as it was: \(line)")
      if case .closed(_, let fault?) = event { checkWords(of: fault.failure) }
    }
  }

  private static func check(_ line: String) {
    demand(
      line.utf8.last == 0x0A && line.utf8.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F },
      "one line: \(line)")
  }
}
