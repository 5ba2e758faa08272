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

    /// An issuer, whether it is behind TLS with a certificate of its own, and what comes of it.
    struct Row: Sendable {
      let issuer: String
      var tls = false
      var algorithm = "RS256"
      var namesItself = true
      var life = 3600
    }

    static let rows = [
      Row(issuer: "oidc"), Row(issuer: "oidc", tls: true), Row(issuer: "es", algorithm: "ES256"),
      Row(issuer: "ps", algorithm: "PS256"), Row(issuer: "strict"),
      Row(issuer: "short", namesItself: false, life: 3),
    ]

    @Test("glewlwyd, whose page is a script, at each of its issuers", arguments: chosen(rows, at: 1))
    func glewlwyd(_ row: Row) async throws {
      let servers = try Servers.running()
      let server = row.tls ? servers.secureGlewlwyd : servers.glewlwyd
      let trust = row.tls ? ["--trust", "localhost=\(server["certificate"])"] : []
      let desk = try await Desk()
      let login = try Login.glewlwyd(row.issuer, at: server).with(trust).window(on: desk)
      try #require(await desk.showsPage(login), "\(login.text + login.errors)")
      try #require(await desk.sees { $0.has(.blue) }, "the button of the form")
      if row.issuer == "oidc" { try await desk.screen.shoot("interop-glewlwyd\(row.tls ? "-tls" : "")") }
      try desk.screen.type(row.issuer)  // a user of this name, who has granted nothing so far
      try desk.screen.press("Tab")
      try desk.screen.type("Pass-word1")
      try desk.screen.press("Return")
      try #require(await desk.sees { $0.has(.grey) && !$0.has(.blue) }, "what is to be granted")
      for key in ["Tab", "space", "Tab", "Return"] { try desk.screen.press(key) }
      try #require(await desk.sees { $0.has(.green) && !$0.has(.blue) }, "the way on")
      for key in ["Tab", "Return"] { try desk.screen.press(key) }
      let token = try await Answer(of: login)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == (row.namesItself ? checksWithIssuer : checks))
      #expect(try token.algorithm() == row.algorithm)
      #expect(token.lasted(row.life), "\(token.text)")
      #expect(token["scope"] == "openid profile")
    }
  }
}
