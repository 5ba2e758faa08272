import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport
import Testing

@testable import DemoProvider

@Suite("Demo provider over HTTP")
struct DemoProviderTests {
  @Test("A complete login, from discovery to user info")
  func wholeLogin() async throws {
    try await onDemo { port in
      let metadata = ask(port, "/.well-known/openid-configuration")
      #expect(metadata["Content-Type"] == "application/json")
      #expect(metadata.json["issuer"] as? String == "http://127.0.0.1:\(port)")
      #expect(ask(port, "/.well-known/oauth-authorization-server").body == metadata.body)
      for (name, value) in metadata.json where name.hasSuffix("_endpoint") || name == "jwks_uri" {
        #expect((value as? String)?.hasPrefix("http://127.0.0.1:\(port)/") == true, "\(name)")
      }
      let keys = ask(port, "/jwks").json["keys"] as? [[String: Any]]
      #expect(keys?.first?["kid"] as? String == "key-1")

      let login = ask(port, "/authorize?" + Self.query)
      #expect(login["Content-Type"] == "text/html; charset=utf-8")
      let interaction = try #require(login.body.firstMatch(of: /name="interaction" value="([^"]*)"/)?.1)
      let signedIn = ask(
        port, "/login", headers: Self.form + [try Self.cookie(login)],
        body: "interaction=\(interaction)&username=ada&password=demo")
      #expect(signedIn.status == 303)
      let cookie = try Self.cookie(signedIn)
      let consent = ask(port, try #require(signedIn["Location"]), headers: [cookie])
      #expect(consent.body.contains("Allow access?"))
      let callback = ask(
        port, "/consent", headers: Self.form + [cookie], body: "interaction=\(interaction)&decision=allow")
      let location = try #require(callback["Location"])
      #expect(location.hasSuffix("&state=S&iss=http%3A%2F%2F127.0.0.1%3A\(port)"))
      let code = try #require(location.firstMatch(of: /code=([^&]*)/)?.1)

      let exchange =
        "grant_type=authorization_code&client_id=tokentry-demo&code=\(code)&code_verifier=\(Self.verifier)"
        + "&redirect_uri=https%3A%2F%2Fdemo.example%2Fcallback"
      let token = ask(port, "/token", headers: Self.form, body: exchange)
      #expect(token.status == 200)
      #expect(token["Cache-Control"] == "no-store")
      let access = try #require(token.json["access_token"] as? String)
      let userinfo = ask(port, "/userinfo", headers: ["Authorization: Bearer \(access)"])
      #expect(userinfo.json["name"] as? String == "ada")
      let again = ask(port, "/token", headers: Self.form, body: exchange)
      #expect(again.status == 400)
      #expect(again.json["error"] as? String == "invalid_grant")
    }
  }

  @Test(
    "Each path and method has its status",
    arguments: [
      ("GET", "/nothing", 404), ("GET", "/authorize/", 404), ("GET", "/AUTHORIZE", 404),
      ("GET", "/..%2f..%2fetc%2fpasswd", 400), ("GET", "/../../etc/passwd", 404), ("GET", "/token", 405),
      ("POST", "/jwks", 405), ("PUT", "/token", 405), ("GET", "/login", 405), ("GET", "/authorize", 400),
      ("GET", "/consent", 400), ("GET", "/userinfo", 401), ("GET", "/", 200), ("GET", "/device", 200),
    ])
  func routes(method: String, path: String, status: Int) async throws {
    try await onDemo { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 0\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n")
      let answer = RawAnswer(connection.readToEnd())
      #expect(answer.status == status)
      #expect(!answer.body.contains("root:"))
    }
  }

  @Test("A request for another host and a large body are refused")
  func limits() async throws {
    try await onDemo { port in
      #expect(ask(port, "/", headers: ["Host: evil.example"]).status == 421)
      let large = String(repeating: "a", count: 100_000)
      #expect(ask(port, "/token", headers: Self.form, body: large).status == 413)
    }
  }

  @Test("If another program has the wanted port, the provider takes a free one")
  func takenPort() async throws {
    try await onMainLoop { () async -> Result<Void, any Error> in
      do {
        let first = try DemoProvider(
          signer: FakeSigner(), cryptography: GnuTLSCryptography(), clock: FakeClock())
        let port = try #require(first.issuer.split(separator: ":").last.flatMap { UInt16($0) })
        let second = try DemoProvider(
          signer: FakeSigner(), cryptography: GnuTLSCryptography(), clock: FakeClock(), port: port)
        #expect(second.issuer != first.issuer)
        await second.close()
        await first.close()
        return .success(())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let form = ["Content-Type: application/x-www-form-urlencoded"]
  private static let query =
    "client_id=tokentry-demo&response_type=code&redirect_uri=https%3A%2F%2Fdemo.example%2Fcallback&state=S"
    + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    + "&scope=openid%20profile"

  private static func cookie(_ answer: RawAnswer) throws -> String {
    "Cookie: " + String(try #require(answer["Set-Cookie"]?.split(separator: ";").first))
  }

  /// Runs `client`, which may block, with the port of a new provider.
  private func onDemo(_ client: @escaping @Sendable (UInt16) throws -> Void) async throws {
    try await onMainLoop { () async -> Result<Void, any Error> in
      do {
        let provider = try DemoProvider(
          signer: FakeSigner(), cryptography: GnuTLSCryptography(), clock: FakeClock())
        let port = try #require(provider.issuer.split(separator: ":").last.flatMap { UInt16($0) })
        try await onThread { try client(port) }
        await provider.close()
        return .success(())
      } catch {
        return .failure(error)
      }
    }.get()
  }
}

@Suite("Redirect URIs of the demo client")
struct DemoClientTests {
  @Test(
    "The demo's own and any on this machine are allowed",
    arguments: [
      "https://demo.example/callback", "http://127.0.0.1:1/callback", "http://127.0.0.1:65535/",
      "http://127.0.0.1/callback", "http://[::1]/", "http://127.0.0.1:80/callback/127.0.0.1:8414",
      "http://localhost:80", "http://[::1]:5000/a%20b",
    ])
  func allowed(uri: String) throws { #expect(try Visitor().server.mayRedirect(to: uri)) }

  @Test(
    "Other hosts, paths and spellings are refused",
    arguments: [
      "", "https://demo.example/callback/", "https://demo.example/callback?x=1", "https://demo.example",
      "https://demo.example/callback#x", "https://DEMO.example/callback", "http://demo.example/callback",
      "https://demo.example:443/callback", "https://demo.example@evil.example/callback",
      "https://demo.example.evil.example/callback", "com.example.demo:/callback", "com.example.demo:/",
      "http://127.0.0.1:/callback", "http://127.0.0.1:0/callback", "http://127.0.0.1:080/callback",
      "http://127.0.0.1:65536/callback", "http://127.0.0.1:+80/callback",
      "http://127.0.0.1:80@evil.example/callback", "http://127.0.0.1@evil.example/",
      "http://127.0.0.1:80/callback?x=1", "https://127.0.0.1:80/callback", "http://localhost.evil.example/",
      "http://127.0.0.1.evil.example:80/callback", "http://[::1]:80/callback\r\nSet-Cookie: a=b",
      "javascript:alert(1)", "http://127.0.0.1:８０/callback", "http://localhost\\@evil.example/",
    ])
  func refused(uri: String) throws { #expect(try !Visitor().server.mayRedirect(to: uri)) }
}
