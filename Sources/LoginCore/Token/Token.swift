/// An access token with everything that the provider sent along (RFC 6749 section 5.1), or an id_token alone (OpenID
/// Connect Core section 3.2.2.5).
public struct Token: Sendable, Equatable {
  /// The access token, or nil if the request asked only for an id_token.
  public let accessToken: AccessToken?
  /// The type of the access token as the provider writes it, such as `Bearer`.
  public let type: String?
  /// The time at which the token expires, or nil if it does not or the provider does not say.
  public private(set) var expiresAt: UTCDate?
  /// The checks that the token has passed.
  package private(set) var checks: Checks
  /// The claims of the id_token, if it was verified.
  public private(set) var claims: JSONObject?
  /// The private key that the token is bound to, as a JWK. The token is useless without it (RFC 9449).
  public internal(set) var proofKey: JSONObject?
  /// The authorization scheme that the provider wants, if it is not that of the token's type.
  var authorizationScheme: String?
  /// All other members, in the provider's order and JSON types.
  package private(set) var allMembers: JSONObject
  /// All other members without secrets, in the provider's order and JSON types. See ``refreshToken`` and ``idToken``.
  public var members: JSONObject {
    var open = allMembers
    (open["refresh_token"], open["id_token"]) = (nil, nil)
    return open
  }

  /// Members that this package writes itself. A provider cannot set them.
  private static let ownMembers = [
    "access_token", "token_type", "expires_in", "expires_at", "claims", "checks", "dpop_jwk",
  ]

  /// Parameters of an answer that belong to the exchange and not to the token.
  static let neverPassedOn = ["state", "code", "iss", "response"]

  init(accessToken: AccessToken?, type: String?, expiresAt: UTCDate?, members: JSONObject, checks: Checks) {
    self.accessToken = accessToken
    self.type = type
    self.expiresAt = expiresAt
    self.checks = checks
    self.allMembers = members
    for name in Self.ownMembers { self.allMembers[name] = nil }
    // An id_token that is not verified may be any text, and is printed as one line.
    if idToken.map(Self.isLine) == false { self.allMembers["id_token"] = nil }
  }

  /// True if the token has expired at `now`.
  public func isExpired(at now: UTCDate) -> Bool {
    expiresAt.map { $0 <= now } ?? false
  }

  /// True for a text that can be sent to servers and printed as a line.
  static func isLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: \.isControl) }

  /// True if the token is only accepted with a proof that its holder has the key (RFC 9449 section 5).
  package var isBound: Bool { type?.lowercased() == "dpop" }

  /// The scheme of the `Authorization` header (RFC 6750 section 2.1).
  package var scheme: String { isBound ? "DPoP" : authorizationScheme ?? "Bearer" }

  /// The refresh token, if the provider sent one.
  public var refreshToken: RefreshToken? {
    allMembers["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : RefreshToken($0) }
  }

  /// The id_token as the provider sent it, if it was verified or its preset calls it opaque. Its claims are in ``claims``.
  public var idToken: String? { allMembers["id_token"]?.string }

  /// The identifier of the user at the provider, if the token came with a verified id_token (`sub`).
  public var subject: String? { claims?["sub"]?.string }

  /// The time at which the id_token expires, which is not that of the access token. nil without a verified id_token.
  package var endOfIdentity: UTCDate? {
    claims?["exp"]?.truncated.flatMap { UTCDate(secondsSince1970: $0) }
  }

  /// The granted scope. nil if the provider granted the requested scope and does not repeat it (RFC 6749 section 5.1).
  public var scope: String? { allMembers["scope"]?.string }

  /// Sets ``expiresAt`` to `seconds` from `now`, or to nil for a token that does not expire.
  mutating func setExpiresIn(_ seconds: Int64?, from now: UTCDate) {
    expiresAt = seconds.flatMap { $0 > 0 ? now.adding(seconds: $0) : nil }
  }

  /// Makes the token expire at `now` at the latest.
  mutating func expire(at now: UTCDate) {
    expiresAt = min(now, expiresAt ?? now)
  }

  mutating func forgetRefreshToken() { allMembers["refresh_token"] = nil }

  /// Replaces the refresh token.
  mutating func take(_ refreshToken: RefreshToken) {
    allMembers["refresh_token"] = .string(refreshToken.revealed())
  }

  /// Returns the token without its id_token, which has not been verified.
  var withoutIDToken: Token {
    var token = self
    token.allMembers["id_token"] = nil
    return token
  }

  /// Returns the token with its verified id_token.
  func with(_ identity: IDToken, repeatsNonce: Bool) -> Token {
    var token = self
    token.allMembers["id_token"] = .string(identity.text)
    token.claims = identity.claims
    token.checks.idToken = true
    token.checks.nonce = repeatsNonce
    return token
  }

  /// Returns the refreshed token with the members of `old` that the refresh did not repeat.
  func keepingMembers(of old: Token) -> Token {
    var token = self
    for member in old.allMembers where token.allMembers[member.name] == nil {
      token.allMembers[member.name] = member.value
    }
    token.claims = claims ?? old.claims
    token.proofKey = proofKey ?? old.proofKey
    return token
  }

  /// Returns the parameters of the callback that a refresh repeats, as far as the token has them.
  package func repeatedParameters(for login: LoginRequest) -> [Parameter] {
    login.provider.callbackParameters.compactMap { name in
      allMembers[name]?.string.map { Parameter(name, $0) }
    }
  }
}

