import Testing

@testable import LoginCore

@Suite("AccountName")
struct AccountNameTests {
  @Test(
    "Text that a person can read back is a name, and comes back from its file name",
    arguments: ["work", "ann@mail.example", "Почта", "a b", "https://git.example/~ann", ".", "..", "100%"])
  func name(text: String) throws {
    let name = try #require(AccountName(text))
    #expect(name.description == text)
    #expect(AccountName(fileName: name.fileName) == name)
    #expect(!name.fileName.contains("/") && !name.fileName.hasPrefix("."))
  }

  // Files with these names are on the disks of users, so they must not change.
  @Test(
    "Accounts have these file names",
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
    "Text with invisible characters or with more than 64 bytes is not a name",
    arguments: [
      "", " ", " a", "a ", "a\nb", "a\u{0}", "a\u{202E}b", "a\u{200B}b", "a\u{2028}b", "a\u{FFFD}",
      "a\u{A0}b", String(repeating: "a", count: 65), String(repeating: "ж", count: 33),
    ])
  func noName(text: String) {
    #expect(AccountName(text) == nil)
  }

  @Test("The file name of the longest name leaves room for the endings that a store adds")
  func longest() throws {
    let name = try #require(AccountName(String(repeating: "ж", count: 32)))
    #expect(name.fileName.utf8.count == 192)
  }

  @Test("Names that look alike but have different bytes are different")
  func bytes() throws {
    let composed = try #require(AccountName("caf\u{E9}"))
    let decomposed = try #require(AccountName("cafe\u{301}"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed.fileName != decomposed.fileName)
  }

  @Test(
    "A file whose name no account would have is not an account",
    arguments: ["", "a%4", "a%zz", "%61", "a b", ".work", "%2e%2F", "work%"])
  func otherFile(fileName: String) {
    #expect(AccountName(fileName: fileName) == nil)
  }

  @Test("The account of an API is named after its address, and can be typed in", arguments: [3, 40, 200])
  func resource(length: Int) throws {
    let path = String(repeating: "x", count: length)
    let addresses = ["https://h.test/\(path)/a", "https://h.test/\(path)/b"]
    var cryptography = FakeCryptography()
    for (number, address) in addresses.enumerated() {
      cryptography.digests[Array(address.utf8)] = [UInt8](repeating: UInt8(number), count: 32)
    }
    let first = try AccountName(shortening: ProtectedResource(addresses[0] + "/").description, cryptography)
    let second = try AccountName(shortening: ProtectedResource(addresses[1]).description, cryptography)
    #expect(AccountName(first.description) == first)
    #expect(first.description.utf8.count <= AccountName.maximumLength)
    #expect(first.description.hasPrefix("https://h.test/xxx"))
    #expect(first != second)
  }
}
