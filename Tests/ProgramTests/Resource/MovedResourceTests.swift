import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("An API that has moved to another server, by the real program", .blocking)
struct MovedResourceTests {
  @Test("Of an API that has moved to another server nothing is sent there that belongs to the old one")
  func moved() throws {
    try ResourceWorld.with { world, server, address in
      try #require(try world.run(["login", "--resource", address, "--headless-test"]).status == 0)
      let other = ResourceWorld()
      let newServer = try other.server()
      world.state.withLock { state in
        (state.server, state.deadRefresh, state.good) = (newServer.base, true, [])
      }
      let token = try world.run(["token", "--resource", address, "--min-valid", "5000", "--headless-test"])
      #expect(token.status == 0, "\(token.messages)")
      #expect(newServer.hits("/register") == 1 && newServer.hits("/token") == 1)
      for request in newServer.requests {
        #expect(
          !request.body.contains("refresh_token=") && request.headers["authorization"]?.contains("T1") != true
        )
      }
      #expect(server.requests.last { $0.path == "/token" }?.form["grant_type"] == "refresh_token")
      let accounts = try world.run(["accounts"]).output
      #expect(accounts.contains(newServer.base), "\(accounts)")
    }
  }

  @Test("A client that was made by hand at the old server is not named to the new one, whoever asks")
  func client() throws {
    try ResourceWorld.with { world, server, address in
      let secret = world.folder + "-secret"
      defer { try? FileManager.default.removeItem(atPath: secret) }
      try #require(
        FileManager.default.createFile(
          atPath: secret, contents: Data("hush\n".utf8), attributes: [.posixPermissions: 0o600]))
      let client = ["--client-id", "hand", "--client-secret-file", secret]
      let login = ["login", "--resource", address, "--headless-test"] + client
      let helper = ["helper", "headers", "--check", address, "--headless-test"] + client
      try #require(try world.run(login).status == 0)
      let others = (0..<3).map { _ in ResourceWorld() }
      let servers = try others.map { try $0.server() }
      for (server, command) in zip(servers, [login, helper]) {
        world.state.withLock { ($0.server, $0.deadRefresh, $0.good) = (server.base, true, []) }
        let outcome = try world.run(command)
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(server.hits("/register") == 1 && server.hits("/token") == 1)
        for request in server.requests {
          #expect(!request.target.contains("hand") && !request.body.contains("hand"))
          #expect(!request.body.contains("hush") && request.form["refresh_token"] == nil)
        }
        if command == login { #expect(outcome.messages.contains("hand"), "\(outcome.messages)") }
        // Back to where it was made.
        world.state.withLock { $0.server = nil }
        try #require(try world.run(login).status == 0)
      }
      // One that the caller has had made at the new server is another.
      world.state.withLock { ($0.server, $0.good) = (servers[2].base, []) }
      let own = try world.run([
        "helper", "headers", "--check", address, "--headless-test", "--client-id", "hand2",
      ])
      #expect(own.status == 0 && servers[2].hits("/register") == 0, "\(own.messages)")
      #expect(servers[2].requests.last { $0.path == "/token" }?.form["client_id"] == "hand2")
    }
  }
}
