import Foundation
import GLibSupport
import GnuTLSCrypto
import LoginCore
import SignIn
import Testing
import WindowProtocol

@testable import LoginKit

/// LoginKit's counterparts to p2/OAuth2, with a test for each row of the table in data/doc/instead-of.md.
@Suite("In place of p2/OAuth2")
struct InsteadOfP2Tests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("Each row of the table has a test of its name")
  func table() throws {
    let page = try String(contentsOf: Self.root.appending(path: "data/doc/instead-of.md"), encoding: .utf8)
    let start = try #require(page.range(of: "| p2/OAuth2 | LoginKit |\n|---|---|\n"))
    let rows = page[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("| ") }.map { $0.split(separator: " | ")[0].dropFirst(2) }
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    #expect(rows.count > 20)
    for row in rows { #expect(source.contains("@Test(\"\(row)\")"), "\(row)") }
  }

  @Test("`client_id`, `client_secret`, `authorize_uri`, `token_uri`, `redirect_uris`, `scope`, `title`")
  func settings() async throws {
    try await withClient { server, client in
      var provider = Provider()
      provider.endpoints[.authorization] = try Endpoint(server.origin + "/authorize")
      provider.endpoints[.token] = try Endpoint(server.origin + "/token")
      var own = try OAuthClient(provider: provider, clientID: "own", clientSecret: "s3cret")
      (own.store, own.way, own.name) = (client.store, client.way, "My App")
      own.login.redirectURI = try RedirectURI("myapp://oauth/callback")
      #expect(try Call(own, mayAsk: true, Run()).host.requester.name == "My App")
      try await own.signIn(scope: "profile email")
      let asked = server.parameters["/authorize"]
      #expect(asked?["client_id"] == "own" && asked?["scope"] == "profile email")
      #expect(asked?["redirect_uri"] == "myapp://oauth/callback")
      #expect(server.proof == "Basic b3duOnMzY3JldA==")
    }
  }

  @Test("`OAuth2CodeGrant`, `use_pkce`")
  func code() async throws {
    try await withClient { server, client in
      let token = try await client.signIn()
      #expect(server.parameters["/authorize"]?["code_challenge_method"] == "S256")
      #expect(server.parameters["/token"]?["code_verifier"] != nil)
      #expect(token.expiresAt != nil && token.refreshToken != nil)
    }
  }

  @Test("`OAuth2ImplicitGrant`")
  func implicit() async throws {
    try await withClient { server, client in
      var client = client
      client.login.responseType = .token
      let token = try await client.signIn()
      #expect(token.accessToken != nil && server.count("/token") == 0)
      // `OAuth2ImplicitGrantWithQueryParams` is left out on purpose.
      client.login.responseMode = .query
      let failure = await #expect(throws: Failure.self) { try await client.signIn() }
      #expect(failure?.description == "a token in the query could be seen by others")
    }
  }

  @Test("`OAuth2ClientCredentials`")
  func clientCredentials() async throws {
    try await withClient { server, _ in
      var client = try OAuthClient(issuer: server.origin, clientID: "app", clientSecret: "s")
      (client.store, client.allowedOrigins) = (MemoryStore(), [server.origin])
      client.login.grant = .clientCredentials
      // There is no user to ask, so no call needs `signingIn`.
      #expect(try await client.request(server.origin + "/api").status == 200)
      server.endTokens()
      #expect(try await client.request(server.origin + "/api").status == 200)
      #expect(server.count("client_credentials") == 2)
    }
  }

  @Test("`OAuth2PasswordGrant`")
  func password() async throws {
    try await withClient { server, client in
      var client = client
      client.login.grant = .password
      try await client.signIn(user: "ada", password: "pass")
      #expect(server.parameters["/token"]?["username"] == "ada")
      await #expect(throws: Failure.self) { try await client.signIn() }
    }
  }

  @Test("`OAuth2DeviceGrant`")
  func device() async throws {
    try await withClient { server, client in
      server.pendingAnswers = 1
      let shown = Shown()
      var client = client
      client.way = .device
      client.onEvent = { if case .code = $0 { shown.add("\($0)") } }
      try await client.signIn()
      #expect(shown.lines == ["to sign in, open \(server.origin)/here and enter the code ABCD"])
    }
  }

  @Test("`authorize()`")
  func authorize() async throws {
    try await withClient { server, client in
      // The first call signs in, the second refreshes, and the others return the kept token.
      server.tokenLife = 1
      let first = try await client.freshToken(signingIn: true)
      #expect(server.count("authorization_code") == 1)
      server.tokenLife = 3_600
      let second = try await client.freshToken(signingIn: true)
      #expect(server.count("refresh_token") == 1 && second.accessToken != first.accessToken)
      #expect(try await client.freshToken(signingIn: true).accessToken == second.accessToken)
      #expect(try await client.freshToken().accessToken == second.accessToken)
      try await client.forget()
      let failure = await #expect(throws: Failure.self) { try await client.freshToken() }
      #expect(failure?.code == .unknownAccount)
    }
  }

  @Test("a refresh token that has expired")
  func deadRefreshToken() async throws {
    try await withClient { server, client in
      server.tokenLife = 1
      try await client.signIn()
      server.refusals["refresh_token"] = "invalid_grant"
      let failure = await #expect(throws: Failure.self) { try await client.freshToken() }
      #expect(failure?.code == .loginRequired)
      server.tokenLife = 3_600
      _ = try await client.freshToken(signingIn: true)
      #expect(server.count("authorization_code") == 2)
    }
  }

  @Test("`doRefreshToken()`, a retrier of Alamofire")
  func forcedRefresh() async throws {
    try await withClient { server, client in
      let first = try await client.signIn()
      let second = try await client.freshToken(forcingRefresh: true)
      #expect(server.count("refresh_token") == 1 && second.accessToken != first.accessToken)
      // Calls with the same refused token share one refresh.
      server.endTokens()
      let tasks = (1...5).map { _ in Task { try await client.freshToken(insteadOf: second).accessToken } }
      var tokens: [AccessToken?] = []
      for task in tasks { tokens.append(try await task.value) }
      #expect(server.count("refresh_token") == 2 && tokens.allSatisfy { $0 == tokens[0] })
      #expect(try await client.freshToken(insteadOf: second).accessToken == tokens[0])
      #expect(server.count("refresh_token") == 2)
    }
  }

  @Test("`accessToken`, `hasUnexpiredAccessToken()`")
  func keptToken() async throws {
    try await withClient { server, client in
      #expect(try await client.keptToken() == nil)
      server.tokenLife = 1
      let token = try await client.signIn()
      #expect(try await client.keptToken() == token && server.count("refresh_token") == 0)
      let name = try client.accountName()
      #expect(try await client.store.find(name)?.token == token)
    }
  }

  @Test("a `refreshToken` that the application sets")
  func ownRefreshToken() async throws {
    try await withClient { server, client in
      let dependencies = Dependencies.standard
      let token = try await RefreshSession(dependencies).token(for: RefreshToken("R0"), of: client.login)
      let account = Account(
        try client.accountName(), login: client.login, token: token, receivedAt: dependencies.clock.now())
      try await client.store.save(account)
      #expect(server.parameters["/token"]?["refresh_token"] == "R0")
      #expect(try await client.freshToken().accessToken == token.accessToken)
      #expect(try await client.freshToken(forcingRefresh: true).accessToken != token.accessToken)
    }
  }

  @Test("`isAuthorizing`, `alreadyAuthorizing`")
  func alreadyAuthorizing() async throws {
    try await withClient { server, client in
      var other = client
      other.waitsForOthers = false
      let impatient = other
      server.silentPath = "/authorize"
      let first = Task { try await client.freshToken(signingIn: true).accessToken }
      while server.count("/authorize") == 0 { try await pause(for: .milliseconds(10)) }
      let failure = await #expect(throws: Failure.self) { try await impatient.freshToken(signingIn: true) }
      #expect(failure?.code == .alreadyInProgress)
      let second = await #expect(throws: Failure.self) { try await impatient.signIn() }
      #expect(second?.code == .alreadyInProgress)
      server.silentPath = nil
      let token = try await first.value
      #expect(try await impatient.freshToken(signingIn: true).accessToken == token)
    }
  }

  @Test("`authorize(params:)`, `parameters`, `headers`")
  func parameters() async throws {
    try await withClient { server, client in
      var client = client
      client.login.parameters = [Parameter("audience", "notes")]
      client.login.provider.headers = [Parameter("Authorization", "Basic YTpi")]
      try await client.signIn()
      #expect(server.parameters["/authorize"]?["audience"] == "notes")
      #expect(server.proof == "Basic YTpi")
    }
  }

  @Test("`authorizeEmbeddedFrom(_:)`, `openAuthorizeURLInBrowser()`, a `customAuthorizer`")
  func ways() async throws {
    try await withClient { server, client in
      let agent = OwnAgent()
      var client = client
      client.way = .own(agent)
      await #expect(throws: Failure.windowClosed) { try await client.signIn() }
      #expect(agent.shown.lines.first?.hasPrefix(server.origin + "/authorize?") == true)
      // Tests/tools/check-library.py runs programs with the browser and with the window.
      client.parentWindow = "x11:1a2b"
      let ways: [(OAuthClient.Way, LoginWay)] = [(.window, .window), (.browser, .browser), (.paste, .paste)]
      for (way, kind) in ways {
        client.way = way
        let call = try Call(client, mayAsk: true, Run())
        #expect(call.host.requester.name?.isEmpty == false)
        #expect(call.options.window.parent == ParentWindow("x11:1a2b"))
        #expect(call.options.way == kind)
      }
    }
  }

  @Test("`authorizeURL(params:)`, `handleRedirectURL(_:)`")
  func ownAgent() async throws {
    try await withClient { server, client in
      var client = client
      client.login.redirectURI = try RedirectURI("myapp://callback")
      client.way = .own(SchemeHandler())
      #expect(try await client.signIn().accessToken != nil)
      #expect(server.count("/authorize") == 0)
    }
  }

  @Test("`exchangeCodeForToken(_:)`")
  func pasted() async throws {
    try await withClient { server, client in
      let request = try AuthorizationRequest(
        try await client.login.completed(
          needing: [.authorization], through: try Call(client, mayAsk: true, Run()).host.transport),
        cryptography: GnuTLSCryptography())
      guard case .answer(.code) = request.visit.pasted(Array("code-of-the-page".utf8)) else {
        Issue.record("a pasted code is an answer")
        return
      }
    }
  }

  @Test("`abortAuthorization()`")
  func cancellation() async throws {
    try await withClient { server, client in
      var client = client
      client.way = .device
      server.pendingAnswers = .max
      let (codes, shown) = AsyncStream.makeStream(of: Void.self)
      client.onEvent = { if case .code = $0 { shown.yield() } }
      let task = Task { [client] in try await client.signIn() }
      for await _ in codes { break }
      task.cancel()
      await #expect(throws: Failure.cancelled) { try await task.value }
      let failure = await #expect(throws: Failure.self) { try await client.freshToken() }
      #expect(failure?.code == .unknownAccount)
    }
  }

  @Test("`logger`, `sessionConfiguration`, `sessionDelegate`")
  func seams() async throws {
    try await withClient { server, client in
      let (asked, lines) = (Shown(), Shown())
      var own = client
      var dependencies = Dependencies.standard
      dependencies.transport = Counting(asked: asked)
      own.dependencies = dependencies
      own.log = { lines.add($0) }
      try await own.signIn()
      let token = server.origin + "/token"
      #expect(asked.lines.first == server.origin + "/.well-known/openid-configuration")
      #expect(asked.lines[1].hasPrefix(server.origin + "/authorize?"))
      #expect(asked.lines.last == token && asked.lines.count == 3)
      #expect(lines.lines.contains("POST \(token): 200"), "\(lines.lines)")
      #expect(!lines.lines.contains { $0.contains("state=") }, "\(lines.lines)")
    }
  }

  @Test("`onAuthorize`, `onFailure`, `afterAuthorizeOrFail`")
  func failure() async throws {
    try await withClient { server, client in
      let shown = Shown()
      var client = client
      client.onEvent = { event in
        switch event {
        case .begun: shown.add("begun")
        case .signedIn(let account): shown.add("signed in to \(account.name)")
        case .failed(let failure): shown.add("failed: \(failure.code)")
        default: break
        }
      }
      // Calls of other parts of the application are observed, too. Calls that do not ask the user are not.
      _ = try await client.request(server.origin + "/api", account: "work", signingIn: true)
      _ = try await client.freshToken(account: "work", forcingRefresh: true)
      server.demandedScope = "write"
      _ = try await client.request(server.origin + "/api", account: "work", signingIn: true)
      #expect(shown.lines == ["begun", "signed in to work", "begun", "signed in to work"])
      server.refusals["authorization_code"] = "access_denied"
      let failure = await #expect(throws: Failure.self) { try await client.signIn() }
      #expect(failure?.code == .accessDenied)
      #expect(failure?.description == "access was denied")
      #expect(shown.lines.suffix(2) == ["begun", "failed: access_denied"])
    }
  }

  @Test("`request(forURL:)`, `OAuth2Request`")
  func signature() async throws {
    try await withClient { server, client in
      try await client.signIn()
      let fields = try await client.authorization(for: server.origin + "/api")
      let field = try #require(fields.first)
      #expect(fields.count == 1 && field.name == "Authorization" && field.value.hasPrefix("Bearer T"))
      let failure = await #expect(throws: Failure.self) {
        try await client.authorization(for: "https://elsewhere.example/api")
      }
      #expect(failure?.code == .originNotAllowed)
    }
  }

  @Test("`OAuth2DataLoader`")
  func loader() async throws {
    try await withClient { server, client in
      try await client.signIn()
      server.endTokens()
      // Many calls find that the token is refused, and one of them refreshes it for all.
      let tasks = (1...20).map { _ in Task { try await client.request(server.origin + "/api").status } }
      var statuses: [Int] = []
      for task in tasks { statuses.append(try await task.value) }
      #expect(statuses == Array(repeating: 200, count: 20))
      #expect(server.count("refresh_token") == 1 && server.count("authorization_code") == 1)
      let answer = try await client.request(server.origin + "/api", method: "DELETE", headers: ["X-A": "b"])
      #expect(String(decoding: answer.body, as: UTF8.self).contains("DELETE"))
    }
  }

  @Test("a file that is downloaded")
  func download() async throws {
    try await withClient { server, client in
      try await client.signIn()
      let received = Shown()
      let answer = try await client.request(server.origin + "/api") {
        received.add(String(decoding: $0, as: UTF8.self))
      }
      #expect(answer.status == 200 && answer.body.isEmpty)
      #expect(received.lines.joined().contains("GET"))
      // A refusal is no part of the file.
      let refusal = try await client.request(server.origin + "/none") { _ in received.add("refusal") }
      #expect(refusal.status == 404 && received.lines.last != "refusal")
      let failure = await #expect(throws: Failure.self) {
        try await client.request(server.origin + "/api") { _ throws(Failure) in throw .windowClosed }
      }
      #expect(failure == .windowClosed)
    }
  }

  @Test("`alsoIntercept403`")
  func intercepted403() async throws {
    try await withClient { server, client in
      try await client.signIn(scope: "read")
      server.demandedScope = "write"
      #expect(try await client.request(server.origin + "/api").status == 403)
      #expect(try await client.request(server.origin + "/api", signingIn: true).status == 200)
      #expect(server.parameters["/authorize"]?["scope"] == "read write")
    }
  }

  @Test("`keychain: true`, `keychain: false`")
  func stores() async throws {
    try await withClient { _, client in
      let ofKeyring = try OAuthClient(issuer: "https://id.example", clientID: "app")
      #expect("\(type(of: ofKeyring.store))" == "KeyringStore")
      try await client.signIn(account: "work")
      try await client.signIn()
      let names = try await client.store.list().map(\.name.description)
      #expect(names == ["app \(client.login.provider.issuer?.description ?? "")", "work"])
      #expect(try client.accountName().description == names[0])
      #expect(
        try OAuthClient(issuer: "https://id.example").accountName().description == "https://id.example")
    }
  }

  @Test("`forgetTokens()`")
  func forgotten() async throws {
    try await withClient { server, client in
      try await client.signIn()
      try await client.forget()
      #expect(server.count("/revoke") == 0)
      try await client.signIn()
      try await client.signOut()
      #expect(server.count("/revoke") == 2)
      #expect(try await client.store.list().isEmpty)
    }
  }

  @Test("a page that ends the session")
  func endSession() async throws {
    try await withClient { server, client in
      try await client.signIn()
      try await client.signOut(returningTo: try RedirectURI("myapp://bye"))
      #expect(server.parameters["/logout"]?["client_id"] == "app" && server.count("/revoke") == 2)
      #expect(try await client.store.list().isEmpty)
      // A user who does not leave that page stays signed in.
      try await client.signIn()
      server.refusedLogouts = 1
      await #expect(throws: Failure.self) {
        try await client.signOut(returningTo: RedirectURI("myapp://bye"))
      }
      #expect(try await client.store.list().count == 1)
    }
  }

  @Test("An account is kept if its token had to be renewed for the sign-out, and could not be")
  func keptAtSignOut() async throws {
    try await withClient { server, client in
      let preset = """
        {"authorization_endpoint": "\(server.origin)/authorize", "token_endpoint": "\(server.origin)/token",
         "end_session_endpoint": "\(server.origin)/revoke", "logout_request": {}}
        """
      let provider = try Preset(Array(preset.utf8)).provider(variables: [:], clientID: "app")
      var own = try OAuthClient(provider: provider, clientID: "app")
      (own.store, own.way) = (client.store, client.way)
      server.tokenLife = 1
      try await own.signIn()
      server.refusals["refresh_token"] = "server_error"
      let failure = await #expect(throws: Failure.self) { try await own.signOut() }
      #expect(failure?.code == .provider("server_error"))
      server.refusals = [:]
      server.tokenLife = 3_600
      try await own.signOut()
      #expect(server.count("/revoke") == 1)
      #expect(try await own.store.list().isEmpty)
    }
  }

  @Test("`registration_uri`, `forgetClient()`")
  func registration() async throws {
    try await withClient { server, client in
      var client = client
      client.login.clientID = ""
      #expect(try await client.clientID() == nil)
      try await client.signIn()
      try await client.signIn()
      #expect(try await client.clientID() == "registered")
      #expect(server.parameters["/authorize"]?["client_id"] == "registered" && server.count("/register") == 1)
      try await client.forgetClient()
      try await client.signIn()
      #expect(server.count("/register") == 2)
      // A client that the provider no longer knows is replaced by a new one, once.
      server.refusals["authorization_code"] = "invalid_client"
      await #expect(throws: Failure.self) { try await client.signIn() }
      #expect(server.count("/register") == 3)
    }
  }

  @Test("`onBeforeDynamicClientRegistration`")
  func beforeRegistration() async throws {
    try await withClient { server, client in
      var client = client
      client.login.clientID = ""
      client.beforeRegistration = { registration in
        registration.metadata["logo_uri"] = "https://app.example/logo.png"
        registration.initialAccessToken = AccessToken("initial")
      }
      try await client.signIn()
      #expect(server.registration["logo_uri"]?.string == "https://app.example/logo.png")
      #expect(server.registrationToken == "Bearer initial")
      client.login.redirectURI = try RedirectURI("myapp://other")
      client.beforeRegistration = { _ throws(Failure) in throw Failure(.cancelled, "not now") }
      let failure = await #expect(throws: Failure.self) { try await client.signIn() }
      #expect(failure?.description == "not now" && server.count("/register") == 1)
    }
  }

  @Test("`OAuth2CodeGrantNoTokenType`")
  func withoutTokenType() async throws {
    try await withClient { server, client in
      server.omitsTokenType = true
      let preset = #"{"issuer": "\#(server.origin)", "token_type": "Bearer"}"#
      let provider = try Preset(Array(preset.utf8)).provider(variables: [:], clientID: "app")
      var own = try OAuthClient(provider: provider, clientID: "app")
      (own.store, own.way, own.allowedOrigins) = (client.store, client.way, client.allowedOrigins)
      try await own.signIn()
      #expect(try await own.request(server.origin + "/api").status == 200)
    }
  }

  @Test("`secret_in_body`")
  func secretInBody() async throws {
    try await withClient { server, _ in
      var client = try OAuthClient(issuer: server.origin, clientID: "app", clientSecret: "s3cret")
      (client.store, client.way) = (MemoryStore(), .headless(form: [:]))
      client.login.clientAuthentication = .post
      try await client.signIn()
      #expect(server.parameters["/token"]?["client_secret"] == "s3cret" && server.proof == nil)
    }
  }

  @Test("`token_assume_unexpired`")
  func withoutExpiry() async throws {
    try await withClient { server, client in
      server.tokenLife = 0
      let token = try await client.signIn()
      #expect(try await client.freshToken().accessToken == token.accessToken)
      var client = client
      client.assumesUnexpired = false
      #expect(try await client.freshToken().accessToken != token.accessToken)
      #expect(server.count("refresh_token") == 1)
    }
  }

  @Test("`OAuth2CodeGrantFacebook`, `OAuth2CodeGrantLinkedIn` and the like")
  func presets() async throws {
    try await withClient { _, _ in
      #expect(try OAuthClient(preset: "github", clientID: "app").login.provider.name == "GitHub")
      let failure = #expect(throws: Failure.self) { try Preset(named: "no-such-provider") }
      #expect(failure?.code == .unknownProvider)
      for name in ["facebook", "github", "linkedin", "instagram", "reddit", "google"] {
        let file = Self.root.appending(path: "data/providers/\(name).json")
        let preset = try Preset(Array(Data(contentsOf: file)))
        let provider = try preset.provider(variables: [:], clientID: "app")
        #expect(try OAuthClient(provider: provider, clientID: "app").login.provider.name == preset.name)
      }
    }
  }
}

/// The lines that the user was shown.
private final class Shown: Sendable {
  nonisolated(unsafe) private var all: [String] = []
  private let lock = NSLock()

  var lines: [String] { lock.withLock { all } }

  func add(_ line: String) { lock.withLock { all.append(line) } }
}

/// A transport that notes the addresses of the requests which it passes on.
private struct Counting: HTTPTransport {
  let asked: Shown

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    asked.add(request.endpoint.description)
    return try await Dependencies.standard.transport.send(request)
  }
}

/// A user agent that gets the provider's answer from the program for its scheme.
private struct SchemeHandler: UserAgent {
  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    let state = visit.state?.revealed() ?? ""
    guard let callback = visit.callback(brought: "myapp://callback?code=C&state=\(state)") else {
      throw .cancelled
    }
    return .callback(callback)
  }

  func dismiss() async {}
}

/// A user agent whose user closes the window.
private struct OwnAgent: UserAgent {
  let shown = Shown()

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    shown.add(visit.url)
    throw .windowClosed
  }

  func dismiss() async {}
}
