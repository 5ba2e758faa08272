import Testing

@testable import LoginCore

/// What an account may be called, and what its file is called then.
@Suite("AccountName")
struct AccountNameTests {
  @Test(
    "what a person can read back is a name",
    arguments: ["work", "ann@mail.example", "Почта", "a b", "https://git.example/~ann", ".", "..", "100%"])
  func name(text: String) throws {
    let name = try #require(AccountName(text))
    #expect(name.description == text)
    #expect(AccountName(fileName: name.fileName) == name)
    #expect(!name.fileName.contains("/") && !name.fileName.hasPrefix("."))
  }

  // They are on users' disks, so they stay what they are.
  @Test(
    "accounts are files of these names",
    arguments: [
      ("work", "work"), ("ann@mail.example", "ann@mail.example"), ("a/../b", "a%2F..%2Fb"),
      (".a.", "%2Ea."), ("..", "%2E."), ("a~b+c", "a~b%2Bc"), ("%40 é-_", "%2540%20%C3%A9-_"),
      ("\u{301}x", "%CC%81x"), (".\u{301}", "%2E%CC%81"),
    ])
  func fileNames(text: String, fileName: String) throws {
    #expect(try #require(AccountName(text)).fileName == fileName)
    #expect(AccountName(fileName: fileName)?.description.isIdentical(to: text) == true)
  }

  @Test(
    "what nobody can see, or what is too long, is none",
    arguments: [
      "", " ", " a", "a ", "a\nb", "a\u{0}", "a\u{202E}b", "a\u{200B}b", "a\u{2028}b", "a\u{FFFD}",
      "a\u{A0}b",
      String(repeating: "a", count: 65), String(repeating: "ж", count: 33),
    ])
  func noName(text: String) {
    #expect(AccountName(text) == nil)
  }

  @Test("the longest name fits into a file's name with room for what the store adds")
  func longest() throws {
    let name = try #require(AccountName(String(repeating: "ж", count: 32)))
    #expect(name.fileName.utf8.count == 192)
  }

  @Test("names that look the same but have other bytes are other names")
  func bytes() throws {
    let composed = try #require(AccountName("caf\u{E9}"))
    let decomposed = try #require(AccountName("cafe\u{301}"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed.fileName != decomposed.fileName)
  }

  @Test(
    "a file that was not named by us is no account",
    arguments: ["", "a%4", "a%zz", "%61", "a b", ".work", "%2e%2F", "work%"])
  func otherFile(fileName: String) {
    #expect(AccountName(fileName: fileName) == nil)
  }
}
