import Testing

@testable import LoginCore

@Suite("ResourceSession")
struct ResourceSessionTests {
  static let api = "https://api.test/mcp"
  static let ownDocument = "https://api.test/.well-known/oauth-protected-resource/mcp"
  private static let rootDocument = "https://api.test/.well-known/oauth-protected-resource"
  static let server = "https://as.test/.well-known/oauth-authorization-server"

  /// A clock whose deadlines no test reaches.
  private struct Clock: WallClock {
    let date: UTCDate
    func now() -> UTCDate { date }
    func wait(seconds: Int64) async throws(Failure) { try? await Task.sleep(for: .seconds(seconds)) }
  }

  private static func challenge(_ parameters: String, status: Int = 401) -> HTTPResponse {
    HTTPResponse(status: status, headers: [Parameter("WWW-Authenticate", "Bearer \(parameters)")])
  }

  static func document(
    _ resource: String = api, servers: [String] = ["https://as.test"], more: String = ""
  ) -> HTTPResponse {
    let list = servers.map { "\"\($0)\"" }.joined(separator: ",")
    return .json(#"{"resource":"\#(resource)","authorization_servers":[\#(list)]\#(more)}"#)
  }

  static func metadata(
    _ issuer: String = "https://as.test",
    challenges: String = #","code_challenge_methods_supported":["S256"]"#, more: String = ""
  ) -> HTTPResponse {
    .json(
      #"{"issuer":"\#(issuer)","authorization_endpoint":"https://as.test/a","#
        + #""token_endpoint":"https://as.test/t"\#(challenges)\#(more)}"#)
  }

  /// An API and a server that follow the standards, apart from these answers.
  static func servers(_ changed: [String: HTTPResponse?] = [:]) -> FakeTransport {
    let usual: [String: HTTPResponse?] = [
      api: challenge(""), ownDocument: document(), rootDocument: HTTPResponse(status: 404),
      server: metadata(),
      "https://as.test/.well-known/openid-configuration": HTTPResponse(status: 404),
    ]
    return FakeTransport(usual.merging(changed) { $1 }.compactMapValues(\.self))
  }

  private static func session(_ transport: FakeTransport) throws -> ResourceSession {
    ResourceSession(
      Dependencies(
        transport: transport, cryptography: FakeCryptography(), clock: Clock(date: try Samples.receivedAt())))
  }

  static func found(_ transport: FakeTransport, at address: String = api) async throws -> FoundResource {
    try await session(transport).found(ProtectedResource(address))
  }

  @Test("Only the document that the challenge names is read")
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

  @Test("A challenge counts only with status 401", arguments: [200, 403])
  func noChallenge(status: Int) async throws {
    let parameters = #"resource_metadata="https://meta.test/d", scope="a b""#
    let found = try await Self.found(Self.servers([Self.api: Self.challenge(parameters, status: status)]))
    #expect(found.metadata.description == Self.ownDocument)
    #expect(found.scope(nil) == (nil, .none))
  }

  @Test("Without a named document, it is read for the path of the API, then for the whole server")
  func places() async throws {
    #expect(try await Self.found(Self.servers()).metadata.description == Self.ownDocument)
    let root = Self.servers([
      Self.ownDocument: HTTPResponse(status: 404), Self.rootDocument: Self.document("https://api.test/"),
    ])
    let found = try await Self.found(root)
    #expect(found.metadata.description == Self.rootDocument)
    #expect(found.resource == "https://api.test/", "as the document writes it")
  }

  @Test("An API without GET gets a harmless POST", arguments: [404, 405])
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

  @Test("A redirect is followed only within the server")
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
    "A document about another API is refused",
    arguments: [
      "https://api.test/mcp-x", "https://api.test/mcp/tools", "https://api.test/m", "https://other.test/mcp",
      "http://api.test/mcp", "https://api.test:8443/mcp", "https://user@api.test/mcp", "mcp", "",
      "https://api.test/mcp?t=a",
    ])
  func otherResource(named: String) async throws {
    let failure = Failure(
      .untrustedMetadata, "the API at \(Self.api) describes itself under another address: \(named)",
      details: ["resource": .string(Self.api), "named": .string(named)])
    await #expect(throws: failure) {
      try await Self.found(Self.servers([Self.ownDocument: Self.document(named)]))
    }
  }

