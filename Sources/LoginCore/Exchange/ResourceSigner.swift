/// Signs the requests that an application makes of APIs: with the token in one header field and nowhere else (RFC 6750
/// section 2.1), and where it is bound to a key with a proof of that key and the server's nonce (RFC 9449 section 7).
package struct ResourceSigner: Sendable {
  private let cryptography: any Cryptography
  private let clock: any WallClock
  private var nonces = DPoPNonces()

  /// One that has not met a server yet.
  package init(cryptography: any Cryptography, clock: any WallClock) {
    self.cryptography = cryptography
    self.clock = clock
  }

  /// The request as it is sent now: a proof is good for one request.
  package func signed(_ request: ResourceRequest, with token: Token) throws(Failure) -> ResourceRequest {
    guard let accessToken = token.accessToken else { throw .untrusted(.missingToken(["access_token"])) }
    let signed = request.adding(try AuthorizationHeader(accessToken, scheme: token.scheme).field)
    guard let key = try token.boundKey(cryptography) else { return signed }
    let proof = try DPoPProof(
      for: request.method, at: request.endpoint, accessToken: accessToken, nonce: nonces[request.endpoint],
      key: key, cryptography: cryptography, at: clock.now())
    return signed.adding(proof.field)
  }

  /// Whether the server of a request has given a nonce.
  package func knowsNonce(for request: ResourceRequest) -> Bool { nonces[request.endpoint] != nil }

  /// Takes over the nonce that comes with an answer.
  package mutating func note(_ head: HTTPResponse, to request: ResourceRequest) {
    nonces.note(head, from: request.endpoint)
  }
}
