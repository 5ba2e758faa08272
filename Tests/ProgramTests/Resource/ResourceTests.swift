import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("An API that is known by its address only", .blocking)
struct ResourceTests {
  @Test("The address leads to a token, and to an account with the address as its name")
  func address() throws {
    try ResourceFixture.with { fixture, server, address in
      let login = try fixture.run(["login", "--resource", address, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
      #expect(login.accessToken == "T1-read-offline_access")
      #expect(login.checks["iss"] == "verified")
      let asked = try #require(server.requests.first { $0.path == "/authorize" }).query
      #expect(asked["resource"] == address && asked["prompt"] == "consent")
      let exchange = try #require(server.requests.first { $0.path == "/token" })
      #expect(exchange.form["resource"] == address)
      // The server demands Basic, and the client in the body too.
      #expect(exchange.form["client_id"] == "c1" && exchange.form["client_secret"] == nil)
      #expect(exchange.headers["authorization"]?.hasPrefix("Basic ") == true)
      let registration = try #require(server.requests.first { $0.path == "/register" }).body
      #expect(registration.contains(#""application_type":"native""#))
      #expect(registration.contains(#""scope":"read offline_access""#))
      #expect(registration.contains("refresh_token") && registration.contains("client_secret_basic"))
      for words in [["token", "--account", address], ["token", "--resource", address + "/"]] {
        #expect(try fixture.run(words).accessToken == "T1-read-offline_access")
      }
      let request = try fixture.run(["request", "--resource", address, address + "/tools"])
      #expect(request.output == #"{"ok":true}"#, "\(request.messages)")
      let elsewhere = try fixture.run(["request", "--resource", address, server.base + "/mcp-x"])
      #expect(elsewhere.status == 2 && elsewhere.messages.contains("--resource URL"), "\(elsewhere.messages)")
      // Naming the origin does not name another API of the server.
      let insisting = try fixture.run(
        ["request", "--resource", address, "--allow-origin", server.base, server.base + "/mcp-x"])
      #expect(insisting.status == 2 && insisting.messages.contains("--resource URL"), "\(insisting.messages)")
      #expect(try fixture.run(["userinfo", "--resource", address])["sub"] as? String == "ann")
      #expect(try fixture.run(["logout", "--resource", address]).status == 0)
      #expect(try fixture.run(["token", "--resource", address]).error == "unknown_account")
    }
  }

  @Test("The window is told which server an API has named, and not one that the user has named")
  func server() throws {
    try ResourceFixture.with { fixture, server, address in
      let script = "echo \"$open\" >\"${0%/*}/told\"; echo '{\"closed\":{\"by\":\"user\"}}'"
      let host = try #require(server.base.components(separatedBy: "//").last)
      for (options, isNamed) in [([], true), (["--issuer", server.base], false)] {
        let (login, told) = try Tokentry.run(
          ["login", "--resource", address, "--way", "window", "--store", "file:" + fixture.store] + options,
          window: script)
        #expect(login.status == 3, "\(login)")
        #expect(told.contains("\"server\":\"\(host)\"") == isNamed, "\(told)")
      }
    }
  }

  @Test("A test without a store keeps no account")
  func testAlone() throws {
    try ResourceFixture.with { _, _, address in
      let login = try Tokentry.run(["login", "--resource", address, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
    }
  }

  @Test("explain tells each step of the discovery, and the user does not sign in")
  func explain() throws {
    try ResourceFixture.with { fixture, server, address in
      let explained = try fixture.run(["explain", "--resource", address])
      #expect(explained.status == 0, "\(explained.messages)")
      let found = explained["resource"] as? [String: String]
      #expect(found?["metadata"] == server.base + "/.well-known/oauth-protected-resource/mcp")
      #expect(
        found?["authorization_server_metadata"] == server.base + "/.well-known/oauth-authorization-server")
      #expect(found?["scope_from"] == "metadata" && found?["client_from"] == "registration")
      for words in ["HTTP 401", "describes \(address)", "issues its tokens", "read offline_access"] {
        #expect(explained.messages.contains(words), "\(explained.messages)")
      }
      #expect(["/register", "/authorize", "/token"].allSatisfy { server.hits($0) == 0 })
      _ = try fixture.run(["login", "--resource", address, "--headless-test"])
      let again = try fixture.run(["explain", "--resource", address, "--scope", "read"])
      #expect((again["resource"] as? [String: String])?["client_from"] == "kept", "\(again.messages)")
      #expect((again["resource"] as? [String: String])?["scope_from"] == "caller")
    }
  }

  @Test("A request without an account finds the token by its address")
  func byAddress() throws {
    try ResourceFixture.with { fixture, server, address in
      let others = ResourceFixture()
      let other = try others.server()
      for base in [server.base, other.base] {
        try #require(try fixture.run(["login", "--resource", base + "/mcp", "--headless-test"]).status == 0)
      }
      for (server, address) in [(server, address), (other, other.base + "/mcp/tools?x=1")] {
        let request = try fixture.run(["request", address])
        #expect(request.status == 0 && request.output == #"{"ok":true}"#, "\(request.messages)")
        #expect(server.requests.last?.headers["authorization"] == "Bearer T1-read-offline_access")
      }
      let counts = [server.requests.count, other.requests.count]
      for address in [server.base + "/mcp-x", server.base, "https://api.example/mcp"] {
        let request = try fixture.run(["request", address])
        #expect(
          request.status == 2 && request.messages.contains("no account is set up for"), "\(request.messages)")
      }
      #expect([server.requests.count, other.requests.count] == counts)
      try #require(
        try fixture.run(["login", "--resource", address, "--account", "b", "--headless-test"]).status == 0)
      let several = try fixture.run(["request", address + "/tools"])
      #expect(several.status == 2 && several.messages.contains(#""b""#), "\(several.messages)")
      #expect(try fixture.run(["request", "--account", "b", address]).status == 0)
    }
  }

  @Test("A request that needs more asks once for it", arguments: [true, false])
  func stepUp(isScope: Bool) throws {
    try ResourceFixture.with { fixture, server, address in
      try #require(try fixture.run(["login", "--resource", address, "--headless-test"]).status == 0)
      fixture.state.withLock { if isScope { $0.scope = "write" } else { $0.context = "gold" } }
      let silent = try fixture.run(["request", "--resource", address, "--silent", address])
      #expect(silent.status == 1 && silent.messages.contains("insufficient"), "\(silent.messages)")
      let request = try fixture.run([
        "request", "--resource", address, "--headless-test", "-d", "{}", address,
      ])
      #expect(request.status == 0 && request.output == #"{"ok":true}"#, "\(request.messages)")
      let asked = try #require(server.requests.last { $0.path == "/authorize" }).query
      #expect(asked["scope"] == (isScope ? "read offline_access write" : "read offline_access"))
      #expect(asked["acr_values"] == (isScope ? nil : "gold") && asked["max_age"] == (isScope ? nil : "5"))
      #expect(server.hits("/authorize") == 2 && server.hits("/register") == (isScope ? 2 : 1))
      fixture.state.withLock { $0.refusesEveryToken = true }
      let never = try fixture.run(["request", "--resource", address, "--headless-test", address])
      #expect(never.status == 1 && never.messages.contains("insufficient"), "\(never.messages)")
      #expect(server.hits("/authorize") == 3)
    }
  }

  @Test("Token parameters go into every token request, and details into the authorization request")
  func further() throws {
    try ResourceFixture.with { fixture, server, address in
      let words = ["--resource", address, "--headless-test"] + optionsFile(["token_param": ["req_cnf": "X"]])
      #expect(try fixture.run(["login"] + words).status == 0)
      #expect(server.requests.last { $0.path == "/token" }?.form["req_cnf"] == "X")
      #expect(try fixture.run(["token", "--resource", address, "--min-valid", "5000"]).status == 0)
      let refresh = try #require(server.requests.last { $0.path == "/token" }).form
      #expect(refresh["req_cnf"] == "X" && refresh["resource"] == address)
      #expect(refresh["grant_type"] == "refresh_token" && refresh["client_id"] == "c1")
      #expect(
        try fixture.run(["login"] + optionsFile(["token_param": ["code": "X"]]) + words.dropLast(2)).status
          == 2)
      let details =
        words.dropLast(2)
        + optionsFile(["token_param": ["req_cnf": "X"], "authorization_details": [["type": "pay"]]])
      #expect(try fixture.run(["explain"] + details).output.contains(#"[{\"type\":\"pay\"}]"#))
      let login = try fixture.run(["login"] + details)
      #expect(login.status == 6 && login.error == "missing_token", "\(login.output)")
      #expect(
        server.requests.last { $0.path == "/authorize" }?.query["authorization_details"]
          == #"[{"type":"pay"}]"#)
    }
  }
}
