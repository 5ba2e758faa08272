import Foundation
import Synchronization
import TestSupport
import Testing

/// RFC 7591 does not say how long a provider remembers a client. Some forget clients that are not used.
@Suite("A registered client that the provider has forgotten", .blocking)
struct ForgottenClientTests {
  private let folder = TemporaryFolder()

  /// A provider that registers clients, and knows those that it has not forgotten.
  private final class Provider: Sendable {
    private struct State {
      var clients = 0
      var known: Set<String> = ["mine"]
      var remembersNobody = false
    }

    private let state = Mutex(State())
    let pushesRequests: Bool

    init(pushesRequests: Bool = false) { self.pushesRequests = pushesRequests }

    /// Forgets all clients.
    func forget() { state.withLock { $0.known = [] } }
    /// Forgets every client at once.
    func rememberNobody() { state.withLock { $0.remembersNobody = true } }

    func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
      switch request.path {
      case "/.well-known/openid-configuration":
        return pushesRequests
          ? .metadata(
            base, ["registration_endpoint": "/register", "pushed_authorization_request_endpoint": "/par"],
            more: #","require_pushed_authorization_requests":true"#)
          : .metadata(base, ["registration_endpoint": "/register"])
      case "/register":
        return state.withLock { state in
          state.clients += 1
          if !state.remembersNobody { state.known.insert("client-\(state.clients)") }
          return .json(
            #"{"client_id":"client-\#(state.clients)","token_endpoint_auth_method":"none"}"#, status: 201)
        }
      case "/auth":
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
    _ provider: Provider = Provider(), _ body: (StandInServer, Provider) throws -> Void
  ) throws {
    try body(StandInServer { request, base in provider.answer(request, base) }, provider)
  }

  private func run(_ arguments: [String]) throws -> Outcome {
    try Tokentry.run(arguments, environment: ["TOKENTRY_STORE": "file:\(folder.path)"])
  }

  private func login(_ server: StandInServer, _ more: String...) throws -> Outcome {
    try run(
      ["login", "--issuer", server.base, "--redirect-uri", "https://app.example/done", "--state", "S"]
        + ["--headless-test"] + more)
  }

  /// The token of an account, which has to be good for longer than any token here.
  private func token(_ account: String, _ more: String...) throws -> Outcome {
    try run(["token", "--account", account, "--min-valid", "3600"] + more)
  }

  private func kept(_ server: StandInServer) throws -> Outcome {
    try run([
      "explain", "--issuer", server.base, "--redirect-uri", "https://app.example/done", "--endpoint",
      "authorization=\(server.base)/auth",
    ])
  }

  @Test(
    "A login registers another client if the token endpoint or the PAR endpoint refuses the old one",
    arguments: [false, true])
  func login(pushesRequests: Bool) throws {
    try withProvider(Provider(pushesRequests: pushesRequests)) { server, provider in
      #expect(try login(server).accessToken == "T-client-1")
      provider.forget()
      let outcome = try login(server, "-v")
      #expect(outcome.accessToken == "T-client-2", "\(outcome)")
      #expect(outcome.messages.contains("no longer knows the client"))
      #expect(
        server.hits("/auth") == (pushesRequests ? 2 : 3), "a pushed request is refused before a page opens")
      #expect(try login(server).accessToken == "T-client-2")
      #expect(server.hits("/register") == 2)
    }
  }

  @Test("A provider that forgets all its clients gets one registration per login")
  func never() throws {
    try withProvider { server, provider in
      provider.rememberNobody()
      for count in 1...3 {
        let outcome = try login(server)
        #expect(outcome.status == 1)
        #expect(outcome.error == "invalid_client")
        #expect(server.hits("/register") == count)
      }
    }
  }

  @Test("A client that the user has named is not replaced")
  func configured() throws {
    try withProvider { server, provider in
      #expect(try login(server, "--client-id", "mine", "--account", "work").status == 0)
      #expect(try login(server).accessToken == "T-client-1")
      provider.forget()
      for outcome in [
        try login(server, "--client-id", "mine"), try login(server, "--client-id", "client-1"),
        try token("work", "--silent"), try token("work", "--headless-test"),
      ] {
        #expect(outcome.status == 1)
        #expect(outcome.error == "invalid_client")
      }
      #expect(
        try kept(server).output.contains(#""client_id":"client-1""#), "the registered client is still kept")
      #expect(server.hits("/register") == 1)
    }
  }

  @Test("An account whose client is forgotten needs a login, after which all its requests use the new client")
  func account() throws {
    try withProvider { server, provider in
      for name in ["work", "home"] { #expect(try login(server, "--account", name).status == 0) }
      #expect(try token("work", "--silent").accessToken == "T-client-1")
      provider.forget()
      let silent = try token("work", "--silent")
      #expect(silent.status == 8, "\(silent.messages)")
      #expect(silent.error == "login_required")
      #expect(server.hits("/register") == 1)
      for name in ["work", "home"] {
        let outcome = try token(name, "--headless-test")
        #expect(outcome.accessToken == "T-client-2", "\(outcome)")
      }
      #expect(server.hits("/register") == 2)
      #expect(try token("work", "--silent").accessToken == "T-client-2")
      #expect(server.requests.last?.form["refresh_token"] == "R-client-2")
      let accounts = try run(["accounts"]).output
      #expect(accounts.contains("client-2") && !accounts.contains("client-1"))
    }
  }

  @Test("Many programs that notice at once register one client")
  func manyAtOnce() async throws {
    let provider = Provider()
    let server = try StandInServer { request, base in
      // Time for all of them to notice, because the test cannot see when they do.
      if request.path == "/register" { usleep(300_000) }
      return provider.answer(request, base)
    }
    try #require(try await onThread { try login(server).status } == 0)
    provider.forget()
    let outcomes = try await atOnce(8) { _ in try login(server) }
    #expect(outcomes.allSatisfy { $0.accessToken == "T-client-2" })
    #expect(server.hits("/register") == 2)
  }
}
