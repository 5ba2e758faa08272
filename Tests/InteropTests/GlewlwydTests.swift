import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  @Suite("glewlwyd")
  struct GlewlwydTests {
    @Test(
      "An id_token is verified with each algorithm",
      arguments: ["oidc": "RS256", "es": "ES256", "ps": "PS256", "hs": "HS256"])
    func signatures(issuer: String, algorithm: String) async throws {
      let token = try await Login.glewlwyd(issuer).signingIn(issuer).headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
      #expect(try token.algorithm() == algorithm)
    }

    @Test("An issuer that demands PKCE accepts a login with it and refuses one without it")
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

    @Test("A refresh replaces both tokens, and the old refresh token no longer works")
    func rotation() async throws {
      let login = try Login.glewlwyd()
      let token = try await login.signingIn().headless()
      let old = try #require(token["refresh_token"])
      let refreshed = try await login.refresh(old)
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      #expect(refreshed["access_token"] != nil && refreshed["access_token"] != token["access_token"])
      #expect(refreshed["refresh_token"] != nil && refreshed["refresh_token"] != old)
      let again = try await login.refresh(old)
      #expect(again.status == 5, "glewlwyd refuses without a reason: \(again.errors)")
      #expect(again["error"] == "bad_provider_response")
    }

    // RFC 9126; the metadata says that the issuer accepts only pushed requests.
    @Test("A request is pushed if the issuer demands that")
    func pushed() async throws {
      let token = try await Login.glewlwyd("par").signingIn("par").headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
      #expect(token["token_type"] == "bearer")
    }

    // RFC 9449. One issuer takes pushed requests, the other uses nonces. glewlwyd does not support both together: for
    // pushed requests, it does not send its nonce.
    @Test(
      "A token with DPoP is issued, used and renewed",
      arguments: [("dpop", ["pushed_authorization_request"]), ("dpopnonce", [])])
    func bound(issuer: String, pushing: [String]) async throws {
      let base = try Servers.running().glewlwyd["base"]
      let login = try Login.glewlwyd(issuer).signingIn(issuer)
        .with(pushing.flatMap { ["--endpoint", "\($0)=\(base)/api/\(issuer)/par"] })
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
    @Test("A logout revokes both tokens")
    func revocation() async throws {
      let (login, store) = (try Login.glewlwyd(), try Login.store())
      let introspection = "introspection=\(try Servers.running().glewlwyd["base"])/api/oidc/introspect"
      let token = try await login.signingIn().with("--account", "work", "--store", store).headless()
      #expect(token.status == 0, "\(token.errors)")
      let refresh = try #require(token["refresh_token"])
      let before = try await login.userinfo(with: token, "--endpoint", introspection)
      #expect(before.text.contains(#""active":true"#), "\(before.text)\(before.errors)")
      let logout = try await Login.run(["logout", "--account", "work", "--store", store])
      #expect(logout.status == 0, "\(logout.errors)")
      #expect(logout.text.contains(#""revoked":["refresh_token","access_token"]"#), "\(logout.text)")
      let after = try await login.userinfo(with: token, "--endpoint", introspection)
      #expect(after.text == #"{"active":false}"# + "\n", "\(after.errors)")
      #expect(try await login.refresh(refresh).status == 5, "glewlwyd refuses without a reason")
    }

    @Test("Short-lived tokens have the right lifetime, and a refresh keeps the refresh token in the answer")
    func short() async throws {
      let login = try Login.glewlwyd("short")
      let token = try await login.signingIn("short").headless()
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.lasted(3), "\(token.text)")
      #expect(token.checks == checks, "this issuer does not send iss")
      let refreshed = try await login.refresh(#require(token["refresh_token"]))
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      #expect(refreshed.lasted(3), "\(refreshed.text)")
      #expect(refreshed["refresh_token"] == token["refresh_token"])
    }

    @Test("A login without a user needs a sign-in, and one with a wrong password is refused")
    func loginRequired() async throws {
      let login = try Login.glewlwyd()
      let waiting = try await login.headless()
      #expect(waiting.status == 8, "\(waiting.errors)")
      #expect(waiting["error"] == "login_required")
      // The page in front of glewlwyd has no form that could be filled in again.
      let refused = try await login.signingIn(password: "wrong").headless()
      #expect(refused.status == 5 && refused.errors.contains("HTTP 401"), "\(refused.errors)")
      let silent = try await login.with("--param", "prompt=none").headless()
      #expect(silent.status == 1, "\(silent.errors)")
      #expect(silent["error"] == "interaction_required")
    }

    @Test("A self-signed certificate is accepted if it is trusted for its host")
    func trusted() async throws {
      let server = try Servers.running().secureGlewlwyd
      let token = try await Login.glewlwyd(at: server).signingIn(at: server)
        .headless("--trust", "localhost=\(server["certificate"])")
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checksWithIssuer)
    }

    @Test("An untrusted certificate is refused, and the answer has its fingerprint")
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

  @Suite("glewlwyd's other grants")
  struct GrantTests {
    // RFC 8628 section 3.5.
    @Test("A device slows down when it is told to, and gets its token once the user has signed in elsewhere")
    func device() async throws {
      let server = try Servers.running().glewlwyd
      let login = try Login.glewlwyd()
      let device = try login.started(
        login.options + [
          "--grant", "device", "-v", "--endpoint",
          "device_authorization=\(server["hasty"] + "/api/oidc/device_authorization")",
        ])
      let slowed = await eventually { device.errors.contains("fewer requests: trying again in 6 s") }
      #expect(slowed, "\(device.errors)")
      let words = device.errors.split(whereSeparator: \.isWhitespace)
      let code = try #require(words.firstIndex(of: "code").map { words[$0 + 1] })
      let page =
        "\(server["front"])/anna/Pass-word1/oidc/device?code=\(code)&client_id=me&scope=openid+profile"
      let visit = try login.started([
        "navigate", "--url", page, "--redirect-uri", "https://app.example/none", "--headless-test",
      ])
      #expect(await visit.end() == 8, "the last page is not a redirect: \(visit.errors)")
      let token = try await Answer(of: device)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == ["id_token": "verified"])
      #expect(token["refresh_token"] != nil)
    }

    // RFC 6749 section 4.4.
    @Test("A client gets its own token, but not with a wrong secret")
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
      #expect(wrong.status == 5, "glewlwyd refuses without a reason: \(wrong.errors)")
    }
  }
}
