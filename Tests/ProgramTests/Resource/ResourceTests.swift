import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("An API of which nobody says more than its address, by the real program", .blocking)
struct ResourceTests {
  @Test("The address alone leads to a token, and to an account that is called after it")
  func address() throws {
    try ResourceWorld.with { world, server, address in
      let login = try world.run(["login", "--resource", address, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
      #expect(login["access_token"] as? String == "T1-read-offline_access")
      #expect((login["checks"] as? [String: String])?["iss"] == "verified")
      let asked = try #require(server.requests.first { $0.path == "/authorize" }).query
      #expect(asked["resource"] == address && asked["prompt"] == "consent")
      let exchange = try #require(server.requests.first { $0.path == "/token" })
      #expect(exchange.form["resource"] == address)
      // The server authenticates by Basic, and looks for the client in the body all the same.
      #expect(exchange.form["client_id"] == "c1" && exchange.form["client_secret"] == nil)
      #expect(exchange.headers["authorization"]?.hasPrefix("Basic ") == true)
      let registration = try #require(server.requests.first { $0.path == "/register" }).body
      #expect(registration.contains(#""application_type":"native""#))
      #expect(registration.contains(#""scope":"read offline_access""#))
      #expect(registration.contains("refresh_token") && registration.contains("client_secret_basic"))
      for words in [["token", "--account", address], ["token", "--resource", address + "/"]] {
        #expect(try world.run(words)["access_token"] as? String == "T1-read-offline_access")
      }
      let request = try world.run(["request", "--resource", address, address + "/tools"])
      #expect(request.output == #"{"ok":true}"#, "\(request.messages)")
      let elsewhere = try world.run(["request", "--resource", address, server.base + "/mcp-x"])
      #expect(elsewhere.status == 2 && elsewhere.messages.contains("--resource URL"), "\(elsewhere.messages)")
      // Whoever names the server has not named another API of it.
      let insisting = try world.run(
        ["request", "--resource", address, "--allow-origin", server.base, server.base + "/mcp-x"])
      #expect(insisting.status == 2 && insisting.messages.contains("--resource URL"), "\(insisting.messages)")
      #expect(try world.run(["userinfo", "--resource", address])["sub"] as? String == "ann")
      #expect(try world.run(["logout", "--resource", address]).status == 0)
      #expect(try world.run(["token", "--resource", address])["error"] as? String == "unknown_account")
    }
  }

  @Test("A test that is told of no store keeps nothing")
  func testAlone() throws {
    try ResourceWorld.with { _, _, address in
      let login = try Program.run(["login", "--resource", address, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
    }
  }

  @Test("Explain tells step by step what was found out, and signs nobody in")
  func explain() throws {
    try ResourceWorld.with { world, server, address in
      let explained = try world.run(["explain", "--resource", address])
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
      _ = try world.run(["login", "--resource", address, "--headless-test"])
      let again = try world.run(["explain", "--resource", address, "--scope", "read"])
      #expect((again["resource"] as? [String: String])?["client_from"] == "kept", "\(again.messages)")
      #expect((again["resource"] as? [String: String])?["scope_from"] == "caller")
    }
  }

  @Test("Without a keyring explain tells the same, and that it knows of no client")
  func explainWithoutKeyring() throws {
    try ResourceWorld.with { _, server, address in
      let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
      let explained = try Program.run(["explain", "--resource", address], environment: nowhere)
      #expect(explained.status == 0, "\(explained.output)")
      let found = explained["resource"] as? [String: String]
      #expect(found?["client_from"] == "registration" && found?["scope_from"] == "metadata")
      #expect(
        explained.messages.contains("so it is not known whether a client is kept"), "\(explained.messages)")
      // Elsewhere there is nothing to be told without it.
      let other = try Program.run(["explain", "--issuer", server.base], environment: nowhere)
      #expect(other["error"] as? String == "store_unavailable", "\(other.output)")
    }
  }

  @Test("A request finds by its address whose token it needs, where no account is named")
  func byAddress() throws {
    try ResourceWorld.with { world, server, address in
      let others = ResourceWorld()
      let other = try others.server()
      for base in [server.base, other.base] {
        try #require(try world.run(["login", "--resource", base + "/mcp", "--headless-test"]).status == 0)
      }
      for (server, address) in [(server, address), (other, other.base + "/mcp/tools?x=1")] {
        let request = try world.run(["request", address])
        #expect(request.status == 0 && request.output == #"{"ok":true}"#, "\(request.messages)")
        #expect(server.requests.last?.headers["authorization"] == "Bearer T1-read-offline_access")
      }
      let counts = [server.requests.count, other.requests.count]
      for address in [server.base + "/mcp-x", server.base, "https://api.example/mcp"] {
        let request = try world.run(["request", address])
        #expect(
          request.status == 2 && request.messages.contains("no account is meant for"), "\(request.messages)")
      }
      #expect([server.requests.count, other.requests.count] == counts)
      try #require(
        try world.run(["login", "--resource", address, "--account", "b", "--headless-test"]).status == 0)
      let several = try world.run(["request", address + "/tools"])
      #expect(several.status == 2 && several.messages.contains(#""b""#), "\(several.messages)")
      #expect(try world.run(["request", "--account", "b", address]).status == 0)
    }
  }

  @Test("A request asks once for more, for what the server wants", arguments: [true, false])
  func stepUp(isScope: Bool) throws {
    try ResourceWorld.with { world, server, address in
      try #require(try world.run(["login", "--resource", address, "--headless-test"]).status == 0)
      world.state.withLock { if isScope { $0.scope = "write" } else { $0.context = "gold" } }
      let silent = try world.run(["request", "--resource", address, "--silent", address])
      #expect(silent.status == 1 && silent.messages.contains("insufficient"), "\(silent.messages)")
      let request = try world.run(["request", "--resource", address, "--headless-test", "-d", "{}", address])
      #expect(request.status == 0 && request.output == #"{"ok":true}"#, "\(request.messages)")
      let asked = try #require(server.requests.last { $0.path == "/authorize" }).query
      #expect(asked["scope"] == (isScope ? "read offline_access write" : "read offline_access"))
      #expect(asked["acr_values"] == (isScope ? nil : "gold") && asked["max_age"] == (isScope ? nil : "5"))
      #expect(server.hits("/authorize") == 2 && server.hits("/register") == (isScope ? 2 : 1))
      world.state.withLock { $0.isNeverContent = true }
      let never = try world.run(["request", "--resource", address, "--headless-test", address])
      #expect(never.status == 1 && never.messages.contains("insufficient"), "\(never.messages)")
      #expect(server.hits("/authorize") == 3)
    }
  }

  @Test("Further parameters go into every token request, and details into the authorization request")
  func further() throws {
    try ResourceWorld.with { world, server, address in
      let file = world.folder + "-details"
      defer { try? FileManager.default.removeItem(atPath: file) }
      try #"[ {"type":"pay"} ]"#.write(toFile: file, atomically: true, encoding: .utf8)
      let words = ["--resource", address, "--headless-test", "--token-param", "req_cnf=X"]
      #expect(try world.run(["login"] + words).status == 0)
      #expect(server.requests.last { $0.path == "/token" }?.form["req_cnf"] == "X")
      #expect(try world.run(["token", "--resource", address, "--min-valid", "5000"]).status == 0)
      let refresh = try #require(server.requests.last { $0.path == "/token" }).form
      #expect(refresh["req_cnf"] == "X" && refresh["resource"] == address)
      #expect(refresh["grant_type"] == "refresh_token" && refresh["client_id"] == "c1")
      #expect(try world.run(["login", "--token-param", "code=X"] + words.dropLast(2)).status == 2)
      let details = words + ["--authorization-details", file]
      #expect(try world.run(["explain"] + details).output.contains(#"[{\"type\":\"pay\"}]"#))
      let login = try world.run(["login"] + details)
      #expect(login.status == 6 && login["error"] as? String == "missing_token", "\(login.output)")
      #expect(
        server.requests.last { $0.path == "/authorize" }?.query["authorization_details"]
          == #"[{"type":"pay"}]"#)
      try "{}".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try world.run(["login"] + details)["error"] as? String == "invalid_option")
    }
  }
}
