import Platform
import Testing

@Suite("Words of a shell command")
struct ShellWordsTests {
  @Test(
    "Words are split as by a shell, without expansions",
    arguments: [
      ("firefox", ["firefox"]), ("  a  b ", ["a", "b"]),
      ("a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]),
      ("a ''", ["a", ""]), ("a $HOME `id` *", ["a", "$HOME", "`id`", "*"]),
      ("a; b | c", ["a;", "b", "|", "c"]),
      ("a \"$(id)\"", ["a", "$(id)"]), ("'", nil), ("\"a", nil), ("", nil), ("  ", nil),
    ] as [(String, [String]?)])
  func split(command: String, words: [String]?) { #expect(shellWords(command) == words) }
}
