import LoginCore
import SoupNetwork

/// The token endpoint (RFC 6749 section 3.2), and the userinfo endpoint.
extension DemoServer {
  mutating func exchange(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    let key = try provenKey(of: request, at: .token)
    if key == nil, settings.proof == .required {
      throw OAuthError(.invalidProof, "This provider requires proofs of possession (DPoP).")
    }
    switch parameters["grant_type"] {
    case "authorization_code": return try exchangeCode(parameters, key)
    case "refresh_token": return try refresh(parameters, key)
    case Self.deviceGrant: return try pollDevice(parameters, key)
    case nil: throw OAuthError(.invalidRequest, "There is no grant_type.")
    default: throw OAuthError(.unsupportedGrantType, "This grant_type is not supported.")
    }
  }

  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  /// Refuses other clients, and wrong secrets. A public client only names itself (RFC 6749 section 2.3).
  func checkClient(_ request: HTTPServerRequest, _ parameters: ParameterList) throws(OAuthError) {
    try OAuthError.refuseRepeated(in: parameters)
    let (client, named) = (settings.client, DemoClient(request, parameters))
    guard named?.identifier.isIdentical(to: client.identifier) == true else {
      throw OAuthError(.invalidClient, "No application with this client_id is registered here.")
    }
    if client.secret == nil, named?.secret != nil {
      throw OAuthError(.invalidClient, "This client is public and has no secret.")
    }
    guard client.secret.map({ named?.secret?.isIdentical(to: $0) == true }) ?? true else {
      throw OAuthError(.invalidClient, "The client_secret is wrong.")
    }
  }

  private mutating func exchangeCode(
    _ parameters: ParameterList, _ thumbprint: String?
  ) throws(OAuthError) -> HTTPServerResponse {
    guard let code = parameters["code"] else { throw OAuthError(.invalidRequest, "There is no code.") }
    let now = clock.now()
    guard let issued = codes.take(code, at: now) else {
      endSignIn(of: code, at: now)
      throw OAuthError(.invalidGrant, "This code is unknown, was used, or its time has passed.")
    }
    guard parameters["redirect_uri"]?.isIdentical(to: issued.redirectURI) == true else {
      throw OAuthError(.invalidGrant, "The redirect_uri is not that of the authorization request.")
    }
    guard let verifier = parameters["code_verifier"], CodeVerifier(verifier).isWellFormed,
      Base64.encodeURLSafe(try mint.digest(verifier)).isIdentical(to: issued.challenge)
    else {
      throw OAuthError(.invalidGrant, "The code_verifier does not belong to the code_challenge.")
    }
    if let bound = issued.thumbprint, thumbprint?.isIdentical(to: bound) != true {
      throw OAuthError(.invalidGrant, "The code is bound to another key.")
    }
    var grant = issued.grant
    grant.signIn = try mint.secret()
    usedSecrets.insert(grant.signIn, for: code, until: now.later(RefreshGrant.life), now: now)
    return try tokenAnswer(for: grant, thumbprint)
  }

  /// Revokes all tokens of a sign-in whose code or refresh token is used a second time (RFC 6749 section 4.1.2, RFC 9700
  /// section 4.14.2). Returns false if it was not used before.
  @discardableResult
  private mutating func endSignIn(of used: String, at now: UTCDate) -> Bool {
    guard let signIn = usedSecrets.value(for: used, at: now) else { return false }
    log.reuses += 1
    refreshTokens.removeAll { $0.signIn == signIn }
    accessTokens.removeAll { $0.signIn == signIn }
    return true
  }

