import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Registering a client", .blocking)
struct RegistrationTests {
  private let folder = TemporaryFolder()
  private var store: String { folder.path + "/store" }

  /// A provider that registers clients.
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
      case "/.well-known/openid-configuration": return .metadata(base, ["registration_endpoint": "/register"])
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
      case "/auth":
        return .redirect("https://app.example/done?code=C&state=\(request.query["state"] ?? "")")
      default: return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
    }
  }

  private func withProvider(_ body: (StandInServer, Provider) throws -> Void) throws {
    let provider = Provider()
    try body(try StandInServer { request, base in provider.answer(request, base) }, provider)
  }

  private func run(
    _ command: String, _ server: StandInServer, _ more: String..., input: String = ""
  ) throws -> Outcome {
    try run(command, server, more, input: input)
  }

  private func run(
    _ command: String, _ server: StandInServer, _ more: [String], input: String = ""
  ) throws -> Outcome {
    try Tokentry.run(
      [command, "--issuer", server.base, "--redirect-uri", "https://app.example/done"] + more, input: input,
      environment: ["TOKENTRY_STORE": "file:\(store)"])
  }

  private func signIn(
    _ server: StandInServer, _ more: String..., input: String = ""
  ) throws -> Outcome { try run("login", server, ["--headless-test"] + more, input: input) }

  private func forget(_ server: StandInServer, _ more: String...) throws -> Outcome {
    try run("logout", server, more)
  }

  /// The clients of the logins, in their order.
  private func clients(_ server: StandInServer) -> [String?] {
    server.requests.filter { $0.path == "/auth" }.map { $0.query["client_id"] }
  }

  // RFC 9700 section 4.4.2.
  @Test(
    "A login's own client has a redirect URI for each issuer, and the browser comes back to it"
  )
  func ownPath() throws {
    let provider = Provider()
    let server = try StandInServer { request, base in
      guard request.path == "/auth" else { return provider.answer(request, base) }
      return .redirect("\(request.query["redirect_uri"] ?? "")?code=C&state=\(request.query["state"] ?? "")")
    }
    let browser = try Browser()
    let outcome = try Tokentry.run(
      ["login", "--issuer", server.base, "--browser", browser.command],
      environment: ["TOKENTRY_STORE": "file:\(store)"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let path = server.base.replacingOccurrences(of: "http://", with: "/callback/")
    let body = server.requests.first { $0.path == "/register" }.map { Data($0.body.utf8) }
    let members = try body.flatMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    let registered = try #require((members?["redirect_uris"] as? [String])?.first)
    #expect(
      registered.hasPrefix("http://127.0.0.1:") && registered.hasSuffix(path), "the port is part of it")
    #expect(server.requests.first { $0.path == "/auth" }?.query["redirect_uri"] == registered)
  }

  // RFC 9700 section 4.4.2: without iss in the callback, the redirect URI tells whose answer it is.
  @Test("A client of the user has a redirect URI for each issuer too, unless the user names one")
  func ownPathOfNamedClient() throws {
    let named = ["explain", "--client-id", "c", "--endpoint", "authorization=https://as.example/authorize"]
    let table = [
      ([], "http://127.0.0.1:62797/callback"),
      (["--issuer", "https://as.example/"], "http://127.0.0.1:62797/callback/as.example"),
      (["--issuer", "https://as.example/b"], "http://127.0.0.1:61676/callback/as.example/b"),
      (["--issuer", "https://as.example", "--redirect-uri", "http://127.0.0.1/cb"], "http://127.0.0.1/cb"),
      (["--provider", "spotify"], "http://127.0.0.1/callback"),
    ]
    for (options, redirect) in table {
      let outcome = try Tokentry.run(named + options)
      #expect(outcome["redirect_uris"] as? [String] == [redirect], "\(options): \(outcome.output)")
    }
  }

  // RFC 7591 sections 2 and 3.1.
  @Test("The registration describes the client, and its secret is not printed")
  func register() throws {
    try withProvider { server, _ in
      let outcome = try signIn(server, "--application", "Mail", "--scope", "mail")
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(!outcome.output.contains("SECRET") && !outcome.messages.contains("SECRET"))
      let request = try #require(server.requests.first { $0.path == "/register" })
      #expect(request.method == "POST" && request.headers["content-type"] == "application/json")
      #expect(request.headers["authorization"] == nil)
      let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      #expect(body?["client_name"] as? String == "Mail")
      #expect(body?["scope"] as? String == "mail")
      #expect(body?["redirect_uris"] as? [String] == ["https://app.example/done"])
      #expect(try signIn(server, "--scope", "mail").status == 0)
      #expect(clients(server) == ["client-1", "client-1"] && server.hits("/register") == 1)
    }
  }

  @Test("A login without a client registers one and keeps it for the next login, and explain shows it")
  func login() throws {
    try withProvider { server, _ in
      let before = try run("explain", server)
      #expect(before["redirect_uris"] as? [String] == ["https://app.example/done"])
      #expect(before.messages.contains("no client identifier was given, and CLIENT_ID stands for it"))
      #expect((before["url"] as? String)?.hasPrefix(server.base + "/auth?") == true, "\(before.output)")
      #expect(
        !server.requests.contains { ["/register", "/auth"].contains($0.path) }, "it reads only metadata")
      for _ in 0..<2 {
        let outcome = try run("login", server, "--headless-test", "--account", "work")
        #expect(outcome.status == 0, "\(outcome.messages)")
      }
      #expect(server.hits("/register") == 1)
      #expect(clients(server) == ["client-1", "client-1"])
      let exchange = try #require(server.requests.last { $0.path == "/token" })
      #expect(
        exchange.headers["authorization"] == "Basic " + Data("client-1:SECRET".utf8).base64EncodedString())
      let explained = try run("explain", server, "--endpoint", "authorization=\(server.base)/auth")
      #expect(explained.output.contains(#""client_id":"client-1""#), "\(explained.messages)")
      #expect(!explained.output.contains("SECRET"))
      #expect(folder.contains("store/work.json"))
      let accounts = try Tokentry.run(["accounts"], environment: ["TOKENTRY_STORE": "file:\(store)"])
      #expect((accounts["accounts"] as? [Any])?.count == 1, "a client is not an account")
    }
  }

  @Test("Many programs at once register one client, and all use it")
  func manyAtOnce() async throws {
    let provider = Provider()
    let server = try StandInServer { request, base in
      // Time for all of them to arrive before the first gets its answer.
      if request.path == "/register" { usleep(500_000) }
      return provider.answer(request, base)
    }
    let outcomes = try await atOnce(16) { number in
      try run(
        "login", server, ["--headless-test"] + (number % 2 == 0 ? ["--account", "account-\(number)"] : []))
    }
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 16))
    #expect(server.hits("/register") == 1)
    #expect(clients(server) == Array(repeating: "client-1", count: 16))
  }

  @Test("A test without an account or a store registers a client and does not keep it")
  func headlessTest() throws {
    try withProvider { server, _ in
      let arguments = ["login", "--issuer", server.base, "--redirect-uri", "https://app.example/done"]
      for _ in 0..<2 {
        let outcome = try Tokentry.run(arguments + ["--headless-test"])
        #expect(outcome.status == 0, "\(outcome.messages)")
      }
      #expect(server.hits("/register") == 2)
    }
  }

  @Test(
    "A refusal or a wrong answer is reported, and no client is kept",
    arguments: [
      (.json(#"{"error":"invalid_redirect_uri"}"#, status: 400), 1, "invalid_redirect_uri"),
      (.json(#"{"client_id":"c","redirect_uris":["https://evil.example/"]}"#), 5, "bad_provider_response"),
      (.json(#"{"client_id":"c","response_types":["token"]}"#), 5, "bad_provider_response"),
      (
        .json(#"{"client_id":"c","client_secret":"s","client_secret_expires_at":1000}"#), 5,
        "bad_provider_response"
      ),
      (.redirect("/elsewhere"), 5, "bad_provider_response"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refused(answer: StandInServer.Answer, status: Int32, code: String) throws {
    try withProvider { server, provider in
      provider.state.withLock { $0.refusal = answer }
      let outcome = try run("login", server)
      #expect(outcome.status == status, "\(outcome.output)")
      #expect(outcome.error == code)
      #expect(server.hits("/elsewhere") == 0 && server.hits("/auth") == 0)
      #expect(try forget(server).error == "unknown_client")
    }
  }

  @Test("If the client cannot be kept, it is not registered")
  func noStore() throws {
    try withProvider { server, _ in
      mkdir(store, 0o755)
      chmod(store, 0o755)
      let outcome = try signIn(server)
      #expect(outcome.error == "store_unavailable")
      #expect(server.hits("/register") == 0)
    }
  }

  @Test("An initial access token comes from a document, and goes into the header")
  func initialAccessToken() throws {
    try withProvider { server, _ in
      let document = #"{"initial_access_token":"IAT"}"#
      let outcome = try signIn(server, "--options", "-", input: document)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(
        server.requests.first { $0.path == "/register" }?.headers["authorization"] == "Bearer IAT")
    }
  }

  // RFC 7592 section 2.3.
  @Test("A client is deleted at the provider with its own token, then here")
  func forget() throws {
    try withProvider { server, provider in
      _ = try signIn(server)
      provider.state.withLock { $0.deletion = 503 }
      let busy = try forget(server)
      #expect(busy.status == 1)
      #expect(busy.error == "temporarily_unavailable")
      _ = try signIn(server)
      #expect(server.hits("/register") == 1, "it is still kept")
      provider.state.withLock { $0.deletion = 204 }
      let outcome = try forget(server)
      #expect(outcome.output == #"{"client_id":"client-1","deleted":true,"forgotten":true}"# + "\n")
      let request = try #require(server.requests.last)
      #expect(request.method == "DELETE" && request.headers["authorization"] == "Bearer RAT")
      let again = try forget(server)
      #expect(again.status == 9)
      #expect(again.error == "unknown_client")
      _ = try signIn(server)
      provider.state.withLock { $0.deletion = 500 }
      #expect(try forget(server, "--force")["deleted"] as? Bool == false)
      #expect(try forget(server).status == 9)
    }
  }
}
