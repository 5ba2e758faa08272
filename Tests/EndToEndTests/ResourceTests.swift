import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("An API of which nobody says more than its address, by the real program", .blocking)
struct ResourceTests {
  /// An API, and the server that issues its tokens: `T1`, `T2` and so on. Clients are made for a redirect URI with its
  /// port, and named in the body.
  final class World: Sendable {
    struct State {
      var clients: [String: String] = [:]
      var codes: [String: String] = [:]
      var tokens = 0
      var good: Set<String> = []
      /// Answers in place of the usual ones, by path.
      var other: [String: StandInServer.Answer] = [:]
      /// What the API wants of a token: a scope, or a way to sign in.
      var scope: String?
      var context: String?
      var isNeverContent = false
      var server: String?
      var takesDocuments = false
      var deadRefresh = false
    }

    let state = Mutex(State())
    let folder = FileManager.default.temporaryDirectory.appending(path: "resource-\(UUID().uuidString)")
      .path()

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
      state.withLock { state in
        if let other = state.other[request.path] { return other }
        let issuer = state.server ?? base
        switch request.path {
        case "/mcp", "/mcp/tools": return Self.api(request, base, state)
        case "/.well-known/oauth-protected-resource/mcp":
          return .json(
            #"{"resource":"\#(base)/mcp","authorization_servers":["\#(issuer)"],"scopes_supported":["read"]}"#
          )
        case "/.well-known/oauth-authorization-server": return Self.metadata(base, state)
        case "/register": return Self.register(request, &state)
        case "/authorize": return Self.authorize(request, base, &state)
        case "/token": return Self.token(request, &state)
        default: return StandInServer.Answer(404)
        }
      }
    }

