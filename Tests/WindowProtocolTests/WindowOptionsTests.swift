import LoginCore
import Testing

@testable import WindowProtocol

@Suite("WindowLayout")
struct WindowLayoutTests {
  @Test("A layout is written as it is read", arguments: ["480x680 100%", "110%", "200x10000 300%"])
  func roundTrip(_ text: String) {
    #expect(WindowLayout(text)?.description == text)
  }

  @Test(
    "A text with an impossible size or zoom is not a layout",
    arguments: [
      "", "480x680", "480x680 0%", "49%", "301%", "199x300 100%", "480x10001 100%", "480 x680 100%",
      "480x 100%", "-480x680 100%", "480x680 100% more", "480x680x1 100%", "99999999999999999999x680 100%",
      "٤٨٠x680 100%",
    ])
  func refused(_ text: String) { #expect(WindowLayout(text) == nil) }

  @Test("The union of two sizes has room for each")
  func union() {
    let wide = WindowSize(width: 960, height: 300)
    #expect(wide?.union(WindowSize(width: 480, height: 680)).description == "960x680")
    #expect(wide?.union(nil) == wide)
  }
}

@Suite("ParentWindow")
struct ParentWindowTests {
  @Test(
    "A parent window is read in the notation of the desktop portals",
    arguments: [
      ("x11:1a00007", .x11(0x1A0_0007), "x11:1a00007"), ("x11:0x1A00007", .x11(0x1A0_0007), "x11:1a00007"),
      ("x11:ffffffff", .x11(.max), "x11:ffffffff"), ("x11:134217729", .x11(0x800_0001), "x11:8000001"),
      ("wayland:8ce580", .wayland("8ce580"), "wayland:8ce580"),
      ("wayland:{a:b}", .wayland("{a:b}"), "wayland:{a:b}"),
    ] as [(String, ParentWindow, String)])
  func read(_ text: String, _ parent: ParentWindow, _ written: String) {
    #expect(ParentWindow(text) == parent)
    #expect(parent.text == written)
    #expect(ParentWindow(written) == parent)
  }

  @Test(
    "A text that names no window is refused",
    arguments: [
      "", "x11", "x11:", "x11:0", "x11:0x", "x11:-1", "x11:+1", "x11:0x+1", "x11:10000000000", "x11:12 ",
      "x11:window", "X11:1", "12", "0x12", "wayland", "wayland:", "wayland:a b", "wayland:\u{7F}",
      "wayland:ä", "wayland:" + String(repeating: "a", count: 1_025), "mir:1", ":1",
    ])
  func refused(_ text: String) {
    #expect(ParentWindow(text) == nil)
  }
}

@Suite("CookieJarName")
struct CookieJarNameTests {
  // Users have folders with these names on their disks, so the names must not change.
  @Test(
    "Each name has a folder of its own, inside the folder of all sessions",
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

  @Test("Different names that look the same have different folders")
  func lookalikes() {
    let texts = ["a/b", "a%2Fb", "a%2fb", "A/b", "\u{E9}", "e\u{301}"]
    #expect(Set(texts.compactMap { CookieJarName($0)?.folderName }).count == texts.count)
  }

  @Test("A folder belongs to a name only if that name would make it")
  func folders() {
    for folder in ["mail", "%2E.%2Fmail", "a%252Fb", "gr%C3%B6%C3%9Fe"] {
      #expect(CookieJarName(folderName: folder)?.folderName == folder)
    }
    for folder in ["%6Dail", "two words", "..", "a%2fb", "a~b", "%zz", ""] {
      #expect(CookieJarName(folderName: folder) == nil, "\(folder)")
    }
  }

  @Test("A name must not be empty, nor too long for a folder")
  func limits() {
    #expect(CookieJarName("") == nil)
    #expect(CookieJarName(String(repeating: "a", count: 200)) != nil)
    #expect(CookieJarName(String(repeating: "a", count: 201)) == nil)
    #expect(CookieJarName(String(repeating: "/", count: 67)) == nil)
  }
}