  @Test(
    "A document about the whole server, or about a path above, is accepted",
    arguments: ["https://api.test", "https://api.test/", "https://API.test/mcp/"])
  func parent(named: String) async throws {
    #expect(try await Self.found(Self.servers([Self.ownDocument: Self.document(named)])).resource == named)
  }

  // RFC 9728 section 3.3.
  @Test(
    "A document about an API with another query is refused, but one without a query is about all of them",
    arguments: [("?t=a", true), ("", true), ("?t=b", false), ("?T=a", false), ("?", false)])
  func query(query: String, isAccepted: Bool) async throws {
    let (asked, named) = (Self.api + "?t=a", Self.api + query)
    let transport = Self.servers([
      asked: HTTPResponse(status: 401), Self.ownDocument + "?t=a": Self.document(named),
    ])
    let found = try? await Self.found(transport, at: asked)
    #expect(found?.resource == (isAccepted ? named : nil))
  }

  /// The metadata of a server with these endpoints at other addresses than its own.
  private static func metadata(endpoints: JSONObject, promisesIssuer: Bool) -> HTTPResponse {
    var members: JSONObject = [
      "issuer": "https://as.test", "code_challenge_methods_supported": ["S256"],
      "authorization_response_iss_parameter_supported": .bool(promisesIssuer),
    ]
    let names = ["authorization", "token", "registration", "device_authorization"].map { "\($0)_endpoint" }
    for name in names { members[name] = .string("https://as.test/\(name)") }
    for endpoint in endpoints { members[endpoint.name] = endpoint.value }
    return .json(members.text)
  }

  // RFC 9700 section 4.4.
  @Test(
    "A server may have endpoints elsewhere only if its callbacks name it, and device codes come from where tokens do",
    arguments: [
      (["registration_endpoint": "https://h.test/r"], false, .registration),
      (["authorization_endpoint": "https://h.test/a"], false, .authorization),
      (["token_endpoint": "https://h.test/t"], false, .token),
      (["token_endpoint": "https://as.test:8443/t"], false, .token),
      (["device_authorization_endpoint": "https://h.test/d"], false, .deviceAuthorization),
      (["userinfo_endpoint": "https://h.test/u", "jwks_uri": "https://h.test/k"], false, nil),
      (
        ["registration_endpoint": "https://h.test/r", "authorization_endpoint": "https://h.test/a"], true, nil
      ),
      (["device_authorization_endpoint": "https://h.test/d"], true, .deviceAuthorization),
      (["token_endpoint": "https://h.test/t"], true, .deviceAuthorization),
      (
        ["token_endpoint": "https://h.test/t", "device_authorization_endpoint": "https://h.test/d"], true, nil
      ),
    ] as [(JSONObject, Bool, EndpointName?)])
  func foreignEndpoints(endpoints: JSONObject, promisesIssuer: Bool, refused: EndpointName?) async throws {
    let metadata = Self.metadata(endpoints: endpoints, promisesIssuer: promisesIssuer)
    let transport = Self.servers([Self.server: metadata])
    guard let refused else {
      #expect(try await Self.found(transport).provider.sendsIssuer == promisesIssuer)
      return
    }
    let failure = await #expect(throws: Failure.self) { try await Self.found(transport) }
    #expect(failure?.code == .untrustedMetadata && failure?.details["endpoint"]?.string == refused.rawValue)
  }

