import Testing

@testable import LoginCore

@Suite("From the address of an API to where its tokens come from")
struct ResourceSessionTests {
  private static let api = "https://api.test/mcp"
  private static let ownDocument = "https://api.test/.well-known/oauth-protected-resource/mcp"
  private static let rootDocument = "https://api.test/.well-known/oauth-protected-resource"
  private static let server = "https://as.test/.well-known/oauth-authorization-server"

  /// A clock on which nothing takes too long.
  private struct Clock: WallClock {
    let date: UTCDate
    func now() -> UTCDate { date }
    func wait(seconds: Int64) async throws(Failure) { try? await Task.sleep(for: .seconds(seconds)) }
  }

  private static func challenge(_ parameters: String, status: Int = 401) -> HTTPResponse {
    HTTPResponse(status: status, headers: [Parameter("WWW-Authenticate", "Bearer \(parameters)")])
  }

  private static func document(
    _ resource: String = api, servers: [String] = ["https://as.test"], more: String = ""
  ) -> HTTPResponse {
    let list = servers.map { "\"\($0)\"" }.joined(separator: ",")
    return .json(#"{"resource":"\#(resource)","authorization_servers":[\#(list)]\#(more)}"#)
  }

  private static func metadata(_ issuer: String = "https://as.test", more: String = "") -> HTTPResponse {
    .json(
      #"{"issuer":"\#(issuer)","authorization_endpoint":"https://as.test/a","token_endpoint":"https://as.test/t","#
        + #""code_challenge_methods_supported":["S256"]\#(more)}"#)
  }

  /// Servers that do it as it should be done, but for what is changed.
  private static func servers(_ changed: [String: HTTPResponse?] = [:]) -> FakeTransport {
    let usual: [String: HTTPResponse?] = [
      api: challenge(""), ownDocument: document(), rootDocument: HTTPResponse(status: 404),
      server: metadata(),
      "https://as.test/.well-known/openid-configuration": HTTPResponse(status: 404),
    ]
    return FakeTransport(usual.merging(changed) { $1 }.compactMapValues(\.self))
  }

  private static func found(_ transport: FakeTransport, _ address: String = api) async throws -> FoundResource
  {
    let dependencies = Dependencies(
      transport: transport, cryptography: FakeCryptography(), clock: Clock(date: try Samples.receivedAt()))
    return try await ResourceSession(dependencies).found(ProtectedResource(address))
  }

  @Test("the description that the challenge names is read, and no other")
  func named() async throws {
    let transport = Self.servers([
      Self.api: Self.challenge(#"resource_metadata="https://meta.test/d", scope="a b""#),
      "https://meta.test/d": Self.document(more: #","scopes_supported":["c"]"#),
    ])
    let found = try await Self.found(transport)
    #expect(found.metadata.description == "https://meta.test/d")
    #expect(found.scope(nil) == ("a b", .challenge))
    #expect(transport.sent.map(\.endpoint.description) == [Self.api, "https://meta.test/d", Self.server])
    #expect(transport.sent.allSatisfy { $0.values(of: "Authorization").isEmpty })
  }

  @Test("what looks like a challenge leads nowhere where nothing was refused", arguments: [200, 403])
  func noChallenge(status: Int) async throws {
    let parameters = #"resource_metadata="https://meta.test/d", scope="a b""#
    let found = try await Self.found(Self.servers([Self.api: Self.challenge(parameters, status: status)]))
    #expect(found.metadata.description == Self.ownDocument)
    #expect(found.scope(nil) == (nil, .none))
  }

  @Test("else it is read at the path, else for the whole server")
  func places() async throws {
    #expect(try await Self.found(Self.servers()).metadata.description == Self.ownDocument)
    let root = Self.servers([
      Self.ownDocument: HTTPResponse(status: 404), Self.rootDocument: Self.document("https://api.test/"),
    ])
    let found = try await Self.found(root)
    #expect(found.metadata.description == Self.rootDocument)
    #expect(found.resource == "https://api.test/", "as the document writes it")
  }

  @Test("where nothing can be got something harmless is posted", arguments: [404, 405])
  func posted(status: Int) async throws {
    let transport = Self.servers([Self.api: HTTPResponse(status: status)])
    _ = try await Self.found(transport)
    #expect(transport.sent.prefix(2).map(\.method) == [.get, .post])
    #expect(String(decoding: transport.sent[1].body, as: UTF8.self).contains(#""method":"ping""#))
    for status in [200, 302, 403, 500] {
      let other = Self.servers([Self.api: HTTPResponse(status: status)])
      _ = try await Self.found(other)
      #expect(!other.sent.contains { $0.method == .post })
    }
  }

  @Test("a redirect is followed at the same server, and nowhere else")
  func redirected() async throws {
    func redirect(_ location: String) -> HTTPResponse {
      HTTPResponse(status: 307, headers: [Parameter("Location", location)])
    }
    for location in ["/mcp/", "https://api.test/mcp/"] {
      let transport = Self.servers([
        Self.api: redirect(location), "https://api.test/mcp/": Self.challenge(#"scope="s""#),
      ])
      #expect(try await Self.found(transport).scope(nil).text == "s")
    }
    for location in ["https://evil.test/mcp", "//evil.test/", "http://api.test/", "mcp/"] {
      let transport = Self.servers([Self.api: redirect(location)])
      #expect(try await Self.found(transport).scope(nil).source == .none)
      #expect(!transport.sent.contains { $0.endpoint.description.contains("evil") })
    }
    let endless = Self.servers([Self.api: redirect("/mcp")])
    _ = try await Self.found(endless)
    #expect(endless.sent.count < 10)
  }

  @Test(
    "a description of something else is refused",
    arguments: [
      "https://api.test/mcp-x", "https://api.test/mcp/tools", "https://api.test/m", "https://other.test/mcp",
      "http://api.test/mcp", "https://api.test:8443/mcp", "https://user@api.test/mcp", "mcp", "",
    ])
  func otherResource(named: String) async throws {
    let failure = Failure.untrusted(.metadata(.otherResource(asked: Self.api, named: named)))
    await #expect(throws: failure) {
      try await Self.found(Self.servers([Self.ownDocument: Self.document(named)]))
    }
  }

  @Test(
    "one of the whole server, or of a path above, is taken",
    arguments: ["https://api.test", "https://api.test/", "https://API.test/mcp/"])
  func parent(named: String) async throws {
    #expect(try await Self.found(Self.servers([Self.ownDocument: Self.document(named)])).resource == named)
  }

  @Test(
    "the first server that can be used is used",
    arguments: [
      ["https://gone.test", "https://as.test"], ["https://bad.test", "https://as.test"],
      ["https://127.0.0.1", "https://as.test"], ["as.test", "https://as.test", "https://gone.test"],
    ])
  func first(servers: [String]) async throws {
    let transport = Self.servers([
      Self.ownDocument: Self.document(servers: servers),
      "https://bad.test/.well-known/oauth-authorization-server": Self.metadata(),
    ])
    #expect(try await Self.found(transport).provider.issuer?.description == "https://as.test")
    #expect(!transport.sent.contains { $0.endpoint.description.contains("127.0.0.1") })
  }

  @Test("the metadata of a server are looked for at three addresses")
  func three() async throws {
    let issuer = "https://as.test/t"
    for place in [
      "https://as.test/.well-known/oauth-authorization-server/t",
      "https://as.test/.well-known/openid-configuration/t",
      "https://as.test/t/.well-known/openid-configuration",
    ] {
      var answers = [
        "https://as.test/.well-known/oauth-authorization-server/t": HTTPResponse(status: 404),
        "https://as.test/.well-known/openid-configuration/t": HTTPResponse(status: 404),
      ]
      answers[place] = Self.metadata(issuer)
      answers[Self.ownDocument] = Self.document(servers: [issuer])
      let found = try await Self.found(Self.servers(answers))
      #expect(found.serverMetadata.description == place)
    }
  }

  @Test("an API that does not answer is not waited for")
  func silent() async throws {
    struct Silence: HTTPTransport {
      func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        try? await Task.sleep(for: .seconds(3_600))
        throw .network(.unknownHost("cancelled"))
      }
    }
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    let dependencies = Dependencies(transport: Silence(), cryptography: FakeCryptography(), clock: clock)
    await #expect(throws: Failure.network(.timeout(host: "https://api.test", seconds: 30))) {
      try await ResourceSession(dependencies).found(ProtectedResource(Self.api))
    }
    #expect(clock.record.events == [.wait(30)])
  }

  private static func untrusted(_ fault: MetadataFault) -> Failure { .untrusted(.metadata(fault)) }
  private static func bad(_ fault: ResponseFault) -> Failure { .network(.badResponse(fault)) }

  @Test(
    "what is wrong is named",
    arguments: [
      (
        [server: metadata("https://as.test/")],
        untrusted(.otherIssuer(asked: "https://as.test", named: "https://as.test/"))
      ),
      (
        [server: metadata("https://evil.test")],
        untrusted(.otherIssuer(asked: "https://as.test", named: "https://evil.test"))
      ),
      (
        [
          server: .json(
            #"{"issuer":"https://as.test","authorization_endpoint":"https://as.test/a","token_endpoint":"https://as.test/t"}"#
          )
        ],
        untrusted(.noS256(issuer: "https://as.test"))
      ),
      (
        [
          server: .json(
            #"{"issuer":"https://as.test","authorization_endpoint":"https://as.test/a","token_endpoint":"https://as.test/t","code_challenge_methods_supported":["plain"]}"#
          )
        ],
        untrusted(.noS256(issuer: "https://as.test"))
      ),
      ([ownDocument: .json("<html>")], bad(.resourceJSON(.unexpectedCharacter("<"), at: ownDocument))),
      (
        [ownDocument: .json(#"{"authorization_servers":["https://as.test"]}"#)],
        bad(.resourceMember("resource", at: ownDocument))
      ),
      ([ownDocument: document(servers: [])], .caller(.noAuthorizationServer(resource: api))),
      ([ownDocument: HTTPResponse(status: 404)], .caller(.noAuthorizationServer(resource: api))),
      ([ownDocument: HTTPResponse(status: 503)], bad(.resourceStatus(503, at: ownDocument))),
      (
        [
          api: challenge(#"resource_metadata="https://api.test/d""#),
          "https://api.test/d": HTTPResponse(status: 404),
        ],
        bad(.resourceStatus(404, at: "https://api.test/d"))
      ),
      (
        [api: challenge(#"resource_metadata="http://127.0.0.1/d""#)],
        bad(.resourceMember("resource_metadata", at: "http://127.0.0.1/d"))
      ),
    ] as [([String: HTTPResponse], Failure)])
  func wrong(changed: [String: HTTPResponse], failure: Failure) async throws {
    await #expect(throws: failure) { try await Self.found(Self.servers(changed)) }
  }

  @Test("a server that says nonsense, or nothing, is named")
  func unusableServer() async throws {
    let issuer = try Issuer("https://as.test")
    for (answer, fault) in [
      (.json("[]"), .metadata(issuer, .notAnObject)), (HTTPResponse(status: 404), .noMetadata(issuer)),
      (HTTPResponse(status: 503), .metadataStatus(issuer, 503)),
    ] as [(HTTPResponse, ResponseFault)] {
      await #expect(throws: Self.bad(fault)) { try await Self.found(Self.servers([Self.server: answer])) }
    }
  }

  @Test("the caller's scope comes first, then the challenge's, then all that the API knows")
  func scope() async throws {
    let found = try await Self.found(
      Self.servers([
        Self.ownDocument: Self.document(more: #","scopes_supported":["a","b"]"#),
        Self.server: Self.metadata(more: #","scopes_supported":["offline_access"]"#),
      ]))
    func asked(_ scope: String?, prompt: String? = nil) throws -> (scope: String?, prompt: String?) {
      var login = try Samples.login(found.provider.with(redirectURI: "https://app.test/cb"))
      login.parameters = prompt.map { [Parameter("prompt", $0)] } ?? []
      login.parameters.append(Parameter("resource", "https://old.test"))
      login = found.applied(to: login, scope: scope)
      #expect(login.parameters.filter { $0.name == "resource" }.map(\.value) == [Self.api])
      #expect(login.namesClient)
      return (login.scope, login.parameter("prompt"))
    }
    #expect(try asked(nil) == ("a b offline_access", "consent"))
    #expect(try asked(nil, prompt: "login") == ("a b offline_access", "login"))
    #expect(try asked("c") == ("c", nil))
    #expect(try asked("") == (nil, nil))
  }

  @Test("a client that is an address is used only where the server reads it", arguments: [true, false])
  func clientDocument(isTaken: Bool) async throws {
    let found = try await Self.found(
      Self.servers([
        Self.server: Self.metadata(more: #","client_id_metadata_document_supported":\#(isTaken)"#)
      ]))
    for (clientID, isDocument) in [
      ("https://app.test/client.json", true), ("https://app.test/", false), ("me", false),
    ] {
      var login = try Samples.login(found.provider.with(redirectURI: "https://app.test/cb"))
      login.clientID = clientID
      #expect(found.applied(to: login, scope: nil).clientID == (isDocument && !isTaken ? "" : clientID))
    }
  }

  @Test("an API that has moved to another server gets a login without anything of the old one")
  func moved() async throws {
    let found = try await Self.found(Self.servers())
    var old = try Samples.code()
    old.issuer = try Issuer("https://old.test")
    old.headers = [Parameter("X-Key", "secret")]
    var account = try Samples.account(
      at: old, token: ["access_token": "T", "token_type": "Bearer"], life: nil)
    account.login.clientSecret = ClientSecret("s")
    account.login.scope = "old"
    let redirectURI = try RedirectURI("http://127.0.0.1/callback")
    let moved = account.newLogin(at: found, redirectURI: redirectURI)
    #expect(moved.clientID.isEmpty && moved.clientSecret == nil && moved.provider.headers.isEmpty)
    #expect(moved.scope == nil && moved.provider.issuer?.description == "https://as.test")
    account.login.provider.issuer = try Issuer("https://as.test")
    let same = account.newLogin(at: found, redirectURI: redirectURI)
    #expect(same.clientID == "client" && same.clientSecret != nil && same.scope == "old")
    #expect(same.provider.headers == old.headers)
  }

  @Test("an API whose server makes no client says where people have one made")
  func noRegistration() async throws {
    let found = try await Self.found(
      Self.servers([Self.server: Self.metadata(more: #","service_documentation":"https://as.test/docs""#)]))
    let issuer = try Issuer("https://as.test")
    #expect(
      found.provider.noClient
        == .caller(.noClientWithoutRegistration(issuer: issuer, documentation: "https://as.test/docs")))
  }
}

extension Provider {
  fileprivate func with(redirectURI: String) throws -> Provider {
    var provider = self
    provider.redirectURI = try RedirectURI(redirectURI)
    return provider
  }
}
