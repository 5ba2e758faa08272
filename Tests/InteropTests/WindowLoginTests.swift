import Testing

@testable import TestSupport

extension InteropTests {
  @Suite("In the window, with typed keys")
  struct WindowLoginTests {
    @Test("oidc-provider-mock")
    func mock() async throws {
      let desk = try await Desk()
      let login = try Login.mock().window(on: desk)
      try #require(await desk.showsPage(login), "\(login.text + login.errors)")
      try desk.screen.type("anna")
      try desk.screen.press("Return")
      let token = try await Answer(of: login)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checks)
      #expect(token.claims["sub"] as? String == "anna")
    }

    @Test(
      "glewlwyd, whose page is a script, on plain HTTP and with a trusted certificate",
      arguments: [false, true])
    func glewlwyd(tls: Bool) async throws {
      let servers = try Servers.running()
      let server = tls ? servers.secureGlewlwyd : servers.glewlwyd
      let trust = tls ? ["--trust", "localhost=\(server["certificate"])"] : []
      let desk = try await Desk()
      let login = try Login.glewlwyd(at: server).with(trust).window(on: desk)
      try #require(await desk.showsPage(login), "\(login.text + login.errors)")
      try #require(await desk.sees { $0.has(.blue) }, "the button of the form")
      try await desk.screen.shoot("interop-glewlwyd\(tls ? "-tls" : "")")
      try desk.screen.type("bea")  // who has granted nothing so far
      try desk.screen.press("Tab")
      try desk.screen.type("Pass-word1")
      try desk.screen.press("Return")
      try #require(await desk.sees { $0.has(.grey) && !$0.has(.blue) }, "what is to be granted")
      for key in ["Tab", "space", "Tab", "Return"] { try desk.screen.press(key) }
      try #require(await desk.sees { $0.has(.green) && !$0.has(.blue) }, "the way on")
      for key in ["Tab", "Return"] { try desk.screen.press(key) }
      let token = try await Answer(of: login)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
      #expect(token["scope"] == "openid profile")
    }
  }
}
