import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The demo in the window")
  struct DemoTests {
    private func demo(
      _ desk: Desk, _ options: String..., display: String? = nil, variables: [String: String] = [:]
    ) throws -> Program {
      try Program(
        Desk.program("tokentry"), ["demo", "--trace"] + options,
        environment: desk.environment.merging(display.map { ["DISPLAY": $0] } ?? [:]) { $1 }.merging(
          variables
        ) { $1 },
        errorPath: "\(desk.folder)/\(UUID().uuidString)")
    }

    @Test(
      "Somebody signs in, agrees, and has a token",
      arguments: chosen(["code", "id_token token", "code id_token"], telling: "code"))
    func complete(type: String) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let demo = try demo(desk, "--response-type", type, variables: reader.variables)
      try #require(await desk.showsPage(demo))
      #expect(demo.errors.contains("info: sign in as ada, with the password demo, in the window that opens"))
      // A key that is pressed before the page is there is nobody's, and neither is one before its field has the keyboard.
      let isReady = {
        try reader.read().contains { $0.role == "password text" && $0.states.contains("focused") }
      }
      try #require(try await eventually { try isReady() }, "\(demo.errors)")
      try desk.screen.type("demo")
      try desk.screen.press("Return")
      let asks = { try reader.read().contains { $0.description == "push button 'Allow'" && $0.isShowing } }
      try #require(try await eventually { try asks() }, "\(demo.errors)")
      try desk.screen.press("Tab")
      try desk.screen.press("Return")
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(demo.text.contains("\"access_token\""))
      #expect(demo.text.contains("\"id_token\":\"verified\",\"nonce\":\"verified\""))
      #expect(desk.filesAtHome == [])
    }

    @Test("Whoever closes the window has cancelled the login")
    func closed() async throws {
      let desk = try await Desk()
      let demo = try demo(desk)
      try #require(await desk.showsPage(demo))
      try desk.screen.close("Sign in")
      #expect(await demo.end() == 3, "\(demo.errors)")
      #expect(demo.text.contains("\"error\":\"cancelled\""))
    }

    @Test("With a display that cannot be opened nobody is asked, unless a window was asked for")
    func noDisplay() async throws {
      let desk = try await Desk()
      let demo = try demo(desk, display: ":64999")
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(demo.errors.contains("info: the display cannot be opened, so a headless agent signs in as ada"))
      let window = try self.demo(desk, "--agent", "window", display: ":64999")
      #expect(await window.end() == 7, "\(window.errors)")
      #expect(window.text.contains("\"error\":\"no_display\""))
      #expect(window.text.contains("the display cannot be opened"))
    }

    @Test("With --headless-test no window opens where there could be one")
    func headless() async throws {
      let desk = try await Desk()
      let demo = try demo(desk, "--headless-test")
      #expect(await demo.end() == 0, "\(demo.errors)")
      #expect(!demo.errors.contains("window"))
    }
  }
}
