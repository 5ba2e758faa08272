import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The client of an API's login, by the real program", .blocking)
struct ResourceClientTests {
  @Test("A client comes back to the port that it was registered with, as long as nobody else has it")
  func port() throws {
    try ResourceWorld.with { world, server, address in
      func login() throws -> Int? {
        let browser = try Browser()
        let login = try world.run(["login", "--resource", address, "--browser", browser.command])
        #expect(login.status == 0, "\(login.messages)")
        return server.requests.last { $0.path == "/authorize" }?.query["redirect_uri"].flatMap {
          URL(string: $0)?.port
        }
      }
      // Another program may have it meanwhile, by chance.
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
    "A client that is an address is used where the server reads it; else one is made, with a warning",
    arguments: [true, false])
  func document(isTaken: Bool) throws {
    try ResourceWorld.with { world, server, address in
      world.state.withLock { $0.takesDocuments = isTaken }
      let client = "https://app.example/client.json"
      let login = try world.run(["login", "--resource", address, "--client-id", client, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
      #expect(
        server.requests.last { $0.path == "/authorize" }?.query["client_id"] == (isTaken ? client : "c1"))
      #expect(login.messages.contains("warning") == !isTaken)
    }
  }

  @Test("A client that the caller names comes before a kept one, and a kept one before another")
  func order() throws {
    try ResourceWorld.with { world, server, address in
      func client(_ words: String...) throws -> String? {
        let login = try world.run(["login", "--resource", address, "--headless-test"] + words)
        #expect(login.status == 0, "\(login.messages)")
        return server.requests.last { $0.path == "/authorize" }?.query["client_id"]
      }
      func source(_ words: String...) throws -> String? {
        (try world.run(["explain", "--resource", address] + words)["resource"] as? [String: String])?[
          "client_from"]
      }
      #expect(try client() == "c1")
      #expect(try source("--client-id", "hand") == "given" && source() == "kept")
      #expect(try client("--client-id", "hand") == "hand")
      #expect(try world.run(["token", "--resource", address, "--min-valid", "5000"]).status == 0)
      #expect(server.requests.last { $0.path == "/token" }?.form["client_id"] == "hand")
      #expect(try client() == "c1")
      #expect(server.hits("/register") == 1)
      // The client of another server is none of this one.
      let other = ResourceWorld()
      let another = try other.server()
      let login = try world.run(["login", "--resource", another.base + "/mcp", "--headless-test"])
      #expect(login.status == 0 && another.hits("/register") == 1, "\(login.messages)")
    }
  }

  // RFC 7591 section 2: a client may ask for what it was registered for.
  @Test("A client that was registered for less than is wanted is registered anew, for both")
  func scope() throws {
    try ResourceWorld.with { world, server, address in
      for (scope, isKept, client) in [
        ("a", false, "c1"), ("a", true, "c1"), ("b", false, "c2"), ("a", true, "c2"), ("b a", true, "c2"),
      ] {
        let words = ["--resource", address, "--scope", scope]
        let explained = try world.run(["explain"] + words)["resource"] as? [String: String]
        #expect(explained?["client_from"] == (isKept ? "kept" : "registration"))
        #expect(try world.run(["login", "--headless-test"] + words).status == 0)
        #expect(server.requests.last { $0.path == "/authorize" }?.query["client_id"] == client)
      }
      let registrations = server.requests.filter { $0.path == "/register" }
      #expect(registrations.count == 2 && registrations[1].body.contains(#""scope":"a b""#))
    }
  }

  @Test("A server that registers nobody, or says no, ends the login with what it says")
  func none() throws {
    try ResourceWorld.with { world, server, address in
      let words = ["login", "--resource", address, "--headless-test"]
      world.state.withLock {
        $0.other["/register"] = .json(
          #"{"error":"invalid_client_metadata","error_description":"Ask Bob."}"#, status: 400)
      }
      let refused = try world.run(words)
      #expect(refused.status == 1 && refused["error"] as? String == "invalid_client_metadata")
      #expect(refused.messages.contains("Ask Bob"), "\(refused.messages)")
      world.state.withLock {
        $0.metadata = ["registration_endpoint": "", "service_documentation": #""https://as.example/help""#]
      }
      let nowhere = try world.run(words)
      #expect(nowhere.status == 2 && nowhere["error"] as? String == "invalid_configuration")
      #expect(nowhere.messages.contains("https://as.example/help"), "\(nowhere.messages)")
      #expect(nowhere.messages.contains("--client-id"), "\(nowhere.messages)")
      #expect(server.hits("/authorize") == 0 && server.hits("/token") == 0)
      #expect(try world.run(words + ["--client-id", "hand"]).status == 0)
    }
  }
}
