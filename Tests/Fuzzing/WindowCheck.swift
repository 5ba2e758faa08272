@testable import LoginCore
@testable import WindowProtocol

extension Check {
  /// The lines between the window and its caller, in both directions.
  static let window = Check(growing: [
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
      require(WindowCommand(line: line.bytes) == command, "a command is read back unchanged: \(line)")
      if case .open(let opening) = command, let policy = try? opening.policy() {
        require(
          policy.redirectTexts == opening.redirectURIs, "the policy has the redirect URIs of the command")
      }
    }
    if let event = WindowEvent(line: bytes) {
      let line = event.line
      check(line)
      require(WindowEvent(line: line.bytes) == event, "an event is read back unchanged: \(line)")
      if case .closed(_, let fault?) = event { checkText(of: fault.failure) }
    }
  }

  private static func check(_ line: String) {
    require(
      line.utf8.last == 0x0A && line.utf8.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F },
      "a command or event is one line: \(line)")
  }
}