  @Test("A server that the caller names must be among those of the API, if the API names any")
  func namedServer() async throws {
    func check(_ issuer: String, _ changed: [String: HTTPResponse?] = [:]) async throws {
      try await Self.session(Self.servers(changed)).check(ProtectedResource(Self.api), names: Issuer(issuer))
    }
    try await check("https://as.test")
    for answer in [HTTPResponse(status: 404), HTTPResponse(status: 503), Self.document(servers: [])] {
      try await check("https://other.test", [Self.ownDocument: answer])
    }
    try await check("https://other.test", [Self.api: nil])
    let list = try [Issuer("https://as.test")]
    await #expect(throws: Failure.otherServers(of: Self.api, list)) { try await check("https://other.test") }
    let failure = await #expect(throws: Failure.self) {
      try await check("https://as.test", [Self.ownDocument: Self.document("https://evil.test")])
    }
    #expect(failure?.code == .untrustedMetadata)
  }

  @Test(
    "The first usable server is used",
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

  @Test("The metadata of a server are searched at three addresses")
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

  @Test("The search ends after 30 seconds")
  func silent() async throws {
    struct Silence: HTTPTransport {
      func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        try? await Task.sleep(for: .seconds(3_600))
        throw .cancelled
      }
    }
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    let dependencies = Dependencies(transport: Silence(), cryptography: FakeCryptography(), clock: clock)
    await #expect(throws: Failure.noAnswer("https://api.test", seconds: 30)) {
      try await ResourceSession(dependencies).found(ProtectedResource(Self.api))
    }
    #expect(clock.record.events == [.wait(30)])
  }

  private static func otherIssuer(_ named: String) -> Failure {
    Failure(
      .untrustedMetadata, "the metadata of https://as.test belong to another issuer: \(named)",
      details: ["issuer": "https://as.test", "named": .string(named)])
  }

  private static let noPKCE = Failure(
    .untrustedMetadata,
    "https://as.test does not announce PKCE with S256, which is required",
    details: ["issuer": "https://as.test", "missing": ["code_challenge_methods_supported"]])

  @Test(
    "Metadata that cannot be trusted or used are refused",
    arguments: [
      ([server: metadata("https://as.test/")], otherIssuer("https://as.test/")),
      ([server: metadata("https://evil.test")], otherIssuer("https://evil.test")),
      ([server: metadata(challenges: "")], noPKCE),
      ([server: metadata(challenges: #","code_challenge_methods_supported":["plain"]"#)], noPKCE),
      ([ownDocument: .json("<html>")], .notOAuth("\(ownDocument): \"<\" is not allowed here")),
      (
        [ownDocument: .json(#"{"authorization_servers":["https://as.test"]}"#)],
        .uselessMember("resource", at: ownDocument)
      ),
      ([ownDocument: document(servers: [])], .noAuthorizationServer(api)),
      ([ownDocument: HTTPResponse(status: 404)], .noAuthorizationServer(api)),
      (
        [ownDocument: HTTPResponse(status: 503)],
        .notOAuth("\(ownDocument) answered with HTTP 503", isRetryable: true)
      ),
      (
        [
          api: challenge(#"resource_metadata="https://api.test/d""#),
          "https://api.test/d": HTTPResponse(status: 404),
        ],
        .notOAuth("https://api.test/d answered with HTTP 404")
      ),
      (
        [api: challenge(#"resource_metadata="http://127.0.0.1/d""#)],
        .uselessMember("resource_metadata", at: "http://127.0.0.1/d")
      ),
    ] as [([String: HTTPResponse], Failure)])
  func refused(changed: [String: HTTPResponse], failure: Failure) async throws {
    await #expect(throws: failure) { try await Self.found(Self.servers(changed)) }
  }

  @Test("The failure of the only server is that of the search")
  func unusableServer() async throws {
    for (answer, failure) in [
      (.json("[]"), .notOAuth("the metadata of https://as.test: the document is not a JSON object")),
      (HTTPResponse(status: 404), .noMetadata(of: try Issuer("https://as.test"))),
      (
        HTTPResponse(status: 503),
        .notOAuth("the metadata of https://as.test could not be fetched: HTTP 503", isRetryable: true)
      ),
    ] as [(HTTPResponse, Failure)] {
      await #expect(throws: failure) { try await Self.found(Self.servers([Self.server: answer])) }
    }
  }
}
