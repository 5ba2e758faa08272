import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  @Suite("glewlwyd")
  struct GlewlwydTests {
    @Test(
      "An id_token is verified however it is signed",
      arguments: ["oidc": "RS256", "es": "ES256", "ps": "PS256", "hs": "HS256"])
    func signatures(issuer: String, algorithm: String) async throws {
      let token = try await Login.glewlwyd(issuer).signingIn(issuer).headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
      #expect(try token.algorithm() == algorithm)
    }

    @Test("Where PKCE is demanded a login has it, and one without is refused")
    func strict() async throws {
      let login = try Login.glewlwyd("strict").signingIn("strict")
      let token = try await login.headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
      let preset = try Servers.running().folder + "/without-pkce.json"
      try Data(#"{"pkce":"none"}"#.utf8).write(to: URL(filePath: preset))
      let refusal = try await login.with("--provider", preset).headless()
      #expect(refusal.status == 1, "\(refusal.errors)")
      #expect(refusal["error"] == "invalid_request")
    }

    @Test("A refresh replaces both tokens, and the old refresh token is worth nothing afterwards")
    func rotation() async throws {
      let login = try Login.glewlwyd()
      let token = try await login.signingIn().headless()
      let old = try #require(token["refresh_token"])
      let refreshed = try await login.refresh(old)
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      #expect(refreshed["access_token"] != nil && refreshed["access_token"] != token["access_token"])
      #expect(refreshed["refresh_token"] != nil && refreshed["refresh_token"] != old)
      let again = try await login.refresh(old)
      #expect(again.status == 5, "it refuses without a word: \(again.errors)")
      #expect(again["error"] == "bad_provider_response")
    }

    // RFC 9126: the metadata says that it takes no others.
    @Test("A request is pushed where that is demanded, and the browser carries its name")
    func pushed() async throws {
      let token = try await Login.glewlwyd("par").signingIn("par").headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
      #expect(token["token_type"] == "bearer")
    }

    // RFC 9449; one issuer takes the request by a way of its own, the other has nonces. Both at once cannot be had
    // of it: where requests are pushed to it tells nobody its nonce.
    @Test(
      "A token is bound to a key, used with it and renewed with it",
      arguments: [("dpop", ["--pushed-authorization-request-endpoint"]), ("dpopnonce", [])])
    func bound(issuer: String, pushing: [String]) async throws {
      let base = try Servers.running().glewlwyd["base"]
      let login = try Login.glewlwyd(issuer).signingIn(issuer)
        .with(pushing.flatMap { [$0, "\(base)/api/\(issuer)/par"] })
      let token = try await login.with("--dpop").headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token["token_type"]?.lowercased() == "dpop")
      #expect(token.checks == checksWithIssuer)
      let who = try await Login.glewlwyd(issuer).userinfo(with: token)
      #expect(who.status == 0, "\(who.text)\(who.errors)")
      #expect(who.checks == ["sub": "verified"])
      let renewed = try await login.renewal(of: token)
      #expect(renewed.status == 0, "\(renewed.text)\(renewed.errors)")
      #expect(renewed["token_type"]?.lowercased() == "dpop")
      #expect(try await Login.glewlwyd(issuer).userinfo(with: renewed).status == 0)
    }

    // RFC 7009 section 2, RFC 7662 section 2.2.
    @Test("After a logout neither token is worth anything there")
    func revocation() async throws {
      let (login, store) = (try Login.glewlwyd(), try Login.store())
      let token = try await login.signingIn().with("--account", "work", "--store", store).headless()
      #expect(token.status == 0, "\(token.errors)")
      let refresh = try #require(token["refresh_token"])
      let before = try await login.userinfo(with: token, "--introspect")
      #expect(before.text.contains(#""active":true"#), "\(before.text)\(before.errors)")
      let logout = try await Login.run(["logout", "--account", "work", "--store", store])
      #expect(logout.status == 0, "\(logout.errors)")
      #expect(logout.text.contains(#""revoked":["refresh_token","access_token"]"#), "\(logout.text)")
      let after = try await login.userinfo(with: token, "--introspect")
      #expect(after.text == #"{"active":false}"# + "\n", "\(after.errors)")
      #expect(try await login.refresh(refresh).status == 5, "it refuses without a word")
    }

    @Test("Tokens that do not last say so, and the refresh token that stays is in every answer")
    func short() async throws {
      let login = try Login.glewlwyd("short")
      let token = try await login.signingIn("short").headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.lasted(3), "\(token.text)")
      #expect(token.checks == checks, "this issuer does not name itself")
      let refreshed = try await login.refresh(#require(token["refresh_token"]))
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      #expect(refreshed.lasted(3), "\(refreshed.text)")
      #expect(refreshed["refresh_token"] == token["refresh_token"])
    }

    @Test("Without a user, and with a wrong password, somebody would have to sign in")
    func nobody() async throws {
      let login = try Login.glewlwyd()
      for attempt in [login, try login.signingIn(password: "wrong")] {
        let answer = try await attempt.headless()
        #expect(answer.status == 8, "\(answer.errors)")
        #expect(answer["error"] == "login_required")
      }
      let silent = try await login.with("--prompt", "none").headless()
      #expect(silent.status == 1, "\(silent.errors)")
      #expect(silent["error"] == "interaction_required")
    }

    @Test("A certificate of its own is accepted where it is trusted for its host")
    func trusted() async throws {
      let server = try Servers.running().secureGlewlwyd
      let token = try await Login.glewlwyd(at: server).signingIn(at: server)
        .headless("--trust", "localhost=\(server["certificate"])")
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
    }

    @Test("It is refused with its fingerprint where none is trusted, or another one")
    func untrusted() async throws {
      let server = try Servers.running().secureGlewlwyd
      let login = try Login.glewlwyd(at: server)
      for attempt in [login, login.with("--trust", "localhost=\(server["other"])")] {
        let answer = try await attempt.headless()
        #expect(answer.status == 5, "\(answer.errors)")
        #expect(answer["error"] == "tls_error")
        #expect(answer.details["fingerprint"]?.contains(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) == true)
      }
    }
  }
}
