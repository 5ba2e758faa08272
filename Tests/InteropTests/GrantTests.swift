import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  @Suite("glewlwyd's other grants")
  struct GrantTests {
    // RFC 8628 section 3.5.
    @Test("A device is told to slow down, does so, and gets its token when the user has signed in elsewhere")
    func device() async throws {
      let server = try Servers.running().glewlwyd
      let login = try Login.glewlwyd()
      let device = try login.started(
        login.options + [
          "--grant", "device", "-v", "--device-authorization-endpoint",
          server["hasty"] + "/api/oidc/device_authorization",
        ])
      let slowed = await eventually { device.errors.contains("less often: again in 6 s") }
      #expect(slowed, "\(device.errors)")
      let words = device.errors.split(whereSeparator: \.isWhitespace)
      let code = try #require(words.firstIndex(of: "in").map { words[$0 + 1] })
      let page =
        "\(server["front"])/anna/Pass-word1/oidc/device?code=\(code)&client_id=me&scope=openid+profile"
      let visit = try login.started([
        "navigate", "--url", page, "--redirect-uri", "https://app.example/none", "--headless-test",
      ])
      #expect(await visit.end() == 8, "the last page is no redirect: \(visit.errors)")
      let token = try await Answer(of: device)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == ["id_token": "verified"])
      #expect(token["refresh_token"] != nil)
    }

    // RFC 6749 section 4.4.
    @Test("A client gets a token of its own, and a wrong secret gets none")
    func client() async throws {
      let server = try Servers.running().glewlwyd
      let own = Login(
        options: [
          "login", "--grant", "client-credentials", "--issuer", server["base"] + "/api/machine",
          "--client-id", "me", "--scope", "profile",
        ], secret: try Login.glewlwyd().secret)
      let token = try await own.headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token["access_token"] != nil && token["refresh_token"] == nil)
      let wrong = try await Login(options: own.options, secret: "wrong").headless()
      #expect(wrong.status == 5, "it refuses without a word: \(wrong.errors)")
    }
  }
}
