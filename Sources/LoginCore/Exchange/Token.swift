/// What the application wanted: an access token and whatever the provider sent along (RFC 6749 section 5.1), or
/// an id_token alone (OpenID Connect Core section 3.2.2.5).
public struct Token: Sendable, Equatable {
  /// The access token; nothing only if the request asked for an id_token alone.
  public let accessToken: AccessToken?
  /// The type of the access token as the provider writes it, such as `Bearer`.
  public let type: String?
  /// When the token expires; nothing if it does not, or if the provider does not say.
  public private(set) var expiresAt: UTCDate?
  /// What was verified.
  public private(set) var checks: Checks
  /// The claims of an id_token that was verified.
  public private(set) var claims: JSONObject?
  /// The private key that the token is bound to, as a JWK: without it the token is of no use (RFC 9449).
  public internal(set) var proofKey: JSONObject?
  /// The scheme under which the provider takes it, where that is not the one of its type.
  var authorizationScheme: String?
  /// All other members, in the provider's order and JSON types.
  public private(set) var members: JSONObject

  /// Members that this package writes itself, whatever a provider sends under these names.
  private static let ownMembers = [
    "access_token", "token_type", "expires_in", "expires_at", "claims", "checks", "dpop_jwk",
  ]

  init(accessToken: AccessToken?, type: String?, expiresAt: UTCDate?, members: JSONObject, checks: Checks) {
    self.accessToken = accessToken
    self.type = type
    self.expiresAt = expiresAt
    self.checks = checks
    self.members = members
    for name in Self.ownMembers { self.members[name] = nil }
  }

  /// Whether the token is no longer good at `now`.
  public func isExpired(at now: UTCDate) -> Bool {
    expiresAt.map { $0 <= now } ?? false
  }

  /// Moves ``expiresAt``: the token is good for `seconds` from `now`, or for ever.
  package mutating func setExpiresIn(_ seconds: Int64?, from now: UTCDate) {
    expiresAt = seconds.flatMap { $0 > 0 ? now.adding(seconds: $0) : nil }
  }

  /// Makes it a token that is no longer good.
  mutating func expire(at now: UTCDate) {
    expiresAt = min(now, expiresAt ?? now)
  }

  /// Makes it one that nothing renews.
  mutating func forgetRefreshToken() { members["refresh_token"] = nil }

  /// Has it renewed by another one from now on.
  mutating func take(_ refreshToken: RefreshToken) {
    members["refresh_token"] = .string(refreshToken.revealed())
  }

  /// What renews it, where the provider has sent that.
  public var refreshToken: RefreshToken? {
    members["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : RefreshToken($0) }
  }

  package var idToken: String? { members["id_token"]?.string }

  /// The token without an id_token that nobody has verified.
  var withoutIDToken: Token {
    var token = self
    token.members["id_token"] = nil
    return token
  }

  /// The token with what `old` has and the answer to a refresh does not repeat.
  func keepingMembers(of old: Token) -> Token {
    var token = self
    for member in old.members where token.members[member.name] == nil {
      token.members[member.name] = member.value
    }
    token.claims = claims ?? old.claims
    token.proofKey = proofKey ?? old.proofKey
    return token
  }

  /// The token with what the verified id_token testifies.
  func with(_ identity: IDToken, repeatsNonce: Bool) -> Token {
    var token = self
    token.members["id_token"] = .string(identity.text)
    token.claims = identity.claims
    token.checks.idToken = true
    token.checks.nonce = repeatsNonce
    return token
  }

  /// The scheme of the `Authorization` header (RFC 6750 section 2.1).
  package var scheme: String { isBound ? "DPoP" : authorizationScheme ?? "Bearer" }

  /// Whether it is only good together with a proof that its holder has a key (RFC 9449 section 5).
  public var isBound: Bool { type?.lowercased() == "dpop" }
}

extension Token: Redacted {
  /// The type and the expiry; nothing else of a token is fit to be seen.
  public var description: String {
    "Token(type: \(type ?? "none"), expiresAt: \(expiresAt.map(\.description) ?? "never"), [redacted])"
  }
}

/// Written to JSON and read back.
extension Token {
  /// The object of the contract; `expires_in` counts from `now`.
  public func json(at now: UTCDate) -> JSONObject {
    var object: JSONObject = [
      "access_token": accessToken.map { .string($0.revealed()) }, "token_type": type.map(JSONValue.string),
      "expires_in": expiresAt.map { .number(JSONNumber(max(0, $0.seconds(since: now)))) },
      "expires_at": expiresAt.map { .string($0.description) },
    ]
    for member in members { object[member.name] = member.value }
    object["dpop_jwk"] = proofKey.map(JSONValue.object)
    object["claims"] = claims.map(JSONValue.object)
    object["checks"] = .object(checks.json)
    return object
  }

  /// Reads what ``json(at:)`` wrote; nothing if that is not a token.
  public init?(json: JSONObject) {
    let accessToken = json["access_token"]?.string
    let type = json["token_type"]?.string
    guard accessToken != "", accessToken == nil ? json["id_token"]?.string != nil : type != nil else {
      return nil
    }
    var expiresAt: UTCDate?
    if let member = json["expires_at"] {
      guard let date = member.string.flatMap({ UTCDate($0) }) else { return nil }
      expiresAt = date
    }
    self.init(
      accessToken: accessToken.map { AccessToken($0) }, type: type, expiresAt: expiresAt, members: json,
      checks: Checks(json: json["checks"]?.object ?? JSONObject()))
    claims = json["claims"]?.object
    proofKey = json["dpop_jwk"]?.object
  }
}
