/// Verifies the id_token that came with a token, with the keys that the provider publishes (OpenID Connect Core section
/// 3.1.3.7).
struct IDTokenCheck {
  private let verifier: IDTokenVerifier
  private let keys: ProviderKeys

  /// Returns nil if id_tokens cannot be verified: the preset says so, or issuer or keys are unknown.
  init?(of login: LoginRequest, _ dependencies: Dependencies) {
    let provider = login.provider
    guard !provider.hasOpaqueIDToken, let issuer = provider.issuer, let keySet = provider.endpoints[.keySet]
    else { return nil }
    var verifier = IDTokenVerifier(
      issuer: issuer, clientID: login.clientID, clientSecret: login.clientSecret,
      algorithms: SignatureAlgorithm.allowed(byProvider: provider.idTokenAlgorithms),
      cryptography: dependencies.cryptography)
    verifier.issuers = provider.idTokenIssuer
    self.verifier = verifier
    keys = ProviderKeys(endpoint: keySet, transport: dependencies.transport)
  }

  /// Returns the id_token that came with a login, or throws if it must not be believed.
  func verified(_ text: String, _ binding: IDTokenBinding, at now: UTCDate) async throws(Failure) -> IDToken {
    try await verified(text) { keys throws(Failure) in
      try verifier.verify(text, keys: keys, binding: binding, at: now)
    }
  }

  /// Returns the id_token that came with a refreshed access token, or throws if it must not be believed.
  func verifiedRefreshed(
    _ text: String, original: JSONObject?, accessToken: AccessToken?, maxAge: Int?, at now: UTCDate
  ) async throws(Failure) -> IDToken {
    try await verified(text) { keys throws(Failure) in
      try verifier.verifyRefreshed(
        text, keys: keys, original: original, accessToken: accessToken, maxAge: maxAge, at: now)
    }
  }

  /// Returns an id_token of the client that a request shows again, or throws if the provider did not issue it.
  func verifiedHint(_ text: String, at now: UTCDate) async throws(Failure) -> IDToken {
    try await verified(text) { keys throws(Failure) in
      try verifier.verifyHint(text, keys: keys, at: now)
    }
  }

  /// If the client secret is the key, no key set is read: a provider that only signs with secrets may not publish one.
  private func verified(
    _ text: String, _ verify: (JWKSet) throws(Failure) -> IDToken
  ) async throws(Failure) -> IDToken {
    guard try verifier.needsKeys(for: text) else { return try verify(JWKSet()) }
    return try await keys.verified(verify) { keys throws(Failure) in
      try verifier.lacksKey(for: text, in: keys)
    }
  }
}

/// The keys that a provider publishes, read when there is a signature to verify.
struct ProviderKeys {
  let endpoint: Endpoint
  let transport: any HTTPTransport

  /// Reads the keys, with which `verify` judges a signature. A key set that `lacks` the signing key is read again, once, and
  /// so is a remembered one in which a key may have been replaced.
  func verified<Value>(
    _ verify: (JWKSet) throws(Failure) -> Value, lacks: (JWKSet) throws(Failure) -> Bool
  ) async throws(Failure) -> Value {
    let (keys, isRemembered) = try await read(.allowed)
    if !(try lacks(keys)) {
      do throws(Failure) { return try verify(keys) } catch { if !isRemembered { throw error } }
    }
    let (newer, _) = try await read(.renewed)
    return try verify(newer)
  }

  private func read(
    _ recall: HTTPRequest.Recall
  ) async throws(Failure) -> (keys: JWKSet, isRemembered: Bool) {
    let response = try await transport.send(HTTPRequest(get: endpoint).recalling(recall))
    guard response.status == 200 else { throw .status(response.status, from: .keySet) }
    return (try JWKSet(body: response.body), response.isRemembered)
  }
}

extension LoginRequest {
  /// Returns the claims of an id_token of this client, which may have expired.
  package func claims(ofHint text: String, _ dependencies: Dependencies) async throws(Failure) -> TokenClaims
  {
    let login = try await completed(needing: [.keySet], through: dependencies.transport)
    guard let check = IDTokenCheck(of: login, dependencies) else { throw .unverifiableIDToken }
    return TokenClaims(members: try await check.verifiedHint(text, at: dependencies.clock.now()).claims)
  }
}

extension Token {
  /// Returns the token with its verified id_token (OpenID Connect Core sections 3.1.3.7 and 3.3.3.6): the last step
  /// of every login at which a user signs in.
  ///
  /// An id_token that was asked for has to be in the answer or, as `earlier`, in the callback. One that cannot be
  /// verified is dropped unless the preset says otherwise.
  func identified(
    for login: LoginRequest, by check: IDTokenCheck?, nonce: Nonce? = nil, as earlier: IDToken? = nil,
    clock: any WallClock
  ) async throws(Failure) -> Token {
    guard let text = idToken else {
      if let earlier { return with(earlier, repeatsNonce: nonce != nil) }
      if login.asksForIDToken { throw .missingToken(["id_token"]) }
      return self
    }
    guard let check else { return login.provider.hasOpaqueIDToken ? self : withoutIDToken }
    let binding = IDTokenBinding(
      channel: .back, nonce: nonce, accessToken: accessToken, maxAge: login.maxAge,
      contexts: login.authenticationContexts)
    let identity = try await check.verified(text, binding, at: clock.now())
    if let earlier, !identity.hasSameSubject(as: earlier) {
      throw .invalidIDToken("it is about another user than the one in the callback")
    }
    return with(identity, repeatsNonce: nonce != nil)
  }
}