  /// Returns new tokens for a refresh token (RFC 6749 section 6).
  private mutating func refresh(
    _ parameters: ParameterList, _ thumbprint: String?
  ) throws(OAuthError) -> HTTPServerResponse {
    guard let token = parameters["refresh_token"] else {
      throw OAuthError(.invalidRequest, "There is no refresh_token.")
    }
    let now = clock.now()
    if endSignIn(of: token, at: now) {
      throw OAuthError(
        .invalidGrant, "This refresh token was replaced. It was used again, so its sign-in has ended.")
    }
    guard refreshes != .refused, let kept = refreshTokens.value(for: token, at: now) else {
      throw OAuthError(.invalidGrant, "This refresh token is unknown, was revoked, or its time has passed.")
    }
    // RFC 9449 section 5: the refresh tokens of a public client are bound to its key.
    if let bound = kept.grant.thumbprint, thumbprint?.isIdentical(to: bound) != true {
      throw OAuthError(.invalidGrant, "The refresh token is bound to another key.")
    }
    var grant = kept.grant
    if let text = parameters["scope"] {
      grant.scope = try DemoScope.list(text).filter(kept.grant.scope.contains)
      if grant.scope.isEmpty { throw OAuthError(.invalidScope, "The user has not granted this scope.") }
    }
    log.refreshes += 1
    if refreshes == .kept {
      return try tokenAnswer(for: grant, grant.thumbprint, keeping: token, isRefresh: true)
    }
    _ = refreshTokens.take(token, at: now)
    usedSecrets.insert(kept.signIn, for: token, until: now.later(RefreshGrant.life), now: now)
    return try tokenAnswer(for: grant, grant.thumbprint, isRefresh: true)
  }

  /// The handling of refresh tokens.
  private var refreshes: DemoSettings.Refresh {
    settings.faults.isOn(.refreshRotates) ? .replaced : settings.refresh
  }

  /// The lifetime of access tokens and id_tokens, in seconds.
  var life: Int64 { settings.faults[.shortLife] ?? settings.life }

  /// Returns the tokens for a grant, bound to the key with this thumbprint. `kept` is a refresh token that stays valid.
  mutating func tokenAnswer(
    for granted: Grant, _ thumbprint: String?, keeping kept: String? = nil, isRefresh: Bool = false
  ) throws(OAuthError) -> HTTPServerResponse {
    let now = clock.now()
    var grant = granted
    grant.thumbprint = thumbprint
    if isRefresh || log.signIns > 0, meets(.otherUser) { grant.session = try session(of: "mallory") }
    if !isRefresh { log.signIns += 1 }
    if meets(.scopeReduced) { grant.scope = Array(grant.scope.prefix(1)) }
    if grant.signIn.isEmpty { grant.signIn = try mint.secret() }
    let accessToken = try newAccessToken(for: grant, now: now)
    var answer: JSONObject = [
      "access_token": .string(accessToken), "token_type": thumbprint == nil ? "Bearer" : "DPoP",
      "expires_in": .number(JSONNumber(life)), "scope": .string(grant.scope.text),
    ]
    if grant.scope.contains(.openid) {
      answer["id_token"] = .string(try idToken(for: grant, accessToken: accessToken, now: now))
    }
    if kept == nil, refreshes != .refused, isRefresh || !meets(.noRefreshToken) {
      let secret = try mint.secret()
      grant.nonce = nil  // OpenID Connect Core section 12.2
      refreshTokens.insert(
        RefreshGrant(grant: grant), for: secret, until: now.later(RefreshGrant.life), now: now)
      answer["refresh_token"] = .string(secret)
    }
    return .json(answer)
  }

  /// Forgets a token (RFC 7009). An unknown token is no error (section 2.2).
  mutating func revoke(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    guard let token = parameters["token"] else { throw OAuthError(.invalidRequest, "There is no token.") }
    let now = clock.now()
    if let kept = refreshTokens.take(token, at: now) {
      accessTokens.removeAll { $0.signIn == kept.signIn }
    }
    _ = accessTokens.take(token, at: now)
    return HTTPServerResponse(status: 200)
  }

  mutating func newAccessToken(for grant: Grant, now: UTCDate) throws(OAuthError) -> String {
    let secret = try mint.secret()
    accessTokens.insert(grant, for: secret, until: now.later(life), now: now)
    return secret
  }

  /// Answers a userinfo request (OpenID Connect Core section 5.3).
  mutating func userinfo(_ request: HTTPServerRequest) throws(OAuthError) -> HTTPServerResponse {
    let grant = try self.grant(of: request, at: .userinfo)
    return .json(grant.session.user.claims(for: grant.scope))
  }
}

