import Testing

@testable import LoginWays

@Suite("Names of sessions")
struct CookieJarNameTests {
  // They are on users' disks, so they stay what they are.
  @Test(
    "A name is the name of one folder, and leads nowhere else",
    arguments: [
      ("mail", "mail"), ("anna@example.org", "anna@example.org"), ("Work-2_b+c", "Work-2_b+c"),
      ("v1.2", "v1.2"), (".", "%2E"), ("..", "%2E."), ("../mail", "%2E.%2Fmail"), (".hidden", "%2Ehidden"),
      ("/etc/passwd", "%2Fetc%2Fpasswd"), ("a%2Fb", "a%252Fb"), ("two words", "two%20words"),
      ("-rf", "-rf"), ("~", "%7E"), ("größe", "gr%C3%B6%C3%9Fe"), ("a\u{0}b", "a%00b"), ("\\", "%5C"),
      ("a~b+c", "a%7Eb+c"), ("%40 é-_", "%2540%20%C3%A9-_"), ("\u{301}x", "%CC%81x"),
      (".\u{301}", "%2E%CC%81"),
    ])
  func folder(_ text: String, _ folder: String) throws {
    let name = try #require(CookieJarName(text))
    #expect(name.folderName == folder)
    #expect(name.text == text)
  }

  @Test("Names that look the same and are not have folders of their own")
  func distinct() throws {
    let texts = ["a/b", "a%2Fb", "a%2fb", "A/b", "\u{E9}", "e\u{301}"]
    #expect(Set(texts.compactMap { CookieJarName($0)?.folderName }).count == texts.count)
  }

  @Test("A folder is that of a name if it is called as that name's folder is, and else of none")
  func folders() {
    for folder in ["mail", "%2E.%2Fmail", "a%252Fb", "gr%C3%B6%C3%9Fe"] {
      #expect(CookieJarName(folderName: folder)?.folderName == folder)
    }
    for folder in ["%6Dail", "two words", "..", "a%2fb", "a~b", "%zz", ""] {
      #expect(CookieJarName(folderName: folder) == nil, "\(folder)")
    }
  }

  @Test("A name has a character, and fits into the name of a folder")
  func limits() {
    #expect(CookieJarName("") == nil)
    #expect(CookieJarName(String(repeating: "a", count: 200)) != nil)
    #expect(CookieJarName(String(repeating: "a", count: 201)) == nil)
    #expect(CookieJarName(String(repeating: "/", count: 67)) == nil)
  }
}
