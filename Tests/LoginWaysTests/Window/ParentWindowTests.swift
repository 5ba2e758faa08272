import Testing

@testable import LoginWays

@Suite("The window that a login belongs to")
struct ParentWindowTests {
  @Test(
    "It is read as the portals write it",
    arguments: [
      ("x11:1a00007", .x11(0x1A0_0007), "x11:1a00007"), ("x11:0x1A00007", .x11(0x1A0_0007), "x11:1a00007"),
      ("x11:ffffffff", .x11(.max), "x11:ffffffff"), ("wayland:8ce580", .wayland("8ce580"), "wayland:8ce580"),
      ("wayland:{a:b}", .wayland("{a:b}"), "wayland:{a:b}"),
    ] as [(String, ParentWindow, String)])
  func read(_ text: String, _ parent: ParentWindow, _ written: String) {
    #expect(ParentWindow(text) == parent)
    #expect(parent.text == written)
    #expect(ParentWindow(written) == parent)
  }

  @Test(
    "What names no window is refused",
    arguments: [
      "", "x11", "x11:", "x11:0", "x11:0x", "x11:-1", "x11:+1", "x11:0x+1", "x11:100000000", "x11:12 ",
      "x11:window", "X11:1", "12", "0x12", "wayland", "wayland:", "wayland:a b", "wayland:\u{7F}",
      "wayland:ä", "wayland:" + String(repeating: "a", count: 1_025), "mir:1", ":1",
    ])
  func refused(_ text: String) {
    #expect(ParentWindow(text) == nil)
  }
}
