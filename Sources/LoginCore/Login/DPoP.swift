/// Sends requests with a proof of possession of a key, and with the nonces that servers ask for (RFC 9449 sections 5
/// and 8).
struct DPoPTransport: HTTPTransport {
  private let dependencies: Dependencies
  private let key: any SigningKey
  private let accessToken: AccessToken?
  private let memory: ServerMemory
  private let servers: DPoPNonces.Servers

  /// Creates a transport to resource servers if there is an access token, or else to authorization servers. Servers
  /// of the two kinds have nonces of their own, so one transport must not serve both.
  init(_ dependencies: Dependencies, key: any SigningKey, accessToken: AccessToken? = nil) {
    self.dependencies = dependencies
    self.key = key
    self.accessToken = accessToken
    memory = dependencies.memory ?? ServerMemory()
    servers = accessToken == nil ? .authorization : .resource
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let response = try await attempt(request)
    guard response.asksForNonce else { return response }
    // Only once: a server that rejects its own nonce would reject the next one, too.
    return try await attempt(request)
  }

  private func attempt(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let proof = try DPoPProof(
      for: request.method.rawValue, at: request.endpoint, accessToken: accessToken,
      nonce: await memory.nonces(of: servers)[request.endpoint], key: key,
      cryptography: dependencies.cryptography,
      at: dependencies.clock.now())
    let response = try await dependencies.transport.send(request.adding(proof.field))
    await memory.note(response, from: request.endpoint, of: servers)
    return response
  }
}

extension Dependencies {
  /// Returns the transport to the endpoints at which the client authenticates. If the client has a key, its requests carry
  /// assertions; if tokens are bound to a key, proofs of possession. Use one transport for all requests of a login, since
  /// it remembers the servers' nonces.
  func clientTransport(for login: LoginRequest) -> any HTTPTransport {
    let server: any HTTPTransport =
      login.clientAuthentication == .privateKeyJWT ? ClientAssertionTransport(self, login) : transport
    guard let proofKey = login.proofKey else { return server }
    var dependencies = Dependencies(transport: server, cryptography: cryptography, clock: clock)
    dependencies.memory = memory
    return DPoPTransport(dependencies, key: proofKey)
  }
}

/// A proof that the sender of a request holds the key that a token is bound to (RFC 9449 section 4.2).
struct DPoPProof: Sendable {
  /// The header field of the request.
  let field: Parameter

  /// Creates a proof for one request. `accessToken` is the token that the request carries, and `nonce` the server's
  /// latest.
  init(
    for method: String, at endpoint: Endpoint, accessToken: AccessToken?, nonce: String?,
    key: any SigningKey, cryptography: any Cryptography, at now: UTCDate
  ) throws(Failure) {
    let digest = try accessToken.map { token throws(Failure) in
      try cryptography.digest(.sha256, of: Array(token.revealed().utf8))
    }
    let claims: JSONObject = [
      "jti": .string(Base64.encodeURLSafe(try cryptography.randomBytes(16))),
      "htm": .string(method), "htu": .string(Self.address(of: endpoint)),
      "iat": .number(JSONNumber(now.secondsSince1970)),
      "ath": digest.map { .string(Base64.encodeURLSafe($0)) }, "nonce": nonce.map(JSONValue.string),
    ]
    // Only the members that make up the key, without `use`, `alg` and the like.
    let names = ["kty", "crv", "x", "y", "e", "n"]
    let jwk: JSONObject = names.reduce(into: [:]) { $0[$1] = key.publicKey[$1] }
    let header: JSONObject = ["typ": "dpop+jwt", "jwk": .object(jwk)]
    field = Parameter("DPoP", try JWS.sign(claims.text.utf8, header: header, with: key))
  }

  /// The address as it is sent, without query and fragment (RFC 9449 section 4.2).
  private static func address(of endpoint: Endpoint) -> String {
    PercentEncoding.complete(endpoint.description.splitOnce(at: "?").0)
  }
}

/// The latest nonce of each server (RFC 9449 sections 8 and 9), either of authorization servers or of resource servers.
package struct DPoPNonces: Sendable {
  /// A kind of servers.
  package enum Servers: Sendable {
    case authorization, resource
  }

  private var newest: [String: String] = [:]

  package init() {}

  /// The nonce for the next proof to this server, if it has sent one.
  subscript(endpoint: Endpoint) -> String? { newest[endpoint.origin] }

  /// Keeps the nonce of an answer in place of an older one.
  mutating func note(_ response: HTTPResponse, from endpoint: Endpoint) {
    if let nonce = response.nonce { newest[endpoint.origin] = nonce }
  }
}

extension HTTPResponse {
  /// The nonce for the next proof (RFC 9449 section 8.1), if a proof can carry it.
  fileprivate var nonce: String? {
    self[header: "DPoP-Nonce"].flatMap { !$0.isEmpty && $0.utf8.allSatisfy(\.isVisible) ? $0 : nil }
  }

  /// True if the server wants the request again with the nonce that it sends along. An authorization server says so in
  /// the body, a resource server in a challenge (RFC 9449 sections 8 and 9).
  package var asksForNonce: Bool {
    guard status == 400 || status == 401, nonce != nil else { return false }
    return isChallenged(with: "use_dpop_nonce")
      || (try? JSONReader.read(body))?.object?["error"] == "use_dpop_nonce"
  }

  /// True if a resource server wants another token (RFC 6750 section 3.1), rather than another proof (RFC 9449
  /// section 7.1).
  package var refusesToken: Bool {
    status == 401 && !isChallenged(with: "use_dpop_nonce") && !isChallenged(with: "invalid_dpop_proof")
  }

  private func isChallenged(with code: String) -> Bool {
    challenges.contains { $0.isForToken && $0.parameters["error"]?.isIdentical(to: code) == true }
  }
}

extension Cryptography {
  /// Reads the private key that was kept with a token.
  func keptProofKey(_ jwk: JSONObject) throws(Failure) -> any SigningKey {
    guard let key = try neededSignatures().proofKey(jwk) else {
      throw Failure(.invalidConfiguration, "dpop_jwk is not a private key on the curve P-256")
    }
    return key
  }
}
