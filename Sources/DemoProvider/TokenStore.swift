import LoginCore

/// What a person has granted to the application.
struct Grant: Sendable {
  let user: DemoUser
  var scope: [DemoScope]
  let signedInAt: UTCDate
  /// Repeated in the first id_token.
  var nonce: String?
  /// What was issued for one login lives and dies together.
  let family: Int
}

/// A code and what it was bound to (RFC 6749 section 4.1.2, RFC 7636 section 4.4).
struct IssuedCode: Sendable {
  let grant: Grant
  let redirectURI: String
  let challenge: String
  fileprivate(set) var isUsed = false

  init(grant: Grant, redirectURI: String, challenge: String) {
    self.grant = grant
    self.redirectURI = redirectURI
    self.challenge = challenge
  }
}

/// The codes and tokens that are out there.
struct TokenStore: Sendable {
  /// Codes are exchanged at once (RFC 6749 section 4.1.2 allows ten minutes at most).
  static let codeLife: Int64 = 60
  static let accessTokenLife: Int64 = 3_600
  static let refreshTokenLife: Int64 = 30 * 86_400

  private struct RefreshToken: Sendable {
    let grant: Grant
    var isUsed = false
  }

  private var codes = ExpiringTable<IssuedCode>(capacity: 1_000)
  private var accessTokens = ExpiringTable<Grant>(capacity: 10_000)
  private var refreshTokens = ExpiringTable<RefreshToken>(capacity: 10_000)
  private var endedFamilies: Set<Int> = []
  private var familyCount = 0

  /// The number of a new login.
  mutating func newFamily() -> Int {
    familyCount += 1
    return familyCount
  }

  mutating func add(code: IssuedCode, as secret: String, now: UTCDate) {
    codes.insert(code, for: secret, until: now.later(Self.codeLife), now: now)
  }

  mutating func add(accessToken: String, for grant: Grant, now: UTCDate) {
    accessTokens.insert(grant, for: accessToken, until: now.later(Self.accessTokenLife), now: now)
  }

  mutating func add(refreshToken: String, for grant: Grant, now: UTCDate) {
    refreshTokens.insert(
      RefreshToken(grant: grant), for: refreshToken, until: now.later(Self.refreshTokenLife), now: now)
  }

  /// The code, once: whoever brings it again ends what was issued for it (RFC 6749 section 4.1.2).
  mutating func use(code: String, now: UTCDate) throws(OAuthError) -> IssuedCode {
    guard let issued = codes.value(for: code, at: now) else {
      throw OAuthError(.invalidGrant, "This code is unknown, or its time has passed.")
    }
    if issued.isUsed {
      endedFamilies.insert(issued.grant.family)
      throw OAuthError(.invalidGrant, "This code was used before.")
    }
    codes.update(code) { $0.isUsed = true }
    return issued
  }

  /// The grant behind a refresh token, once: a second use means that somebody else has it (RFC 9700 section
  /// 4.14.2).
  mutating func use(refreshToken: String, now: UTCDate) throws(OAuthError) -> Grant {
    guard let known = refreshTokens.value(for: refreshToken, at: now), isAlive(known.grant) else {
      throw OAuthError(.invalidGrant, "This refresh token is unknown, revoked, or its time has passed.")
    }
    if known.isUsed {
      endedFamilies.insert(known.grant.family)
      throw OAuthError(.invalidGrant, "This refresh token was replaced by another.")
    }
    refreshTokens.update(refreshToken) { $0.isUsed = true }
    return known.grant
  }

  /// What an access token is good for.
  func grant(accessToken: String, now: UTCDate) -> Grant? {
    accessTokens.value(for: accessToken, at: now).flatMap { isAlive($0) ? $0 : nil }
  }

  /// Ends a token; with a refresh token also those that were issued with it (RFC 7009 section 2.1).
  mutating func revoke(_ token: String, now: UTCDate) {
    if let refreshed = refreshTokens.take(token, at: now) { endedFamilies.insert(refreshed.grant.family) }
    _ = accessTokens.take(token, at: now)
  }

  private func isAlive(_ grant: Grant) -> Bool { !endedFamilies.contains(grant.family) }
}

extension UTCDate {
  /// So many seconds later. No clock that this meets is near the end of the year 9999.
  func later(_ seconds: Int64) -> UTCDate { adding(seconds: seconds) ?? self }
}
