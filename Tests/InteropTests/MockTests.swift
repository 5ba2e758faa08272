import TestSupport
import Testing

extension InteropTests {
  @Suite("oidc-provider-mock")
  struct MockTests {
    @Test("A login with code, PKCE and id_token succeeds, and a refresh replaces the token")
    func login() async throws {
      let login = try Login.mock()
      let token = try await login.headless("--form", "sub=anna")
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checks)
      #expect(token.claims["sub"] as? String == "anna")
      #expect(token.lasted(3600), "\(token.text)")
      let refreshed = try await login.refresh(#require(token["refresh_token"]))
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      #expect(refreshed["access_token"] != token["access_token"])
    }

    @Test(
      "A registered client can log in with each kind of client authentication",
      arguments: ["basic", "post"])
    func registration(authentication: String) async throws {
      let options =
        [
          "--issuer", try Servers.running().mock["base"], "--redirect-uri", "http://127.0.0.1/done",
          "--store",
          try Login.store(),
        ] + optionsFile(["client_authentication": authentication])
      let login = ["login", "--scope", "openid", "--headless-test", "--form", "sub=anna"] + options
      var clients: [[String]?] = []
      for _ in 0..<2 {
        let token = try await Login.run(login)
        #expect(token.status == 0, "\(token.errors)")
        #expect(token.checks == checks)
        clients.append(token.claims["aud"] as? [String])
      }
      #expect(clients[0] != nil && clients[0] == clients[1], "the second login has the client of the first")
    }

    @Test("A login without a client registers one")
    func registrationByItself() async throws {
      let token = try await Login.run([
        "login", "--issuer", try Servers.running().mock["base"], "--redirect-uri", "http://127.0.0.1/done",
        "--store", try Login.store(), "--scope", "openid", "--headless-test", "--form", "sub=anna",
      ])
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checks)
    }

    // OpenID Connect RP-Initiated Logout sections 2 and 3. glewlwyd's page for it is a script.
    @Test("A logout ends the session on the provider's page")
    func logout() async throws {
      let store = try Login.store()
      let token = try await Login.mock().with("--account", "work", "--store", store)
        .headless("--form", "sub=anna")
      #expect(token.status == 0, "\(token.errors)")
      let out = ["logout", "--account", "work", "--store", store, "--redirect-uri", "http://127.0.0.1/out"]
      let undecided = try await Login.run(out + ["--headless-test"])
      #expect(undecided.status == 8, "a user has to press the button: \(undecided.text)")
      let logout = try await Login.run(out + ["--headless-test", "--form", "end="])
      #expect(logout.status == 0, "\(logout.errors)")
      #expect(logout.text.contains(#""session_ended":true"#), "\(logout.text)")
      #expect(logout.text.contains(#""forgotten":true"#))
    }

    @Test("A denial is reported with the provider's error")
    func denied() async throws {
      let answer = try await Login.mock().headless("--form", "action=deny")
      #expect(answer.status == 1, "\(answer.errors)")
      #expect(answer["error"] == "access_denied")
    }

    @Test("A client without a secret and an unknown refresh token are refused")
    func refused() async throws {
      let stranger = try await Login.mock(secret: "").headless("--form", "sub=anna")
      #expect(stranger.status == 1, "\(stranger.errors)")
      #expect(stranger["error"] == "invalid_client")
      let refresh = try await Login.mock().refresh("unknown")
      #expect(refresh.status == 1, "\(refresh.errors)")
      #expect(refresh["error"] == "invalid_grant")
    }
  }
}
