import GLibSupport
import Testing
import WindowProtocol

@testable import SignIn

@Suite("QuestionPrompt")
struct QuestionPromptTests {
  private static let noFlags = PINFlags(wasWrong: false, leavesFewTries: false, isLastTry: false)

  @Test(
    "An empty line goes on without a certificate, and so does no where no text is wanted",
    arguments: [
      (Question.token(for: "a"), "", "without", nil), (.token(for: "a"), "No", "without", nil),
      (.token(for: "a"), "yes", "again", nil),
      (.pin(of: "b", for: "a", Self.noFlags), "", "without", nil),
      (.pin(of: "b", for: "a", Self.noFlags), "no", "continue", "no"),
      (.choice(of: ["b", "c"], for: "a"), "", "without", nil),
    ] as [(Question, String, String?, String?)])
  func card(question: Question, line: String, button: String?, text: String?) {
    #expect(QuestionPrompt.answer(line, to: question) == Question.Answer(button: button, text: text))
  }
}

@Suite("LineEditor")
struct LineEditorTests {
  private func lines(_ keys: String, limit: Int = 100) -> [String] {
    var editor = LineEditor(limit: limit)
    return keys.utf8.compactMap { key in
      switch editor.take(key) {
      case .line(let bytes): String(decoding: bytes, as: UTF8.self)
      case .end: "END"
      case nil: nil
      }
    }
  }

  @Test(
    "Backspace, Ctrl-U and Ctrl-D work as at a shell",
    arguments: [
      ("abc\n", ["abc"]), ("abc\r", ["abc"]), ("abc", []), ("ab\u{7F}c\n", ["ac"]), ("\u{8}\u{8}a\n", ["a"]),
      ("abc\u{15}d\n", ["d"]), ("\u{4}", ["END"]), ("a\u{4}b\n", ["ab"]), ("a\nb\n", ["a", "b"]),
      ("\n", [""]),
    ])
  func keys(keys: String, expected: [String]) { #expect(lines(keys) == expected) }

  @Test("An endless line is kept only up to one byte more than the limit")
  func limit() {
    #expect(
      lines(String(repeating: "a", count: 1_000) + "\n", limit: 10) == [String(repeating: "a", count: 11)])
  }
}
