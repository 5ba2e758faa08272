import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The client of a login for an API", .blocking)
struct ResourceClientTests {
  @Test("A client comes back to its registered port, unless the port is in use")
  func port() throws {
    try ResourceFixture.with { fixture, server, address in
      func login() throws -> Int? {
        let browser = try Browser()
        let login = try fixture.run(["login", "--resource", address, "--browser", browser.command])
        #expect(login.status == 0, "\(login.messages)")
        return server.requests.last { $0.path == "/authorize" }?.query["redirect_uri"].flatMap {
          URL(string: $0)?.port
        }
      }
      // Another program may have taken the port by chance.
      var ports = [try #require(try login())]
      while ports.count < 20, ports.count < 2 || ports.last != ports.dropLast().last {
        ports.append(try #require(try login()))
      }
      let port = ports[ports.count - 1]
      #expect(ports.dropLast().last == port)
      #expect(server.hits("/register") < ports.count)
      let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(taken) }
      var reuses: Int32 = 1
      setsockopt(taken, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
      var name = sockaddr_in()
      (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), UInt16(port).bigEndian)
      name.sin_addr.s_addr = inet_addr("127.0.0.1")
      _ = withUnsafeBytes(of: &name) { bytes in
        bytes.baseAddress.map {
          bind(taken, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            && listen(taken, 1) == 0
        }
      }
      let registrations = server.hits("/register")
      #expect(try login() != port)
      #expect(server.hits("/register") == registrations + 1)
    }
  }

  @Test(
    "A client that is an address is used if the server reads it; otherwise one is registered, with a warning",
    arguments: [true, false])
  func document(isTaken: Bool) throws {
    try ResourceFixture.with { fixture, server, address in
      fixture.state.withLock { $0.takesDocuments = isTaken }
      let client = "https://app.example/client.json"
      let login = try fixture.run(["login", "--resource", address, "--client-id", client, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
      #expect(
        server.requests.last { $0.path == "/authorize" }?.query["client_id"] == (isTaken ? client : "c1"))
      #expect(login.messages.contains("warning") == !isTaken)
    }
  }

  @Test("The caller's client comes first, then a kept client, then a new one")
  func order() throws {
    try ResourceFixture.with { fixture, server, address in
      func client(_ words: String...) throws -> String? {
        let login = try fixture.run(["login", "--resource", address, "--headless-test"] + words)
        #expect(login.status == 0, "\(login.messages)")
        return server.requests.last { $0.path == "/authorize" }?.query["client_id"]
      }
      func source(_ words: String...) throws -> String? {
        (try fixture.run(["explain", "--resource", address] + words)["resource"] as? [String: String])?[
          "client_from"]
      }
      #expect(try client() == "c1")
      #expect(try source("--client-id", "hand") == "given" && source() == "kept")
      #expect(try client("--client-id", "hand") == "hand")
      #expect(try fixture.run(["token", "--resource", address, "--min-valid", "5000"]).status == 0)
      #expect(server.requests.last { $0.path == "/token" }?.form["client_id"] == "hand")
      #expect(try client() == "c1")
      #expect(server.hits("/register") == 1)
      // The client of another server does not count.
      let other = ResourceFixture()
      let another = try other.server()
      let login = try fixture.run(["login", "--resource", another.base + "/mcp", "--headless-test"])
      #expect(login.status == 0 && another.hits("/register") == 1, "\(login.messages)")
    }
  }

  @Test(
    "A server that refuses the registration, or has no endpoint for it, ends the login with an explanation")
  func refusedRegistration() throws {
    try ResourceFixture.with { fixture, server, address in
      let words = ["login", "--resource", address, "--headless-test"]
      fixture.state.withLock {
        $0.other["/register"] = .json(
          #"{"error":"invalid_client_metadata","error_description":"Ask Bob."}"#, status: 400)
      }
      let refused = try fixture.run(words)
      #expect(refused.status == 1 && refused.error == "invalid_client_metadata")
      #expect(refused.messages.contains("Ask Bob"), "\(refused.messages)")
      fixture.state.withLock {
        $0.metadata = ["registration_endpoint": "", "service_documentation": #""https://as.example/help""#]
      }
      let nowhere = try fixture.run(words)
      #expect(nowhere.status == 2 && nowhere.error == "invalid_configuration")
      #expect(nowhere.messages.contains("https://as.example/help"), "\(nowhere.messages)")
      #expect(nowhere.messages.contains("--client-id"), "\(nowhere.messages)")
      #expect(server.hits("/authorize") == 0 && server.hits("/token") == 0)
      #expect(try fixture.run(words + ["--client-id", "hand"]).status == 0)
    }
  }
}

@Suite("Secrets of the caller and an API", .blocking)
struct ResourceSecretTests {
  /// The server takes a client's secret in the body alone.
  static let posted = ["token_endpoint_auth_methods_supported": #"["client_secret_post"]"#]

  @Test("A client's secret goes only to a server that the caller has named, now or for the kept account")
  func secret() throws {
    try ResourceFixture.with { fixture, server, address in
      let file = try fixture.folder.write("hush\n", to: "secret")
      let words = ["--resource", address, "--headless-test", "--client-id", "hand"]
      let login = ["login"] + words + ["--client-secret-file", file]
      for arguments in [login, ["helper", "headers", address] + login.dropFirst(3)] {
        let refused = try fixture.run(arguments)
        #expect(refused.status == 2 && refused.messages.contains("--issuer URL"), "\(refused.messages)")
      }
      #expect(try fixture.run(login).error == "invalid_configuration" && server.requests.isEmpty)
      fixture.state.withLock { $0.metadata = Self.posted }
      let other = ResourceFixture()
      let elsewhere = try other.server()
      let wrong = try fixture.run(login + ["--issuer", elsewhere.base])
      #expect(wrong.status == 6 && wrong.error == "untrusted_metadata", "\(wrong.output)")
      #expect(elsewhere.requests.isEmpty)
      for issuer in [["--issuer", server.base], []] {
        let named = try fixture.run(login + ["--account", address] + issuer)
        #expect(named.status == 0, "\(named.messages)")
        #expect(server.requests.last { $0.path == "/token" }?.form["client_secret"] == "hush")
      }
      // The issuer is known for that client only.
      let another = try fixture.run(login.map { $0 == "hand" ? "hand2" : $0 } + ["--account", address])
      #expect(another.status == 2, "\(another.output)")
    }
  }

  @Test("A password or an initial access token goes to no server that only an API names")
  func others() throws {
    try ResourceFixture.with { fixture, server, address in
      for words in [
        ["--grant", "password", "--login-hint", "ann", "--client-id", "hand"]
          + optionsFile(["password": "hush"]),
        optionsFile(["initial_access_token": "hush"]),
      ] {
        let login = try fixture.run(["login", "--resource", address, "--headless-test"] + words)
        #expect(login.status == 2 && login.error == "invalid_configuration", "\(login.output)")
      }
      #expect(server.requests.isEmpty)
    }
  }
}

@Suite("An API that has moved to another server", .blocking)
struct MovedResourceTests {
  @Test("The new server gets neither the refresh token nor the access token of the old one")
  func moved() throws {
    try ResourceFixture.with { fixture, server, address in
      try #require(try fixture.run(["login", "--resource", address, "--headless-test"]).status == 0)
      let other = ResourceFixture()
      let newServer = try other.server()
      fixture.state.withLock { state in
        (state.server, state.deadRefresh, state.good) = (newServer.base, true, [])
      }
      let token = try fixture.run(["token", "--resource", address, "--min-valid", "5000", "--headless-test"])
      #expect(token.status == 0, "\(token.messages)")
      #expect(newServer.hits("/register") == 1 && newServer.hits("/token") == 1)
      for request in newServer.requests {
        #expect(
          !request.body.contains("refresh_token=") && request.headers["authorization"]?.contains("T1") != true
        )
      }
      #expect(server.requests.last { $0.path == "/token" }?.form["grant_type"] == "refresh_token")
      let accounts = try fixture.run(["accounts"]).output
      #expect(accounts.contains(newServer.base), "\(accounts)")
    }
  }

  @Test(
    "If even a refreshed token is refused, the user signs in at the new server", arguments: [true, false])
  func refreshed(isRequest: Bool) throws {
    try ResourceFixture.with { fixture, server, address in
      try #require(try fixture.run(["login", "--resource", address, "--headless-test"]).status == 0)
      let other = ResourceFixture()
      other.state.withLock { $0.tokens = 10 }
      let newServer = try other.server()
      fixture.state.withLock { state in
        (state.server, state.good) = (newServer.base, ["T11-read-offline_access"])
        state.other["/token"] = .json(
          #"{"access_token":"OLD","token_type":"Bearer","expires_in":3600,"refresh_token":"R"}"#)
      }
      let words =
        isRequest ? ["request", "--resource", address, address] : ["helper", "headers", "--check", address]
      if isRequest { #expect(try fixture.run(words + ["--silent"]).status == 8) }
      let outcome = try fixture.run(words + ["--headless-test"])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.output.contains(isRequest ? #"{"ok":true}"# : "T11-read"), "\(outcome.output)")
      #expect(newServer.requests.allSatisfy { $0.form["refresh_token"] == nil })
      // If the API has not moved, its own answer is passed on.
      fixture.state.withLock { $0.good = [] }
      if isRequest { #expect(try fixture.run(words + ["--headless-test"]).status == 1) }
      #expect(newServer.hits("/authorize") == 1)
    }
  }

  @Test("The new server does not get a client that was made by hand at the old one")
  func client() throws {
    try ResourceFixture.with { fixture, server, address in
      let folder = TemporaryFolder()
      let secret = try folder.write("hush\n", to: "secret")
      let client = ["--client-id", "hand", "--client-secret-file", secret]
      let login = ["login", "--resource", address, "--headless-test", "--account", address] + client
      let helper = ["helper", "headers", "--check", address, "--headless-test"] + client
      fixture.state.withLock { $0.metadata = ResourceSecretTests.posted }
      func loginAtOldServer() throws {
        // The account may be at another server by now, and would not be replaced.
        _ = try fixture.run(["logout", "--account", address, "--force"])
        try #require(try fixture.run(login + ["--issuer", server.base]).status == 0)
        try #require(try fixture.run(login).status == 0)
        // The API accepts the token, which ends the pause after a token that it refused.
        try #require(try fixture.run(helper).status == 0)
      }
      try loginAtOldServer()
      let others = (0..<3).map { _ in ResourceFixture() }
      let servers = try others.map { try $0.server() }
      for (server, command) in zip(servers, [login, helper]) {
        fixture.state.withLock { ($0.server, $0.deadRefresh, $0.good) = (server.base, true, []) }
        let outcome = try fixture.run(command)
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(server.hits("/register") == 1 && server.hits("/token") == 1)
        for request in server.requests {
          #expect(!request.target.contains("hand") && !request.body.contains("hand"))
          #expect(!request.body.contains("hush") && request.form["refresh_token"] == nil)
        }
        if command == login { #expect(outcome.messages.contains("hand"), "\(outcome.messages)") }
        // Back to the old server.
        fixture.state.withLock { $0.server = nil }
        try loginAtOldServer()
      }
      // A client that the caller made at the new server is used there.
      fixture.state.withLock { ($0.server, $0.good) = (servers[2].base, []) }
      let own = try fixture.run([
        "helper", "headers", "--check", address, "--headless-test", "--client-id", "hand2",
      ])
      #expect(own.status == 0 && servers[2].hits("/register") == 0, "\(own.messages)")
      #expect(servers[2].requests.last { $0.path == "/token" }?.form["client_id"] == "hand2")
    }
  }
}
