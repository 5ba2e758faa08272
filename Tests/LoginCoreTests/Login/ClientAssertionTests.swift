import Synchronization
import Testing

@testable import LoginCore

// RFC 7523 sections 2.2 and 3.
@Suite("Assertions of clients")
struct ClientAssertionTests {
  /// A server that asks for a nonce first, if tokens are bound, and then gives empty answers.
  private final class Server: HTTPTransport {
    private let requests = Mutex<[HTTPRequest]>([])
    var seen: [HTTPRequest] { requests.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
      let isFirst = requests.withLock { requests in
        requests.append(request)
        return requests.count == 1
      }
      guard isFirst, !request.values(of: "DPoP").isEmpty else { return HTTPResponse(status: 200) }
      return HTTPResponse(
        status: 400, headers: [Parameter("DPoP-Nonce", "N")], body: Array(#"{"error":"use_dpop_nonce"}"#.utf8)
      )
    }
  }

  private let server = Server()

  private func login(issuer: String? = "https://as.test", _ key: String = #"{"kid":"k1","d":"PRIVATE"}"#)
    throws
    -> LoginRequest
  {
    var provider = Provider()
    provider.issuer = try issuer.map { try Issuer($0) }
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    var login = LoginRequest(
      provider: provider, clientID: "me", redirectURI: try RedirectURI("https://app.test/done"))
    login.clientKey = ClientKey(key)
    return login
  }

  private func send(
    _ login: LoginRequest, _ form: [Parameter] = [Parameter("a", "b")],
    _ cryptography: FakeCryptography = FakeCryptography()
  ) async throws {
    let dependencies = Dependencies(
      transport: server, cryptography: cryptography,
      clock: FakeClock(date: try Samples.receivedAt(), record: Record()))
    let request = HTTPRequest(post: form, to: try Endpoint("https://as.test/par"), provingClientOf: login)
    _ = try await dependencies.clientTransport(for: login).send(request)
  }

  private func form(_ request: HTTPRequest) -> [String: String] {
    Dictionary(request.form.map { ($0.name, $0.value) }) { $1 }
  }

  /// The members of the header (part 0) or the claims (part 1).
  private func assertion(_ request: HTTPRequest, part: Int) throws -> JSONObject {
    let text = try #require(form(request)["client_assertion"])
    let bytes = try #require(Base64.decodeURLSafe(text.parts(at: ".")[part]))
    return try #require(try JSONReader.read(bytes).object)
  }

  @Test("A request carries a signed assertion for the issuer, and neither the key nor a password")
  func content() async throws {
    let login = try login()
    #expect(login.clientAuthentication == .privateKeyJWT)
    try await send(login)
    let request = server.seen[0]
    let form = form(request)
    #expect(Set(form.keys) == ["a", "client_id", "client_assertion_type", "client_assertion"])
    #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    #expect(form["client_id"] == "me" && request.values(of: "Authorization").isEmpty)
    #expect(try assertion(request, part: 0) == ["alg": "ES256", "typ": "JWT", "kid": "k1"])
    let claims = try assertion(request, part: 1)
    let now = try Samples.receivedAt().secondsSince1970
    #expect(claims["iss"] == "me" && claims["sub"] == "me" && claims["aud"] == "https://as.test")
    #expect(claims["iat"] == .number(JSONNumber(now)) && claims["exp"] == .number(JSONNumber(now + 60)))
    #expect((claims["jti"]?.string ?? "").utf8.count == 22)
  }

  @Test("Without an issuer the assertion is for the token endpoint, also where it is sent to another one")
  func audience() async throws {
    try await send(try login(issuer: nil, "-----BEGIN PRIVATE KEY-----"))
    #expect(try assertion(server.seen[0], part: 1)["aud"] == "https://as.test/token")
    #expect(try assertion(server.seen[0], part: 0)["kid"] == nil)
  }

  @Test("Every attempt has an assertion of its own, also the one that repeats a request with a nonce")
  func attempts() async throws {
    var login = try login()
    login.proofKey = FakeSigningKey(algorithm: .es256, publicKey: FakeSigningKey.ec())
    try await send(login)
    try #require(server.seen.count == 2)
    #expect(try assertion(server.seen[0], part: 1)["jti"] != assertion(server.seen[1], part: 1)["jti"])
    #expect(form(server.seen[1])["a"] == "b")
  }

  @Test("A body that is an object gets the assertion as members")
  func object() throws {
    let request = HTTPRequest(postJSON: ["code": "C"], to: try Endpoint("https://as.test/token"))
      .adding(toForm: [Parameter("client_assertion", "x")])
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"code":"C","client_assertion":"x"}"#)
  }

  @Test("Without a usable key no request is sent", arguments: ["", "secret"])
  func unusable(key: String) async throws {
    var login = try login()
    login.clientKey = key.isEmpty ? nil : ClientKey(key)
    login.clientAuthentication = .privateKeyJWT
    await #expect(throws: Failure.unusableClientKey) { try await send(login) }
    #expect(server.seen.isEmpty)
  }

  @Test(
    "Without signatures, a client cannot have a key, a token not be bound, and an id_token not be verified")
  func noSignatures() async throws {
    let plain = FakeCryptography(hasSignatures: false)
    var login = try login()
    await #expect(throws: Failure.noSignatures) { try await send(login, [], plain) }
    #expect(server.seen.isEmpty)
    login.provider.bindsTokens = true
    #expect(throws: Failure.noSignatures) { try login.withProofKey(plain) }
    #expect(throws: Failure.noSignatures) { try login.withKeptKey(FakeSigningKey.ec(), plain) }
    expectFailure(.noSignatures) {
      _ = try SampleIDToken.verify(SampleIDToken.claims, by: SampleIDToken.verifier(cryptography: plain))
    }
  }

  @Test("The key is kept with the request, and another client does not get it")
  func kept() throws {
    let login = try login()
    let again = try LoginRequest(json: login.json, to: login.provider)
    #expect(again.clientKey == login.clientKey && again.clientAuthentication == .privateKeyJWT)
    #expect(login.withoutClient.clientKey == nil)
    #expect(!"\(login.clientKey as Any)".contains("PRIVATE"))
  }
}
