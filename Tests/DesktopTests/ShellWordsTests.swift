import Desktop
import Testing

@Suite("The words of a command")
struct ShellWordsTests {
  @Test(
    "They are split as a shell splits them, and nothing is expanded",
    arguments: [
      ("firefox", ["firefox"]), ("  a  b ", ["a", "b"]),
      ("a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]),
      ("a ''", ["a", ""]), ("a $HOME `id` *", ["a", "$HOME", "`id`", "*"]),
      ("a; b | c", ["a;", "b", "|", "c"]),
      ("a \"$(id)\"", ["a", "$(id)"]), ("'", nil), ("\"a", nil), ("", nil), ("  ", nil),
    ] as [(String, [String]?)])
  func split(command: String, words: [String]?) { #expect(shellWords(command) == words) }
}
