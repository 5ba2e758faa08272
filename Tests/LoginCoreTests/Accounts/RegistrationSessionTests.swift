import Testing

@testable import LoginCore

@Suite("RegistrationSession")
struct RegistrationSessionTests {
  private static let endpoint = "https://as.test/register"
  private static let management = "https://as.test/client"
  private static let answer =
    #"{"client_id":"c","client_secret":"s","registration_client_uri":"https://as.test/client","registration_access_token":"t"}"#

  private func login(issuer: String? = nil, scope: String? = nil) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.issuer = try issuer.map { text throws(Failure) in try Issuer(text) }
    if issuer == nil { provider.endpoints[.registration] = try Endpoint(Self.endpoint) }
    var login = try Samples.login(provider)
    login.clientID = ""
    login.scope = scope
    return login
  }

  private func session(
    _ store: FakeStore, _ transport: FakeTransport, at seconds: Int64 = 0
  ) throws -> RegistrationSession {
    let now = try Samples.receivedAt().adding(seconds: seconds)
    let clock = FakeClock(date: try #require(now), record: transport.record)
    return RegistrationSession(
      store: store, Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
  }

  @Sendable
  private static func request(_ asked: LoginRequest) throws(Failure) -> RegistrationRequest {
    try RegistrationRequest(.init(for: asked, name: "App"), at: asked.provider)
  }

  private func found(
    _ store: FakeStore, _ transport: FakeTransport, _ login: LoginRequest? = nil, at seconds: Int64 = 0
  ) async throws -> RegistrationSession.Found {
    let login = try login ?? self.login()
    return try await session(store, transport, at: seconds).client(
      for: login, at: { wanted in wanted ?? 0 }, Self.request)
  }

  private func kept(_ store: FakeStore) async throws -> RegisteredClient? {
    let login = try login()
    return try await store.client(at: #require(ClientSlot(login.provider, login.redirectURI)))
  }

  /// Returns the scopes of the registrations that were sent.
  private func scopes(_ transport: FakeTransport) throws -> [String?] {
    try transport.sent.map { try JSONReader.read($0.body).object?["scope"]?.string }
  }

  @Test("A client is registered once, and found without a lock the next time")
  func once() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer, status: 201)]))
    let first = try await found(store, transport)
    #expect(first.isNew && first.client.clientID == "c")
    #expect(store.events == [.lock, .save, .unlock])
    let second = try await found(store, transport)
    #expect(!second.isNew && second.client == first.client)
    #expect(transport.sent.count == 1)
    #expect(store.events.count == 3)
  }

  @Test(
    "A task that is cancelled while the provider answers ends at once, and the new client is saved all the same"
  )
  func abandoned() async throws {
    let (store, transport) = (FakeStore([]), SlowTransport(answer: .json(Self.answer)))
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    let dependencies = Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock)
    let (session, login) = (RegistrationSession(store: store, dependencies), try login())
    let task = Task {
      try await session.client(for: login, at: { wanted in wanted ?? 0 }, Self.request)
    }
    await transport.waitForRequest()
    task.cancel()
    await #expect(throws: Failure.cancelled) { _ = try await task.value }
    #expect(store.events == [.lock])
    transport.release()
    while !store.events.contains(.unlock) { await Task.yield() }
    #expect(try await kept(store)?.clientID == "c")
    #expect(store.events == [.lock, .save, .unlock])
  }

  @Test("A client that another program registered while this one waited is not registered again")
  func another() async throws {
    let login = try login()
    let slot = try #require(ClientSlot(login.provider, login.redirectURI))
    let theirs = try #require(
      RegisteredClient(json: ["client_id": "theirs", "token_endpoint_auth_method": "none"]))
    let store = FakeStore([], clientWhileWaiting: theirs.document(at: slot))
    let found = try await found(store, FakeTransport())
    #expect(!found.isNew && found.client.clientID == "theirs")
  }

  @Test("Another redirect URI needs another client")
  func otherRedirectURI() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    _ = try await found(store, transport)
    var other = try login()
    other.redirectURI = try RedirectURI("https://app.test/other")
    #expect(try await found(store, transport, other).isNew)
  }

  // Some servers compare the port, although RFC 8252 section 7.3 says that they must not.
  @Test("A client on this machine is registered with a port, and registered again if that port is not free")
  func port() async throws {
    var login = try login()
    login.redirectURI = try RedirectURI("http://127.0.0.1/callback")
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    for (free, asked, redirectURI, isNew) in [
      (8_401, nil, "http://127.0.0.1:8401/callback", true),
      (8_401, 8_401, "http://127.0.0.1:8401/callback", false),
      (8_402, 8_401, "http://127.0.0.1:8402/callback", true),
      (8_402, 8_402, "http://127.0.0.1:8402/callback", false),
    ] as [(UInt16, UInt16?, String, Bool)] {
      let found = try await session(store, transport).client(
        for: login,
        at: { wanted in
          #expect(wanted == asked || wanted == nil)
          return free
        }, Self.request)
      #expect(found.client.redirectURI?.description == redirectURI)
      #expect(found.isNew == isNew)
      let body = transport.sent.last.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
      #expect(body.contains(#""redirect_uris":["\#(redirectURI)"]"#))
    }
    #expect(transport.sent.count == 2)
  }

  @Test("A client that was registered for a smaller scope is registered again, for both scopes")
  func scope() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    for (scope, isNew) in [
      ("a", true), ("a", false), (nil, false), ("b a", true), ("a", false), ("a b", false), ("c", true),
    ] {
      #expect(try await found(store, transport, login(scope: scope)).isNew == isNew, "\(scope ?? "none")")
    }
    #expect(try scopes(transport) == ["a", "a b", "a b c"])
  }

  @Test("A client may use device codes if the provider has them and allows new clients to")
  func deviceCodes() async throws {
    for isAllowed in [true, false] {
      var login = try login()
      login.provider.endpoints[.deviceAuthorization] = try Endpoint("https://as.test/device")
      let transport = FakeTransport([
        Self.endpoint: isAllowed
          ? .json(Self.answer) : .json(#"{"error":"invalid_client_metadata"}"#, status: 400)
      ])
      _ = try? await found(FakeStore([]), transport, login)
      let asked = try transport.sent.map {
        try JSONReader.read($0.body).object?["grant_types"]?.array?.last?.string
      }
      let device = "urn:ietf:params:oauth:grant-type:device_code"
      #expect(asked == (isAllowed ? [device] : [device, "refresh_token"]))
    }
  }

  @Test("The scope in the provider's answer counts as well")
  func answeredScope() async throws {
    let answer = #"{"client_id":"c","scope":"b"}"#
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(answer)]))
    for (scope, isNew) in [("a", true), ("a", false), ("b", false), ("d", true)] {
      #expect(try await found(store, transport, login(scope: scope)).isNew == isNew, "\(scope)")
    }
  }

  @Test("A client that was registered without a scope serves every scope")
  func noScope() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    #expect(try await found(store, transport).isNew)
    #expect(try await !found(store, transport, login(scope: "a")).isNew)
  }

  @Test("If the provider refuses the scope of the kept client, only the new scope is asked for")
  func staleScope() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    _ = try await found(store, transport, login(scope: "old"))
    let refusing = FakeTransport([Self.endpoint: .json(#"{"error":"invalid_client_metadata"}"#, status: 400)])
    await #expect(throws: Failure.refusal(code: "invalid_client_metadata")) {
      try await found(store, refusing, login(scope: "new"))
    }
    #expect(try scopes(refusing) == ["old new", "new"])
  }

  // RFC 7591 section 3.2.1.
  @Test(
    "A client whose secret has expired is registered again",
    arguments: [(-1, false), (0, true)] as [(Int64, Bool)])
  func expired(offset: Int64, isNew: Bool) async throws {
    let end = try Samples.receivedAt().secondsSince1970 + 100
    let body = #"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(end)}"#
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(body)]))
    _ = try await found(store, transport)
    let renewing = FakeTransport([Self.endpoint: .json(Self.answer)])
    #expect(try await found(store, renewing, at: 100 + offset).isNew == isNew)
  }

  @Test("The issuer is asked for its registration endpoint only for a new client")
  func discovery() async throws {
    let metadata = #"{"issuer":"https://as.test","registration_endpoint":"https://as.test/register"}"#
    let store = FakeStore([])
    let transport = FakeTransport([
      "https://as.test/.well-known/openid-configuration": .json(metadata),
      Self.endpoint: .json(Self.answer),
    ])
    let login = try login(issuer: "https://as.test")
    #expect(login.mayRegister)
    #expect(try await found(store, transport, login).isNew)
    #expect(try await !found(store, transport, login).isNew)
    #expect(transport.sent.count == 2)
  }

  @Test(
    "A registration that fails keeps the old client",
    arguments: [
      (#"{"error":"invalid_client_metadata"}"#, 400, .refusal(code: "invalid_client_metadata")),
      (
        #"{"client_id":"d","redirect_uris":["https://evil.test/"]}"#, 201,
        .notOAuth("the provider registered other redirect URIs than requested")
      ),
      ("<h1>", 500, .status(500, from: .registration)),
    ] as [(String, Int, Failure)])
  func refused(body: String, status: Int, failure: Failure) async throws {
    let end = try Samples.receivedAt().secondsSince1970 + 100
    let old = #"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(end)}"#
    let store = FakeStore([])
    _ = try await found(store, FakeTransport([Self.endpoint: .json(old)]))
    let transport = FakeTransport([Self.endpoint: .json(body, status: status)])
    await #expect(throws: failure) { try await found(store, transport, at: 200) }
    #expect(transport.sent.count == 1, "there is no other scope to try")
    #expect(try await kept(store)?.clientID == "c")
  }

  // RFC 7592 section 2.3.
  @Test(
    "A client is deleted at its provider and in the store",
    arguments: [(204, true), (404, true), (405, false)])
  func forgotten(status: Int, isDeleted: Bool) async throws {
    let store = FakeStore([])
    let transport = FakeTransport([
      Self.endpoint: .json(Self.answer), Self.management: HTTPResponse(status: status),
    ])
    _ = try await found(store, transport)
    let session = try session(store, transport)
    let forgotten = try await session.forget(for: login())
    #expect(forgotten.client?.clientID == "c")
    #expect(forgotten.isDeleted == isDeleted)
    #expect(transport.sent.last?.method == .delete)
    #expect(try await kept(store) == nil)
    await #expect(throws: Failure.unknownClient(of: Self.endpoint)) {
      _ = try await session.forget(for: login())
    }
  }

  @Test("A failure at the provider keeps the client in the store, unless the caller insists")
  func insisting() async throws {
    let store = FakeStore([])
    let transport = FakeTransport([Self.endpoint: .json(Self.answer)])
    _ = try await found(store, transport)
    let session = try session(store, transport)
    let failure = Failure.unknownHost(Self.management)
    await #expect(throws: failure) { _ = try await session.forget(for: login()) }
    #expect(try await kept(store) != nil)
    let forgotten = try await session.forget(for: login(), insisting: true)
    #expect(!forgotten.isDeleted && forgotten.failure == failure)
    #expect(try await kept(store) == nil)
  }
}
