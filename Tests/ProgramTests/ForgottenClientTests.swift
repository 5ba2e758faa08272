import Foundation
import Synchronization
import TestSupport
import Testing

/// RFC 7591 says nothing of how long a provider remembers a client, and some forget those that are not used.
@Suite("A client that the provider has made and forgotten", .blocking)
struct ForgottenClientTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "clients-\(UUID().uuidString)")
    .path(percentEncoded: false)

  /// A provider that makes clients, and knows those that it has not forgotten.
  private final class Provider: Sendable {
    private struct State {
      var clients = 0
      var known: Set<String> = ["mine"]
      var remembersNobody = false
    }

    private let state = Mutex(State())
    let pushesRequests: Bool

    init(pushesRequests: Bool = false) { self.pushesRequests = pushesRequests }

    /// From now on it knows none of those that it has made.
    func forget() { state.withLock { $0.known = [] } }
    /// From now on it does not even know those that it makes.
    func rememberNobody() { state.withLock { $0.remembersNobody = true } }

    func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
      switch request.path {
      case "/.well-known/openid-configuration":
        let pushes =
          #","pushed_authorization_request_endpoint":"\#(base)/par""#
          + #","require_pushed_authorization_requests":true"#
        return .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/a","token_endpoint":"\#(base)/t","#
            + #""registration_endpoint":"\#(base)/register"\#(pushesRequests ? pushes : "")}"#)
      case "/register":
        return state.withLock { state in
          state.clients += 1
          if !state.remembersNobody { state.known.insert("client-\(state.clients)") }
          return .json(
            #"{"client_id":"client-\#(state.clients)","token_endpoint_auth_method":"none"}"#, status: 201)
        }
      case "/a":
        return .redirect("https://app.example/done?code=C&state=\(request.query["state"] ?? "S")")
      default:
        let client = request.form["client_id"] ?? ""
        guard state.withLock({ $0.known.contains(client) }) else {
          return .json(#"{"error":"invalid_client"}"#, status: 401)
        }
        if request.path == "/par" { return .json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201) }
        let token = request.form["refresh_token"] ?? "R-\(client)"
        return token == "R-\(client)"
          ? .json(
            #"{"access_token":"T-\#(client)","token_type":"Bearer","expires_in":60,"refresh_token":"\#(token)"}"#
          )
          : .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
    }
  }

  private func withProvider(
    _ provider: Provider = Provider(), _ body: @escaping @Sendable (StandInServer, Provider) throws -> Void
  ) async throws {
    let server = try StandInServer { request, base in provider.answer(request, base) }
    try await onThread {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try body(server, provider)
    }
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, environment: ["TOKENTRY_STORE": "file:\(folder)"])
  }

  private func login(_ server: StandInServer, _ more: String...) throws -> Program.Outcome {
    try run(
      ["login", "--issuer", server.base, "--redirect-uri", "https://app.example/done", "--state", "S"]
        + ["--headless-test"] + more)
  }

  /// The token of an account, for longer than any token here is good.
  private func token(_ account: String, _ more: String...) throws -> Program.Outcome {
    try run(["token", "--account", account, "--min-valid", "3600"] + more)
  }

  private func kept(_ server: StandInServer) throws -> Program.Outcome {
    try run(["register", "--issuer", server.base, "--redirect-uri", "https://app.example/done"])
  }

  @Test(
    "A login has another one made, wherever it is told that the client is unknown", arguments: [false, true])
  func login(pushesRequests: Bool) async throws {
    try await withProvider(Provider(pushesRequests: pushesRequests)) { server, provider in
      #expect(try login(server)["access_token"] as? String == "T-client-1")
      provider.forget()
      let outcome = try login(server, "-v")
      #expect(outcome["access_token"] as? String == "T-client-2", "\(outcome.output)\(outcome.messages)")
      #expect(outcome.messages.contains("has forgotten the client"))
      #expect(
        server.hits("/a") == (pushesRequests ? 2 : 3), "a pushed request is refused before a page opens")
      #expect(try login(server)["access_token"] as? String == "T-client-2")
      #expect(server.hits("/register") == 2)
    }
  }

  @Test("A provider that knows none of its clients is asked for one once for each login")
  func never() async throws {
    try await withProvider { server, provider in
      provider.rememberNobody()
      for count in 1...3 {
        let outcome = try login(server)
        #expect(outcome.status == 1)
        #expect(outcome["error"] as? String == "invalid_client")
        #expect(server.hits("/register") == count)
      }
    }
  }

  @Test("A client that the user has named is the user's own, and so is one by the same name")
  func configured() async throws {
    try await withProvider { server, provider in
      #expect(try login(server, "--client-id", "mine", "--account", "work").status == 0)
      #expect(try kept(server)["client_id"] as? String == "client-1")
      provider.forget()
      for outcome in [
        try login(server, "--client-id", "mine"), try login(server, "--client-id", "client-1"),
        try token("work", "--silent"), try token("work", "--headless-test"),
      ] {
        #expect(outcome.status == 1)
        #expect(outcome["error"] as? String == "invalid_client")
      }
      #expect(try kept(server)["registered"] as? Bool == false, "it is still there")
      #expect(server.hits("/register") == 1)
    }
  }

  @Test("An account whose client is forgotten needs a login, which is by the next client, as all of them are")
  func account() async throws {
    try await withProvider { server, provider in
      for name in ["work", "home"] { #expect(try login(server, "--account", name).status == 0) }
      #expect(try token("work", "--silent")["access_token"] as? String == "T-client-1")
      provider.forget()
      let silent = try token("work", "--silent")
      #expect(silent.status == 8, "\(silent.messages)")
      #expect(silent["error"] as? String == "login_required")
      #expect(server.hits("/register") == 1)
      for name in ["work", "home"] {
        let outcome = try token(name, "--headless-test")
        #expect(outcome["access_token"] as? String == "T-client-2", "\(outcome.output)\(outcome.messages)")
      }
      #expect(server.hits("/register") == 2)
      #expect(try token("work", "--silent")["access_token"] as? String == "T-client-2")
      #expect(server.requests.last?.form["refresh_token"] == "R-client-2")
      let accounts = try run(["accounts"]).output
      #expect(accounts.contains("client-2") && !accounts.contains("client-1"))
    }
  }

  @Test("Many programs that find out at once have one client made")
  func manyAtOnce() async throws {
    let provider = Provider()
    let server = try StandInServer { request, base in
      // Time for all of them to find out; they say nothing of that.
      if request.path == "/register" { usleep(300_000) }
      return provider.answer(request, base)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try #require(try await onThread { try login(server).status } == 0)
    provider.forget()
    let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
      for _ in 0..<8 { group.addTask { try await onThread { try login(server) } } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0["access_token"] as? String == "T-client-2" })
    #expect(server.hits("/register") == 2)
  }
}
