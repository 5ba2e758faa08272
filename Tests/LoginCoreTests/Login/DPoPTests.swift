import Synchronization
import Testing

@testable import LoginCore

@Suite("DPoPTransport")
struct DPoPTransportTests {
  /// A server that gives prepared answers in order, then empty ones.
  private final class Server: HTTPTransport {
    private let answers: Mutex<[HTTPResponse]>
    private let requests = Mutex<[HTTPRequest]>([])
    var seen: [HTTPRequest] { requests.withLock { $0 } }

    init(_ answers: [HTTPResponse]) { self.answers = Mutex(answers) }

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
      requests.withLock { $0.append(request) }
      return answers.withLock { $0.isEmpty ? HTTPResponse(status: 200) : $0.removeFirst() }
    }
  }

  private func transport(_ server: Server, accessToken: AccessToken? = nil) throws -> DPoPTransport {
    DPoPTransport(
      try dependencies(server), key: FakeSigningKey(algorithm: .es256, publicKey: FakeSigningKey.ec()),
      accessToken: accessToken)
  }

  private func dependencies(_ server: Server) throws -> Dependencies {
    Dependencies(
      transport: server, cryptography: FakeCryptography(digests: [Array("T".utf8): [1, 2, 3]]),
      clock: FakeClock(date: try Samples.receivedAt(), record: Record()))
  }

  private func request() throws -> HTTPRequest {
    HTTPRequest(post: [Parameter("a", "b")], to: try Endpoint("https://as.test/token?x=1"))
  }

  private func nonceRequest(_ nonce: String) -> HTTPResponse {
    HTTPResponse(
      status: 400, headers: [Parameter("DPoP-Nonce", nonce)], body: Array(#"{"error":"use_dpop_nonce"}"#.utf8)
    )
  }

  /// The members of the header (part 0) or the claims (part 1) of a request's proof.
  private func proof(_ request: HTTPRequest, part: Int) throws -> JSONObject {
    let text = try #require(request.values(of: "DPoP").first)
    let bytes = try #require(Base64.decodeURLSafe(text.parts(at: ".")[part]))
    return try #require(try JSONReader.read(bytes).object)
  }

  @Test(
    "Logins with one memory share the nonces of authorization servers, which are not those of resource servers"
  )
  func shared() async throws {
    let server = Server([nonceRequest("N1")])
    var dependencies = try dependencies(server)
    dependencies.memory = ServerMemory()
    let key = FakeSigningKey(algorithm: .es256, publicKey: FakeSigningKey.ec())
    for _ in 1...2 { _ = try await DPoPTransport(dependencies, key: key).send(try request()) }
    _ = try await DPoPTransport(dependencies, key: key, accessToken: AccessToken("T")).send(try request())
    let nonces = try server.seen.map { try proof($0, part: 1)["nonce"] }
    #expect(nonces == [nil, "N1", "N1", nil])
  }

  // RFC 9449 section 4.2.
  @Test("A proof names the method and the address without its query, and contains only the public key")
  func proof() async throws {
    let server = Server([])
    _ = try await transport(server).send(try request())
    let header = try proof(server.seen[0], part: 0)
    #expect(header["typ"] == "dpop+jwt")
    #expect(header["alg"] == "ES256")
    #expect(header["jwk"]?.object?.map(\.name) == ["kty", "crv", "x", "y"])
    let claims = try proof(server.seen[0], part: 1)
    #expect(claims["htm"] == "POST")
    #expect(claims["htu"] == "https://as.test/token")
    #expect(claims["iat"] == .number(JSONNumber(try Samples.receivedAt().secondsSince1970)))
    #expect((claims["jti"]?.string ?? "").utf8.count == 22)
    #expect(claims["nonce"] == nil)
    #expect(claims["ath"] == nil)
  }

  // RFC 9449 section 8.
  @Test("A request is repeated once with the nonce that the server asks for, and later requests use it too")
  func nonce() async throws {
    let server = Server([nonceRequest("N1")])
    let transport = try transport(server)
    let answer = try await transport.send(try request())
    #expect(answer.status == 200)
    _ = try await transport.send(try request())
    #expect(server.seen.count == 3)
    #expect(try proof(server.seen[1], part: 1)["nonce"] == "N1")
    #expect(try proof(server.seen[2], part: 1)["nonce"] == "N1")
    #expect(try proof(server.seen[0], part: 1)["jti"] != proof(server.seen[1], part: 1)["jti"])
  }

  @Test("A newer nonce replaces an older one, and a request is repeated only once")
  func newer() async throws {
    let server = Server([
      nonceRequest("N1"), nonceRequest("N2"),
      HTTPResponse(status: 200, headers: [Parameter("dpop-nonce", "N3")]),
    ])
    let transport = try transport(server)
    #expect(try await transport.send(try request()).status == 400)
    #expect(server.seen.count == 2)
    _ = try await transport.send(try request())
    _ = try await transport.send(try request())
    #expect(try proof(server.seen[2], part: 1)["nonce"] == "N2")
    #expect(try proof(server.seen[3], part: 1)["nonce"] == "N3")
  }

  @Test("A nonce that no proof can carry is ignored", arguments: ["", "a b", "é"])
  func malformed(_ nonce: String) async throws {
    let server = Server([nonceRequest(nonce)])
    let transport = try transport(server)
    #expect(try await transport.send(try request()).status == 400)
    _ = try await transport.send(try request())
    #expect(server.seen.count == 2)
    #expect(try proof(server.seen[1], part: 1)["nonce"] == nil)
  }

  @Test("Another error does not cause a second request")
  func otherError() async throws {
    let server = Server([
      HTTPResponse(
        status: 400, headers: [Parameter("DPoP-Nonce", "N")], body: Array(#"{"error":"invalid_grant"}"#.utf8))
    ])
    _ = try await transport(server).send(try request())
    #expect(server.seen.count == 1)
  }

  // RFC 9449 section 9.
  @Test(
    "A resource server asks for its nonce in a challenge or in the body",
    arguments: [
      (#"DPoP error="use_dpop_nonce", error_description="why""#, "", 2),
      (#"Bearer realm="a", DPoP algs="ES256", error=use_dpop_nonce"#, "", 2),
      ("", #"{"error":"use_dpop_nonce"}"#, 2), (#"DPoP error="invalid_token""#, "", 1), ("", "", 1),
    ])
  func challenge(field: String, body: String, count: Int) async throws {
    let server = Server([
      HTTPResponse(
        status: 401,
        headers: [Parameter("DPoP-Nonce", "N"), Parameter("X", "y"), Parameter("www-authenticate", field)],
        body: Array(body.utf8))
    ])
    let answer = try await transport(server, accessToken: AccessToken("T")).send(try request())
    #expect(answer.status == (count == 1 ? 401 : 200))
    #expect(server.seen.count == count)
    #expect(try server.seen.allSatisfy { try proof($0, part: 1)["ath"] == "AQID" })
    #expect(try proof(#require(server.seen.last), part: 1)["nonce"] == (count == 1 ? nil : "N"))
  }

  @Test("Each origin has its own nonce")
  func origins() async throws {
    let server = Server([HTTPResponse(status: 200, headers: [Parameter("DPoP-Nonce", "N")])])
    let transport = try transport(server)
    _ = try await transport.send(try request())
    _ = try await transport.send(HTTPRequest(get: try Endpoint("https://other.test/token")))
    #expect(try proof(server.seen[1], part: 1)["nonce"] == nil)
  }

  private func token(_ type: String, _ key: JSONObject?) throws -> Token {
    var json: JSONObject = ["access_token": "T", "token_type": .string(type)]
    json["dpop_jwk"] = key.map(JSONValue.object)
    return try #require(Token(json: json))
  }

  private func send(with token: Token, _ server: Server) async throws {
    _ = try await dependencies(server).resourceTransport(for: token).send(try request())
  }

  // RFC 9449 section 7.
  @Test("Only a bound token is sent with a proof by its key")
  func resources() async throws {
    let server = Server([])
    try await send(with: try token("DPoP", ["kty": "EC", "d": "private"]), server)
    #expect(try proof(server.seen[0], part: 0)["jwk"]?.object?.map(\.name) == ["kty"])
    #expect(try proof(server.seen[0], part: 1)["ath"] == "AQID")
    try await send(with: try token("Bearer", nil), server)
    #expect(server.seen[1].values(of: "DPoP") == [])
  }

  @Test("A bound token without its key is not sent", arguments: [nil, ["kty": "EC"]] as [JSONObject?])
  func noKey(_ key: JSONObject?) async throws {
    let server = Server([])
    let otherKey = Failure(.invalidConfiguration, "dpop_jwk is not a private key on the curve P-256")
    await #expect(throws: key == nil ? Failure.noProofKey : otherKey) {
      try await send(with: try token("DPoP", key), server)
    }
    #expect(server.seen.isEmpty)
  }
}
