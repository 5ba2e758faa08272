import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// The facts about WebKit that the window leans on: these fail when WebKit changes them.
  @Suite("Which navigations end a login")
  struct InterceptionTests {
    @Test("A redirect that a page's security policy blocks is seen all the same")
    func formAction() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "csp")
      try #require(await desk.showsPage(login))
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test(
      "A redirect and a script lead there, to an address and to a scheme of the application's own",
      arguments: chosen(["good", "script"], telling: "script"),
      ["https://oauth.vk.com/blank.html", "com.example.app:/done"])
    func ways(_ page: String, _ redirect: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: page, redirect: redirect)
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A wrong state in the page itself ends the login as untrusted")
    func wrongState() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "wrong-state")
      #expect(await login.end() == 6, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"state_mismatch\""))
    }

    @Test(
      "Frames inside the page cannot end a login",
      arguments: chosen(["https://oauth.vk.com/blank.html", "com.example.app:/done"], at: 0))
    func frames(_ redirect: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "frames", redirect: redirect)
      let ignored = "a callback of another request was ignored"
      #expect(
        await eventually { login.errors.components(separatedBy: ignored).count == 3 }, "\(login.errors)")
      #expect(login.status == nil)
      try desk.letGo()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A page that looks as if it were the redirect URI is a page", arguments: ["imitation"])
    func imitation(_ page: String) async throws {
      let desk = try await Desk()
      try await beforeDeadline { deadline in
        let login = try desk.login(at: page, redirect: desk.provider + "/blank", more: deadline)
        try await inTime(login) { login.errors.contains("info: page of") }
        #expect(await login.end() == 4, "\(login.errors)")
      }
    }

    @Test("A page may open another one, in which the login ends, or which tells it that it may go on")
    func popups() async throws {
      for page in chosen(["popup", "popup-closes"], telling: "popup-closes") {
        let desk = try await Desk()
        let login = try desk.login(at: page)
        try #require(await desk.showsPage(login))
        try desk.screen.click()
        #expect(await login.end() == 0, "\(page): \(login.errors)")
      }
    }

    @Test("Dialogs, downloads, and navigations to files and scripts come to nothing")
    func hostile() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "hostile")
      #expect(await eventually { desk.requests.contains { $0.hasPrefix("GET /attachment") } })
      try desk.letGo()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(desk.filesAtHome == [])
    }
  }
}