extension Token: Redacted {
  /// The type and the expiry. Everything else in a token is secret.
  public var description: String {
    "Token(type: \(type ?? "none"), expiresAt: \(expiresAt.map(\.description) ?? "never"), [redacted])"
  }
}

/// The lifetime of a token as providers write it.
extension Token {
  /// Reads a number of seconds, whole or with a fraction. Returns nil for other texts, and the largest number for one
  /// that is too long, which means that the token does not expire.
  static func seconds(_ text: String) -> Int64? {
    let parts = text.parts(at: ".")
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
      return nil
    }
    let hasFraction = parts.count == 2 && parts[1].utf8.contains { $0 != UInt8(ascii: "0") }
    let whole = Int64(parts[0]) ?? .max
    return whole == 0 && hasFraction ? 1 : whole  // 0 would mean that the token does not expire
  }

  /// Reads a number, or a string with the digits of one.
  static func seconds(_ value: JSONValue) -> Int64? {
    switch value {
    case .number(let number) where number.literal.utf8.first == UInt8(ascii: "-"): nil
    // 0 would mean that the token does not expire.
    case .number(let number): number.isZero ? 0 : max(1, number.truncated ?? .max)
    case .string(let text): seconds(text)
    default: nil
    }
  }
}

/// The token as JSON. It is read and written by hand: members depend on each other (RFC 6749 section 5.1), `expires_in` is
/// only written, and all others stay in the provider's order.
extension Token {
  /// Returns the token as the command line prints and keeps it. `expires_in` counts from `now`.
  package func json(at now: UTCDate) -> JSONObject {
    var object: JSONObject = [
      "access_token": accessToken.map { .string($0.revealed()) }, "token_type": type.map(JSONValue.string),
      "expires_in": expiresAt.map { .number(JSONNumber(max(0, $0.seconds(since: now)))) },
      "expires_at": expiresAt.map { .string($0.description) },
    ]
    for member in allMembers { object[member.name] = member.value }
    object["dpop_jwk"] = proofKey.map(JSONValue.object)
    object["claims"] = claims.map(JSONValue.object)
    object["checks"] = .object(checks.json)
    return object
  }

  /// Reads ``json(at:)``. Returns nil if the object is not a token.
  package init?(json: JSONObject) {
    let accessToken = json["access_token"]?.string
    let type = json["token_type"]?.string
    guard accessToken != "", accessToken == nil ? json["id_token"]?.string != nil : type != nil,
      [accessToken, type].compactMap(\.self).allSatisfy(Self.isLine)
    else { return nil }
    var expiresAt: UTCDate?
    if let member = json["expires_at"] {
      guard let date = member.string.flatMap({ UTCDate($0) }) else { return nil }
      expiresAt = date
    }
    self.init(
      accessToken: accessToken.map { AccessToken($0) }, type: type, expiresAt: expiresAt, members: json,
      checks: json["checks"]?.object.flatMap(Checks.init(lenient:)) ?? Checks())
    claims = json["claims"]?.object
    proofKey = json["dpop_jwk"]?.object
  }
}

/// The checks that a token has passed. A check that did not apply is absent.
package struct Checks: Sendable, Equatable, MemberCoded {
  /// The redirect URI that the callback matched.
  package var redirect: RedirectCheck?
  /// True if the callback repeated the state.
  package var state = false
  /// The method by which the code was bound to the request, if the provider accepted the verifier.
  package var pkce: CodeChallengeMethod?
  /// True if the callback named the issuer.
  package var issuer = false
  /// True if the id_token was verified.
  package var idToken = false
  /// True if the id_token repeated the nonce.
  package var nonce = false

  /// No check yet.
  package init() {}

  package mutating func code(_ coder: inout MemberCoder) {
    coder.value("redirect", &redirect, .choice(of: [.exact, .alias]))
    coder.value("state", &state, else: false, .word("verified", of: ["verified"]))
    coder.value("pkce", &pkce, .choice())
    coder.value("iss", &issuer, else: false, .word("verified", of: ["verified"]))
    coder.value("id_token", &idToken, else: false, .word("verified", of: ["verified"]))
    coder.value("nonce", &nonce, else: false, .word("verified", of: ["verified"]))
  }
}

extension Failure {
  /// An answer without what makes it a token: the names of everything that is missing.
  package static func missingToken(_ names: [String]) -> Failure {
    Failure(
      .missingToken, "the answer lacks \(names.verbatim.list)",
      details: names.isEmpty ? [:] : ["missing": .array(names.map(JSONValue.string))])
  }

  /// A token of a type that would be misused (RFC 6749 section 7.1).
  static func unsupportedTokenType(_ type: String) -> Failure {
    Failure(.unsupportedTokenType, "tokens of the type \"\(type, upTo: 60)\" are not supported")
  }
}
