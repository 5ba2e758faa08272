import LoginCore
import Testing

@testable import LoginWays

@Suite("How large a window is")
struct WindowLayoutTests {
  @Test("It comes back from its text", arguments: ["480x680 100%", "110%", "200x10000 300%"])
  func roundTrip(_ text: String) {
    #expect(WindowLayout(text)?.description == text)
  }

  @Test(
    "What no window can be is no layout",
    arguments: [
      "", "480x680", "480x680 0%", "49%", "301%", "199x300 100%", "480x10001 100%", "480 x680 100%",
      "480x 100%",
      "-480x680 100%", "480x680 100% more", "480x680x1 100%", "99999999999999999999x680 100%", "٤٨٠x680 100%",
    ])
  func none(_ text: String) { #expect(WindowLayout(text) == nil) }

  @Test("Room for two is room for either")
  func union() {
    let wide = WindowSize(width: 960, height: 300)
    #expect(wide?.union(WindowSize(width: 480, height: 680)).description == "960x680")
    #expect(wide?.union(nil) == wide)
  }
}
