import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Windows that nobody looks at")
  struct AttentionTests {
    @Test("A user who works elsewhere is told that the login waits")
    func reminded() async throws {
      let desk = try await Desk()
      let bus = try await Bus(folder: desk.folder)
      let desktop = try Notifications(bus.variables.merging(["PATH": "/usr/bin:/bin"]) { $1 })
      let other = try await Parent(desk.environment, in: desk.folder)
      let login = try desk.login(at: "auth", variables: bus.variables)
      try #require(await desk.showsPage(login))
      // Without a window manager every window takes the keyboard when it comes.
      try desk.screen.run("xdotool", "windowfocus", "--sync", "0x\(other.handle.dropFirst(4))")
      #expect(desktop.first() == "org.tokentry.Tokentry: Sign in", "\(login.errors)")
      login.end(SIGTERM)
      #expect(await login.end() == 3)
    }
  }
}
