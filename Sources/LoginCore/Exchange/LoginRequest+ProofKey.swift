/// The key that tokens are bound to from the request to the last refresh (RFC 9449 section 5).
extension LoginRequest {
  /// The request with a key of its own where the token is to be bound to one.
  package func withProofKey(_ cryptography: any Cryptography) throws(Failure) -> LoginRequest {
    guard provider.bindsTokens, proofKey == nil else { return self }
    let key = try cryptography.newProofKey()
    if let names = provider.proofAlgorithms, !names.contains(key.algorithm.rawValue) {
      throw .caller(.proofAlgorithm(key.algorithm.rawValue))
    }
    var login = self
    login.proofKey = key
    return login
  }

  /// The request with the key of an earlier token: the refresh token of a public client is bound to it as well.
  func withProofKey(
    of earlier: JSONObject?, _ cryptography: any Cryptography
  ) throws(Failure) -> LoginRequest {
    guard let earlier else { return try withProofKey(cryptography) }
    var login = self
    login.proofKey = try cryptography.kept(earlier)
    return login
  }

  /// The request with the key that a token is bound to, if there is one.
  func withKeptKey(of token: Token, _ cryptography: any Cryptography) throws(Failure) -> LoginRequest {
    token.proofKey == nil ? self : try withProofKey(of: token.proofKey, cryptography)
  }

  /// The way to the endpoints that take the client's proof of itself: with proofs of possession as well where
  /// tokens are bound to a key.
  func ownEndpoints(_ dependencies: Dependencies) -> any HTTPTransport {
    guard let proofKey else { return dependencies.transport }
    return DPoPTransport(dependencies, key: proofKey)
  }
}

extension Token {
  func boundKey(_ cryptography: any Cryptography) throws(Failure) -> (any SigningKey)? {
    guard isBound else { return nil }
    guard let proofKey else { throw .caller(.noProofKey) }
    return try cryptography.kept(proofKey)
  }

  /// The way to servers that take this token: where it is bound to a key, every request gets a proof that names
  /// the token (RFC 9449 section 7). Those of one login should go the same way, which knows the servers' nonces.
  func resources(_ dependencies: Dependencies) throws(Failure) -> any HTTPTransport {
    guard let key = try boundKey(dependencies.cryptography), let accessToken else {
      return dependencies.transport
    }
    return DPoPTransport(dependencies, key: key, accessToken: accessToken)
  }
}

extension Cryptography {
  fileprivate func kept(_ jwk: JSONObject) throws(Failure) -> any SigningKey {
    guard let key = try proofKey(jwk) else { throw .caller(.malformedProofKey) }
    return key
  }
}