    private static func api(
      _ request: StandInServer.Request, _ base: String, _ state: State
    ) -> StandInServer.Answer {
      let token = request.headers["authorization"]?.components(separatedBy: " ").last ?? ""
      func refusal(_ status: Int, _ challenge: String) -> StandInServer.Answer {
        StandInServer.Answer(status, ["WWW-Authenticate: Bearer \(challenge)"])
      }
      guard state.good.contains(token) else {
        return refusal(401, #"resource_metadata="\#(base)/.well-known/oauth-protected-resource/mcp""#)
      }
      if let scope = state.scope, state.isNeverContent || !token.contains(scope) {
        return refusal(403, #"error="insufficient_scope", scope="\#(scope)""#)
      }
      if let context = state.context, state.isNeverContent || !token.contains(context) {
        return refusal(
          401, #"error="insufficient_user_authentication", acr_values="\#(context)", max_age="5""#)
      }
      return .json(#"{"ok":true}"#)
    }

    private static func metadata(_ base: String, _ state: State) -> StandInServer.Answer {
      .json(
        #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/authorize","token_endpoint":"\#(base)/token","#
          + #""registration_endpoint":"\#(base)/register","code_challenge_methods_supported":["S256"],"#
          + #""token_endpoint_auth_methods_supported":["client_secret_basic"],"#
          + #""authorization_response_iss_parameter_supported":true,"#
          + #""client_id_metadata_document_supported":\#(state.takesDocuments),"#
          + #""scopes_supported":["read","offline_access"]}"#)
    }

    private static func register(_ request: StandInServer.Request, _ state: inout State)
      -> StandInServer.Answer
    {
      let members = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [String: Any]
      let redirectURI = (members?["redirect_uris"] as? [String])?.first ?? ""
      let name = "c\(state.clients.count + 1)"
      state.clients[name] = redirectURI
      return .json(
        #"{"client_id":"\#(name)","client_secret":"s","redirect_uris":["\#(redirectURI)"]}"#, status: 201)
    }

    private static func authorize(
      _ request: StandInServer.Request, _ base: String, _ state: inout State
    ) -> StandInServer.Answer {
      let query = request.query
      let redirectURI = query["redirect_uri"] ?? ""
      guard
        state.clients[query["client_id"] ?? ""] == redirectURI
          || query["client_id"]?.hasPrefix("https") == true
      else { return StandInServer.Answer(400) }
      let code = "code-\(state.codes.count)"
      state.codes[code] = "\(query["scope"] ?? "") \(query["acr_values"] ?? "")"
      let issuer = base.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return .redirect("\(redirectURI)?code=\(code)&state=\(query["state"] ?? "")&iss=\(issuer)")
    }

    private static func token(_ request: StandInServer.Request, _ state: inout State) -> StandInServer.Answer
    {
      guard let client = request.form["client_id"], state.clients[client] != nil || client.hasPrefix("https")
      else {
        return .json(#"{"error":"invalid_client"}"#, status: 401)
      }
      if request.form["refresh_token"] != nil, state.deadRefresh {
        return .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
      state.tokens += 1
      let scope = state.codes[request.form["code"] ?? ""] ?? ""
      let token = "T\(state.tokens)" + scope.split(separator: " ").map { "-\($0)" }.joined()
      state.good.insert(token)
      return .json(
        #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600,"refresh_token":"R"}"#)
    }
  }

  /// Runs the program where `world` is all that there is.
  private func run(
    _ world: World, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(
      arguments, environment: ["TOKENTRY_STORE": "file:\(world.folder)"].merging(environment) { $1 })
  }

  private func withWorld(_ body: (World, StandInServer, String) throws -> Void) throws {
    let world = World()
    let server = try StandInServer { request, base in world.answer(request, base) }
    try body(world, server, server.base + "/mcp")
  }

  @Test("The address alone leads to a token, and to an account that is called after it")
  func address() throws {
    try withWorld { world, server, address in
      let login = try run(world, ["login", "--resource", address, "--headless-test"])
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
        #expect(try run(world, words)["access_token"] as? String == "T1-read-offline_access")
      }
      let request = try run(world, ["request", "--resource", address, address + "/tools"])
      #expect(request.output == #"{"ok":true}"#, "\(request.messages)")
      let elsewhere = try run(world, ["request", "--resource", address, server.base + "/mcp-x"])
      #expect(elsewhere.status == 2 && elsewhere.messages.contains("--allow-origin"), "\(elsewhere.messages)")
      #expect(try run(world, ["logout", "--resource", address]).status == 0)
      #expect(try run(world, ["token", "--resource", address])["error"] as? String == "unknown_account")
    }
  }

  @Test("A test that is told of no store keeps nothing")
  func testAlone() throws {
    try withWorld { _, _, address in
      let login = try Program.run(["login", "--resource", address, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
    }
  }

  @Test("A client comes back to the port that it was registered with, as long as nobody else has it")
  func port() throws {
    try withWorld { world, server, address in
      func login() throws -> Int? {
        let browser = try Browser()
        let login = try run(world, ["login", "--resource", address, "--browser", browser.command])
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

  @Test("Explain tells step by step what was found out, and signs nobody in")
  func explain() throws {
    try withWorld { world, server, address in
      let explained = try run(world, ["explain", "--resource", address])
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
      _ = try run(world, ["login", "--resource", address, "--headless-test"])
      let again = try run(world, ["explain", "--resource", address, "--scope", "read"])
      #expect((again["resource"] as? [String: String])?["client_from"] == "kept", "\(again.messages)")
      #expect((again["resource"] as? [String: String])?["scope_from"] == "caller")
    }
  }

  @Test(
    "What an API or its server says wrongly ends the login before anybody is asked",
    arguments: [
      (
        "/.well-known/oauth-protected-resource/mcp", #"{"resource":"https://other.example/"}"#, 6,
        "untrusted_metadata"
      ),
      (
        "/.well-known/oauth-authorization-server", #"{"issuer":"https://other.example"}"#, 6,
        "untrusted_metadata"
      ),
      (
        "/.well-known/oauth-authorization-server", #"{"issuer":"BASE","authorization_endpoint":"BASE/a"}"#, 6,
        "untrusted_metadata"
      ),
      ("/.well-known/oauth-protected-resource/mcp", "<html>", 5, "bad_provider_response"),
      ("/.well-known/oauth-protected-resource/mcp", #"{"resource":"BASE/mcp"}"#, 2, "invalid_configuration"),
      ("/.well-known/oauth-authorization-server", "[]", 5, "bad_provider_response"),
    ] as [(String, String, Int32, String)])
  func wrong(path: String, body: String, status: Int32, code: String) throws {
    try withWorld { world, server, address in
      world.state.withLock {
        $0.other[path] = .json(body.replacingOccurrences(of: "BASE", with: server.base))
      }
      for command in ["login", "explain"] {
        let outcome = try run(world, [command, "--resource", address, "--headless-test"])
        #expect(outcome.status == status, "\(outcome.output)")
        #expect(outcome["error"] as? String == code)
        if status == 6 { #expect(outcome["details"] != nil) }
        if status == 2 { #expect(outcome.messages.contains("--issuer")) }
      }
      #expect(["/register", "/authorize", "/token"].allSatisfy { server.hits($0) == 0 })
    }
  }

  @Test(
    "A client that is an address is used where the server reads it; else one is made, with a warning",
    arguments: [true, false])
  func document(isTaken: Bool) throws {
    try withWorld { world, server, address in
      world.state.withLock { $0.takesDocuments = isTaken }
      let client = "https://app.example/client.json"
      let login = try run(world, ["login", "--resource", address, "--client-id", client, "--headless-test"])
      #expect(login.status == 0, "\(login.messages)")
      #expect(
        server.requests.last { $0.path == "/authorize" }?.query["client_id"] == (isTaken ? client : "c1"))
      #expect(login.messages.contains("warning") == !isTaken)
    }
  }

  @Test("Of an API that has moved to another server nothing is sent there that belongs to the old one")
  func moved() throws {
    try withWorld { world, server, address in
      try #require(try run(world, ["login", "--resource", address, "--headless-test"]).status == 0)
      let other = World()
      let newServer = try StandInServer { request, base in other.answer(request, base) }
      world.state.withLock { state in
        (state.server, state.deadRefresh, state.good) = (newServer.base, true, [])
      }
      let token = try run(
        world, ["token", "--resource", address, "--min-valid", "5000", "--headless-test"])
      #expect(token.status == 0, "\(token.messages)")
      #expect(newServer.hits("/register") == 1 && newServer.hits("/token") == 1)
      for request in newServer.requests {
        #expect(
          !request.body.contains("refresh_token=") && request.headers["authorization"]?.contains("T1") != true
        )
      }
      #expect(server.requests.last { $0.path == "/token" }?.form["grant_type"] == "refresh_token")
      let accounts = try run(world, ["accounts"]).output
      #expect(accounts.contains(newServer.base), "\(accounts)")
    }
  }

  @Test("A request asks once for more, for what the server wants", arguments: [true, false])
  func stepUp(isScope: Bool) throws {
    try withWorld { world, server, address in
      try #require(try run(world, ["login", "--resource", address, "--headless-test"]).status == 0)
      world.state.withLock { if isScope { $0.scope = "write" } else { $0.context = "gold" } }
      let silent = try run(world, ["request", "--resource", address, "--silent", address])
      #expect(silent.status == 1 && silent.messages.contains("insufficient"), "\(silent.messages)")
      let request = try run(
        world, ["request", "--resource", address, "--headless-test", "-d", "{}", address])
      #expect(request.status == 0 && request.output == #"{"ok":true}"#, "\(request.messages)")
      let asked = try #require(server.requests.last { $0.path == "/authorize" }).query
      #expect(asked["scope"] == (isScope ? "read offline_access write" : "read offline_access"))
      #expect(asked["acr_values"] == (isScope ? nil : "gold") && asked["max_age"] == (isScope ? nil : "5"))
      #expect(server.hits("/authorize") == 2 && server.hits("/register") == 1)
      world.state.withLock { $0.isNeverContent = true }
      let never = try run(world, ["request", "--resource", address, "--headless-test", address])
      #expect(never.status == 1 && never.messages.contains("insufficient"), "\(never.messages)")
      #expect(server.hits("/authorize") == 3)
    }
  }

  @Test("Further parameters go into every token request, and details into the authorization request")
  func further() throws {
    try withWorld { world, server, address in
      let file = world.folder + "-details"
      defer { try? FileManager.default.removeItem(atPath: file) }
      try #"[ {"type":"pay"} ]"#.write(toFile: file, atomically: true, encoding: .utf8)
      let words = ["--resource", address, "--headless-test", "--token-param", "req_cnf=X"]
      #expect(try run(world, ["login"] + words).status == 0)
      #expect(server.requests.last { $0.path == "/token" }?.form["req_cnf"] == "X")
      #expect(try run(world, ["token", "--resource", address, "--min-valid", "5000"]).status == 0)
      #expect(server.requests.last { $0.path == "/token" }?.form["req_cnf"] == "X")
      #expect(try run(world, ["login", "--token-param", "code=X"] + words.dropLast(2)).status == 2)
      let details = words + ["--authorization-details", file]
      #expect(try run(world, ["explain"] + details).output.contains(#"[{\"type\":\"pay\"}]"#))
      let login = try run(world, ["login"] + details)
      #expect(login.status == 6 && login["error"] as? String == "missing_token", "\(login.output)")
      #expect(
        server.requests.last { $0.path == "/authorize" }?.query["authorization_details"]
          == #"[{"type":"pay"}]"#)
      try "{}".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try run(world, ["login"] + details)["error"] as? String == "invalid_option")
    }
  }
}
