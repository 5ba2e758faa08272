import Testing

@testable import LoginCore

@Suite("A client that is registered, kept and forgotten")
struct RegistrationSessionTests {
  private static let endpoint = "https://as.test/register"
  private static let management = "https://as.test/client"
  private static let answer =
    #"{"client_id":"c","client_secret":"s","registration_client_uri":"https://as.test/client","registration_access_token":"t"}"#

  private func login(issuer: String? = nil) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.issuer = try issuer.map { text throws(AddressFault) in try Issuer(text) }
    if issuer == nil { provider.endpoints[.registration] = try Endpoint(Self.endpoint) }
    var login = try Samples.login(provider)
    login.clientID = ""
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

  private func found(
    _ store: FakeStore, _ transport: FakeTransport, _ login: LoginRequest? = nil, at seconds: Int64 = 0
  ) async throws -> RegistrationSession.Found {
    let login = try login ?? self.login()
    return try await session(store, transport, at: seconds).client(
      for: login, initialAccessToken: nil, at: { wanted in wanted ?? 0 }
    ) { .init(for: $0, name: "App") }
  }

  @Test("who leaves while the provider makes a client does not take along what is known of it")
  func abandoned() async throws {
    let (store, transport) = (FakeStore([]), SlowTransport(answer: .json(Self.answer)))
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    let dependencies = Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock)
    let (session, login) = (RegistrationSession(store: store, dependencies), try login())
    let task = Task {
      try await session.client(for: login, initialAccessToken: nil, at: { wanted in wanted ?? 0 }) {
        .init(for: $0, name: "App")
      }
    }
    await transport.wasAsked()
    task.cancel()
    transport.goesOn()
    _ = await task.result
    let slot = try #require(ClientSlot(login.provider, login.redirectURI))
    #expect(try await store.client(at: slot)?.clientID == "c")
  }

  // Some servers compare the port, whatever RFC 8252 section 7.3 says.
  @Test("a client on this machine is registered with a port, which is used again as long as it is free")
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
        for: login, initialAccessToken: nil,
        at: { wanted in
          #expect(wanted == asked || wanted == nil)
          return free
        }
      ) { .init(for: $0, name: nil) }
      #expect(found.client.redirectURI?.description == redirectURI)
      #expect(found.isNew == isNew)
      let body = transport.sent.last.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
      #expect(body.contains(#""redirect_uris":["\#(redirectURI)"]"#))
    }
    #expect(transport.sent.count == 2)
  }

  @Test("a client that was registered for less than is wanted is registered anew, for both")
  func scope() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    for (scope, isNew) in [
      ("a", true), ("a", false), (nil, false), ("b a", true), ("a", false), ("a b", false), ("c", true),
    ] {
      var login = try login()
      login.scope = scope
      #expect(try await found(store, transport, login).isNew == isNew, "\(scope ?? "none")")
    }
    let scopes = transport.sent.map { try? JSONReader.read($0.body).object?["scope"]?.string }
    #expect(scopes == ["a", "a b", "a b c"])
  }

  @Test("what the provider makes of the scope counts as well; a client without one may ask for anything")
  func answeredScope() async throws {
    let answer = #"{"client_id":"c","scope":"b"}"#
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(answer)]))
    for (scope, isNew) in [("a", true), ("a", false), ("b", false), ("d", true)] {
      var login = try login()
      login.scope = scope
      #expect(try await found(store, transport, login).isNew == isNew, "\(scope)")
    }
    let (other, silent) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    #expect(try await found(other, silent).isNew)
    var login = try login()
    login.scope = "a"
    #expect(try await !found(other, silent, login).isNew)
  }

  @Test("a provider that knows what the kept client may ask for no more is asked for the rest")
  func staleScope() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    var login = try login()
    login.scope = "old"
    _ = try await found(store, transport, login)
    let choosy = FakeTransport([Self.endpoint: .json(#"{"error":"invalid_client_metadata"}"#, status: 400)])
    login.scope = "new"
    let refusal = Failure.provider(ProviderError(code: "invalid_client_metadata"))
    await #expect(throws: refusal) { try await found(store, choosy, login) }
    let scopes = choosy.sent.map { try? JSONReader.read($0.body).object?["scope"]?.string }
    #expect(scopes == ["old new", "new"])
  }

  // RFC 6749 section 2.3.1; the servers that compare ports look for the client in the body alone.
  @Test("a client that was registered is named in the body, also where a header field proves it")
  func named() throws {
    let json: JSONObject = [
      "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_basic",
    ]
    var login = try login().made(by: #require(RegisteredClient(json: json)))
    login.provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let request = try TokenRequest(.refresh(RefreshToken("r")), for: login).httpRequest
    #expect(request.form.contains(Parameter("client_id", "c")))
    #expect(!request.form.contains { $0.name == "client_secret" })
    #expect(request.values(of: "Authorization").count == 1)
    login.namesClient = false
    #expect(
      try !TokenRequest(.refresh(RefreshToken("r")), for: login).httpRequest.form.contains {
        $0.name == "client_id"
      })
  }

  private func kept(_ store: FakeStore) async throws -> RegisteredClient? {
    let login = try login()
    return try await store.client(at: #require(ClientSlot(login.provider, login.redirectURI)))
  }

  @Test("a client is registered once, and found the next time")
  func once() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer, status: 201)]))
    let first = try await found(store, transport)
    #expect(first.isNew && first.client.clientID == "c")
    #expect(store.events == [.lock, .save, .unlock])
    let second = try await found(store, transport)
    #expect(!second.isNew && second.client == first.client)
    #expect(transport.sent.count == 1)
    #expect(store.events.count == 3, "one that is there is found without a lock")
    let login = try login().made(by: second.client)
    #expect(login.clientID == "c" && login.clientSecret == ClientSecret("s"))
    #expect(login.clientAuthentication == .basic)
  }

  @Test("one that another program has registered while this one waited is not registered again")
  func another() async throws {
    let login = try login()
    let slot = try #require(ClientSlot(login.provider, login.redirectURI))
    let theirs = try #require(
      RegisteredClient(json: ["client_id": "theirs", "token_endpoint_auth_method": "none"]))
    let store = FakeStore([], clientWhileWaiting: theirs.document(at: slot))
    let found = try await found(store, FakeTransport())
    #expect(!found.isNew && found.client.clientID == "theirs")
  }

  @Test("another redirect URI is another client")
  func slot() async throws {
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(Self.answer)]))
    _ = try await found(store, transport)
    var other = try login()
    other.redirectURI = try RedirectURI("https://app.test/other")
    #expect(try await found(store, transport, other).isNew)
  }

  // RFC 7591 section 3.2.1.
  @Test(
    "one whose secret has ended is registered again", arguments: [(-1, false), (0, true)] as [(Int64, Bool)])
  func expired(offset: Int64, isNew: Bool) async throws {
    let end = try Samples.receivedAt().secondsSince1970 + 100
    let body = #"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(end)}"#
    let (store, transport) = (FakeStore([]), FakeTransport([Self.endpoint: .json(body)]))
    _ = try await found(store, transport)
    #expect(try await found(store, transport, at: 100 + offset).isNew == isNew)
  }

  @Test("an issuer says where clients are made, and is asked only for a new one")
  func discovery() async throws {
    let metadata = #"{"issuer":"https://as.test","registration_endpoint":"https://as.test/register"}"#
    let (store, transport) = (
      FakeStore([]),
      FakeTransport([
        "https://as.test/.well-known/openid-configuration": .json(metadata),
        Self.endpoint: .json(Self.answer),
      ])
    )
    let login = try login(issuer: "https://as.test")
    #expect(login.mayRegister)
    #expect(try await found(store, transport, login).isNew)
    #expect(try await !found(store, transport, login).isNew)
    #expect(transport.sent.count == 2)
  }

  @Test(
    "what goes wrong keeps nothing, and takes nothing away",
    arguments: [
      (
        #"{"error":"invalid_client_metadata"}"#, 400,
        .provider(ProviderError(code: "invalid_client_metadata"))
      ),
      (
        #"{"client_id":"d","redirect_uris":["https://evil.test/"]}"#, 201,
        .network(.badResponse(.otherRedirectURIs))
      ),
      (
        "<h1>", 500,
        .network(.badResponse(.status(500, from: .registration)))
      ),
    ] as [(String, Int, Failure)])
  func refused(body: String, status: Int, failure: Failure) async throws {
    let end = try Samples.receivedAt().secondsSince1970 + 100
    let old = #"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(end)}"#
    let store = FakeStore([])
    _ = try await found(store, FakeTransport([Self.endpoint: .json(old)]))
    let transport = FakeTransport([Self.endpoint: .json(body, status: status)])
    await #expect(throws: failure) { try await found(store, transport, at: 200) }
    #expect(transport.sent.count == 1, "nothing else could be asked for")
    #expect(try await kept(store)?.clientID == "c")
  }

  @Test("what the login asks for is what the client may do")
  func metadata() throws {
    for (type, grants) in [
      ("code", ["authorization_code", "refresh_token"]), ("token", ["implicit"]),
      ("code id_token", ["authorization_code", "refresh_token", "implicit"]),
    ] {
      var login = try login()
      login.responseType = try #require(ResponseType(type))
      let metadata = RegistrationRequest.Metadata(for: login, name: nil)
      #expect(metadata.grantTypes == grants)
      #expect(metadata.responseTypes == [type])
      #expect(metadata.redirectURIs == [login.redirectURI])
    }
  }

  // RFC 7592 section 2.3.
  @Test(
    "a client is deleted where it was made, and forgotten",
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
    await #expect(throws: Failure.store(.unknownClient(of: Self.endpoint))) {
      _ = try await session.forget(for: login())
    }
  }

  @Test("a failure forgets nothing, unless somebody insists")
  func failure() async throws {
    let store = FakeStore([])
    let transport = FakeTransport([Self.endpoint: .json(Self.answer)])
    _ = try await found(store, transport)
    let session = try session(store, transport)
    let unreached = Failure.network(.unknownHost(Self.management))
    await #expect(throws: unreached) { _ = try await session.forget(for: login()) }
    #expect(try await kept(store) != nil)
    let forgotten = try await session.forget(for: login(), insisting: true)
    #expect(!forgotten.isDeleted && forgotten.failure == unreached)
    #expect(try await kept(store) == nil)
  }
}