/// A user who has signed in.
struct Session: Sendable {
  let user: DemoUser
  let signedInAt: UTCDate
}

/// The access that a user has granted.
struct Grant: Sendable {
  var session: Session
  var scope: [DemoScope]
  /// The nonce of the request, for the id_token.
  var nonce: String?
  /// The thumbprint of the key that the tokens are bound to.
  var thumbprint: String?
  /// A name that all tokens of one sign-in share.
  var signIn = ""
}

/// The grant of a refresh token.
struct RefreshGrant: Sendable {
  let grant: Grant
  var signIn: String { grant.signIn }

  /// The lifetime in seconds: a day.
  static let life: Int64 = 86_400
}

/// A grant that waits for its code, and what the code is bound to (RFC 6749 section 4.1.2, RFC 7636 section 4.4).
struct IssuedCode: Sendable {
  let grant: Grant
  let redirectURI: String
  let challenge: String
  /// The key that the client named in its request.
  var thumbprint: String?
}

/// Makes secrets and signed tokens.
struct Mint: Sendable {
  let issuer: String
  var signer: any SigningKey
  let cryptography: any Cryptography

  /// 256 random bits.
  func secret() throws(OAuthError) -> String {
    Base64.encodeURLSafe(try bytes(32))
  }

  /// A code that people can read from one screen and type into another: eight consonants, which spell no words (RFC 8628
  /// section 6.1).
  func userCode() throws(OAuthError) -> String {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    var code: [UInt8] = []
    while code.count < 8 {
      // 240 is a multiple of 20, so all letters are equally likely.
      for byte in try bytes(8) where byte < 240 && code.count < 8 { code.append(letters[Int(byte) % 20]) }
    }
    return String(decoding: code[..<4], as: UTF8.self) + "-" + String(decoding: code[4...], as: UTF8.self)
  }

  private func bytes(_ count: Int) throws(OAuthError) -> [UInt8] {
    do throws(Failure) {
      return try cryptography.randomBytes(count)
    } catch {
      throw OAuthError(.serverError, "There are no random bytes.")
    }
  }

  func digest(_ text: String) throws(OAuthError) -> [UInt8] {
    do throws(Failure) {
      return try cryptography.digest(.sha256, of: Array(text.utf8))
    } catch {
      throw OAuthError(.serverError, "There is no digest.")
    }
  }

  /// Returns the claims of an ID token (OpenID Connect Core section 2), with the hashes of the access token and the code that
  /// are sent with it (sections 3.2.2.10 and 3.3.2.11).
  func claims(
    of grant: Grant, for client: DemoClient, life: Int64, accessToken: String?, code: String?, now: UTCDate
  ) throws(OAuthError) -> JSONObject {
    func hash(_ secret: String?) throws(OAuthError) -> JSONValue? {
      try secret.map { text throws(OAuthError) in
        .string(Base64.encodeURLSafe(try digest(text).prefix(16)))
      }
    }
    return [
      "iss": .string(issuer), "sub": .string(grant.session.user.subject),
      "aud": .string(client.identifier),
      "exp": .number(JSONNumber(now.secondsSince1970 + life)),
      "iat": .number(JSONNumber(now.secondsSince1970)),
      "auth_time": .number(JSONNumber(grant.session.signedInAt.secondsSince1970)),
      "at_hash": try hash(accessToken), "c_hash": try hash(code), "nonce": grant.nonce.map(JSONValue.string),
    ]
  }

  /// Signs an ID token.
  func sign(_ claims: JSONObject) throws(OAuthError) -> String {
    let header: JSONObject = [
      "alg": .string(signer.algorithm.rawValue), "typ": "JWT", "kid": signer.publicKey["kid"],
    ]
    let input = [header, claims].map { Base64.encodeURLSafe($0.text.utf8) }.joined(separator: ".")
    do throws(Failure) {
      return input + "." + Base64.encodeURLSafe(try signer.sign(Array(input.utf8)))
    } catch {
      throw OAuthError(.serverError, "There is no signature.")
    }
  }
}
