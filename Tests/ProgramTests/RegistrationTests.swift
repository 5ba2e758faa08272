import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Registering a client, by the real program", .blocking)
struct RegistrationTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "clients-\(UUID().uuidString)")
    .path(percentEncoded: false)

  /// A provider that makes clients, and describes itself.
  private final class Provider: Sendable {
    struct State {
      var clients = 0
      /// Further members of the answer.
      var further = ""
      var refusal: StandInServer.Answer?
      var deletion = 204
    }

    let state = Mutex(State())

    func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
      switch request.path {
      case "/.well-known/openid-configuration":
        return .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/a","token_endpoint":"\#(base)/t","#
            + #""registration_endpoint":"\#(base)/register"}"#)
      case "/register":
        return state.withLock { state in
          if let refusal = state.refusal { return refusal }
          state.clients += 1
          return .json(
            #"{"client_id":"client-\#(state.clients)","client_secret":"SECRET","#
              + #""registration_client_uri":"\#(base)/client","registration_access_token":"RAT"\#(state.further)}"#,
            status: 201)
        }
      case "/client": return StandInServer.Answer(state.withLock { $0.deletion })
      case "/a":
        return .redirect("https://app.example/done?code=C&state=\(request.query["state"] ?? "")")
      default: return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
    }
  }

  private func withProvider(_ body: (StandInServer, Provider) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let provider = Provider()
    try body(try StandInServer { request, base in provider.answer(request, base) }, provider)
  }

  private func run(
    _ command: String, _ server: StandInServer, _ more: String..., input: String = ""
  ) throws -> Program.Outcome {
    try run(command, server, more, input: input)
  }

  private func run(
    _ command: String, _ server: StandInServer, _ more: [String], input: String = ""
  ) throws -> Program.Outcome {
    try Program.run(
      [command, "--issuer", server.base, "--redirect-uri", "https://app.example/done"] + more, input: input,
      environment: ["TOKENTRY_STORE": "file:\(folder)"])
  }

  // RFC 9700 section 4.4.2.
  @Test(
    "A client that is made for a login has a path of its own for each issuer, and the browser comes back to it"
  )
  func ownPath() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let provider = Provider()
    let server = try StandInServer { request, base in
      guard request.path == "/a" else { return provider.answer(request, base) }
      return .redirect("\(request.query["redirect_uri"] ?? "")?code=C&state=\(request.query["state"] ?? "")")
    }
    let browser = try Browser()
    let outcome = try Program.run(
      ["login", "--issuer", server.base, "--browser", browser.command],
      environment: ["TOKENTRY_STORE": "file:\(folder)"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let path = server.base.replacingOccurrences(of: "http://", with: "/callback/")
    let body = server.requests.first { $0.path == "/register" }.map { Data($0.body.utf8) }
    let members = try body.flatMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    let registered = try #require((members?["redirect_uris"] as? [String])?.first)
    #expect(
      registered.hasPrefix("http://127.0.0.1:") && registered.hasSuffix(path), "its port is a part of it")
    #expect(server.requests.first { $0.path == "/a" }?.query["redirect_uri"] == registered)
  }

  // RFC 9700 section 4.4.2: without an iss in the callback nothing else tells whose answer it is.
  @Test("A client that is named has a path for each issuer, too; what somebody has said goes first")
  func ownPathOfNamedClient() throws {
    let named = ["explain", "--client-id", "c", "--authorization-endpoint", "https://as.example/authorize"]
    let table = [
      ([], "http://127.0.0.1/callback"),
      (["--issuer", "https://as.example"], "http://127.0.0.1/callback/as.example"),
      (["--issuer", "https://as.example/b"], "http://127.0.0.1/callback/as.example/b"),
      (["--issuer", "https://as.example", "--redirect-uri", "http://127.0.0.1/cb"], "http://127.0.0.1/cb"),
      (["--provider", "spotify"], "http://127.0.0.1/callback"),
    ]
    for (options, redirect) in table {
      let outcome = try Program.run(named + options)
      #expect(outcome["redirect_uris"] as? [String] == [redirect], "\(options): \(outcome.output)")
    }
  }

  // RFC 7591 sections 2 and 3.1.
  @Test("The provider is told what the client is; no secret of it is printed")
  func register() throws {
    try withProvider { server, _ in
      let outcome = try run("register", server, "--client-name", "Mail", "--scope", "mail")
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(
        outcome.output
          == #"{"client_id":"client-1","client_authentication":"basic","redirect_uri":"https://app.example/done","registered":true}"#
          + "\n")
      let request = try #require(server.requests.first { $0.path == "/register" })
      #expect(request.method == "POST" && request.headers["content-type"] == "application/json")
      #expect(request.headers["authorization"] == nil)
      let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      #expect(body?["client_name"] as? String == "Mail")
      #expect(body?["scope"] as? String == "mail")
      #expect(body?["redirect_uris"] as? [String] == ["https://app.example/done"])
      let again = try run("register", server)
      #expect(again["client_id"] as? String == "client-1")
      #expect(again["registered"] as? Bool == false)
      #expect(server.hits("/register") == 1)
    }
  }

  @Test("A login without a client has one made, keeps it, and uses it the next time; explain shows it")
  func login() throws {
    try withProvider { server, _ in
      #expect(try run("explain", server).status == 2)
      #expect(server.requests.isEmpty, "explain asks nobody")
      for _ in 0..<2 {
        let outcome = try run("login", server, "--headless-test", "--account", "work")
        #expect(outcome.status == 0, "\(outcome.messages)")
      }
      #expect(server.hits("/register") == 1)
      #expect(
        server.requests.filter { $0.path == "/a" }.map { $0.query["client_id"] } == ["client-1", "client-1"])
      let exchange = try #require(server.requests.last { $0.path == "/t" })
      #expect(
        exchange.headers["authorization"] == "Basic " + Data("client-1:SECRET".utf8).base64EncodedString())
      let explained = try run("explain", server, "--authorization-endpoint", server.base + "/a")
      #expect(explained.output.contains(#""client_id":"client-1""#), "\(explained.messages)")
      #expect(!explained.output.contains("SECRET"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains("work.json"))
      let accounts = try Program.run(["accounts"], environment: ["TOKENTRY_STORE": "file:\(folder)"])
      #expect((accounts["accounts"] as? [Any])?.count == 1, "a client is no account")
    }
  }

  @Test("Many programs at once have one client made, and all use it")
  func manyAtOnce() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let provider = Provider()
    let server = try StandInServer { request, base in
      // Time for all of them to be there before the first has its answer; they say nothing of that.
      if request.path == "/register" { usleep(500_000) }
      return provider.answer(request, base)
    }
    let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
      for number in 0..<16 {
        let more = number % 2 == 0 ? ["--headless-test", "--account", "account-\(number)"] : []
        group.addTask { [self] in
          try await onThread { try run(more.isEmpty ? "register" : "login", server, more) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 16))
    #expect(server.hits("/register") == 1)
    #expect(outcomes.count { $0["client_id"] as? String == "client-1" } == 8)
    #expect(outcomes.count { $0["registered"] as? Bool == true } <= 1)
    #expect(
      server.requests.filter { $0.path == "/a" }.map { $0.query["client_id"] }
        == Array(repeating: "client-1", count: 8))
  }

  @Test("A test that names neither an account nor a store registers, and keeps nothing")
  func headlessTest() throws {
    try withProvider { server, _ in
      let arguments = ["login", "--issuer", server.base, "--redirect-uri", "https://app.example/done"]
      for _ in 0..<2 {
        let outcome = try Program.run(arguments + ["--headless-test"])
        #expect(outcome.status == 0, "\(outcome.messages)")
      }
      #expect(server.hits("/register") == 2)
    }
  }

  @Test("A client whose secret has ended is registered again by the next login")
  func expired() throws {
    try withProvider { server, provider in
      provider.state.withLock { $0.further = #","client_secret_expires_at":1000"# }
      let client = try run("register", server)
      #expect(client["expires_at"] as? String == "1970-01-01T00:16:40Z", "\(client.output)")
      provider.state.withLock { $0.further = "" }
      #expect(try run("login", server, "--headless-test").status == 0)
      #expect(try run("register", server)["client_id"] as? String == "client-2")
      #expect(server.hits("/register") == 2)
    }
  }

  @Test(
    "What a provider refuses, or answers wrongly, is told and nothing is kept",
    arguments: [
      (.json(#"{"error":"invalid_redirect_uri"}"#, status: 400), 1, "invalid_redirect_uri"),
      (.json(#"{"error":"invalid_token"}"#, status: 401), 1, "invalid_token"),
      (.json(#"{"client_id":"c","redirect_uris":["https://evil.example/"]}"#), 5, "bad_provider_response"),
      (.json("{}"), 5, "bad_provider_response"), (StandInServer.Answer(503), 5, "bad_provider_response"),
      (.redirect("/elsewhere"), 5, "bad_provider_response"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refused(answer: StandInServer.Answer, status: Int32, code: String) throws {
    try withProvider { server, provider in
      provider.state.withLock { $0.refusal = answer }
      for command in ["register", "login"] {
        let outcome = try run(command, server)
        #expect(outcome.status == status, "\(outcome.output)")
        #expect(outcome["error"] as? String == code)
      }
      #expect(server.hits("/elsewhere") == 0 && server.hits("/a") == 0)
      #expect(try run("register", server, "--forget")["error"] as? String == "unknown_client")
    }
  }

  @Test("Without a place to register there is no client, and nobody is asked to sign in")
  func noEndpoint() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try StandInServer { request, base in
      request.path == "/.well-known/openid-configuration"
        ? .json(#"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/a","token_endpoint":"\#(base)/t"}"#)
        : StandInServer.Answer(404)
    }
    for command in ["register", "login"] {
      let outcome = try run(command, server)
      #expect(outcome.status == 2, "\(outcome.output)")
      #expect(outcome["error"] as? String == "invalid_configuration")
    }
    #expect(server.hits("/a") == 0)
  }

  @Test("Where a client cannot be kept none is made")
  func noStore() throws {
    try withProvider { server, _ in
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      #expect(try run("register", server)["error"] as? String == "store_unavailable")
      #expect(server.hits("/register") == 0)
    }
  }

  @Test("An initial access token comes from a private file or a document, and goes into the header")
  func initialAccessToken() throws {
    try withProvider { server, _ in
      let file = "\(folder)-token"
      defer { try? FileManager.default.removeItem(atPath: file) }
      try "IAT\n".write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      #expect(try run("register", server, "--initial-access-token-file", file).status == 2)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      #expect(try run("register", server, "--initial-access-token-file", file).status == 0)
      #expect(server.requests.last?.headers["authorization"] == "Bearer IAT")
      #expect(try run("register", server, "--forget").status == 0)
      let document = #"{"initial_access_token":"other"}"#
      #expect(try run("register", server, "--request", "-", input: document).status == 0)
      #expect(server.requests.last?.headers["authorization"] == "Bearer other")
    }
  }

  // RFC 7592 section 2.3.
  @Test("A client is deleted at the provider with its own token, then forgotten")
  func forget() throws {
    try withProvider { server, provider in
      _ = try run("register", server)
      provider.state.withLock { $0.deletion = 503 }
      let busy = try run("register", server, "--forget")
      #expect(busy.status == 1)
      #expect(busy["error"] as? String == "temporarily_unavailable")
      #expect(try run("register", server)["registered"] as? Bool == false, "it is still there")
      provider.state.withLock { $0.deletion = 204 }
      let outcome = try run("register", server, "--forget")
      #expect(outcome.output == #"{"client_id":"client-1","deleted":true,"forgotten":true}"# + "\n")
      let request = try #require(server.requests.last)
      #expect(request.method == "DELETE" && request.headers["authorization"] == "Bearer RAT")
      let again = try run("register", server, "--forget")
      #expect(again.status == 9)
      #expect(again["error"] as? String == "unknown_client")
      _ = try run("register", server)
      provider.state.withLock { $0.deletion = 500 }
      #expect(try run("register", server, "--forget", "--force")["deleted"] as? Bool == false)
      #expect(try run("register", server, "--forget").status == 9)
    }
  }
}
