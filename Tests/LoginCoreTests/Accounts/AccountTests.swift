import Testing

@testable import LoginCore

@Suite("Account")
struct AccountTests {
  /// An account whose request and token have everything that they can have.
  static func complete() throws -> Account {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token?x=1")
    provider.tokenParameters = [Parameter("audience", "{tenant}")]
    var login = try Samples.login(provider)
    login.clientSecret = ClientSecret("s3cret")
    login.clientAuthentication = .post
    login.redirectAliases = [try RedirectURI("https://app.test/other")]
    login.grant = .device
    login.responseMode = .fragment
    login.scope = "openid mail"
    login.parameters = [
      Parameter("resource", "https://a.test"), Parameter("resource", "https://b.test"),
      Parameter("login_hint", "ann"),
    ]
    login.omitsState = true
    let token = try #require(
      Token(
        json: [
          "access_token": "T", "token_type": "bearer", "expires_at": "2026-11-21T08:14:00Z",
          "refresh_token": "R", "scope": "mail", "user_id": .number(JSONNumber(literal: "1.10")),
          "claims": ["sub": "u"], "checks": ["state": "verified"],
        ]))
    let name = try #require(AccountName("work"))
    var account = Account(
      name, provider: "mine", login: login, token: token, receivedAt: try Samples.receivedAt())
    account.extra = ["session": "cookies"]
    account.hasRegisteredClient = true
    return account
  }

  @Test("The values and the key of a single login are not kept with the request")
  func singleLogin() throws {
    let complete = try Self.complete()
    #expect(complete.login.fixed.state == nil)
    var login = complete.login
    login.proofKey = FakeSigningKey(algorithm: .es256)
    let account = Account(
      complete.name, login: login, token: complete.token, receivedAt: complete.receivedAt)
    #expect(account.login.proofKey == nil)
  }

  // RFC 6749 section 6 and OpenID Connect Core section 12.2.
  @Test("A refresh keeps the members that it does not repeat, and drops an unverified id_token")
  func renewal() throws {
    let answer = try #require(
      Token(json: ["access_token": "N", "token_type": "Bearer", "refresh_token": "R2", "id_token": "fresh"]))
    let later = try #require(try Samples.receivedAt().adding(seconds: 3_600))
    let renewed = try Self.complete().renewed(with: answer, receivedAt: later)
    #expect(renewed.receivedAt == later)
    #expect(renewed.token.accessToken == AccessToken("N"))
    #expect(renewed.token.allMembers["refresh_token"] == "R2")
    #expect(renewed.token.allMembers["scope"] == "mail")
    #expect(renewed.token.allMembers["id_token"] == nil)
    #expect(renewed.token.claims == ["sub": "u"])
    #expect(renewed.token.expiresAt == nil, "the expiry of the old token does not hold for the new one")
  }

  @Test("A refresh keeps an opaque id_token as it comes")
  func opaque() throws {
    var account = try Self.complete()
    account.login.provider.hasOpaqueIDToken = true
    let answer = try #require(
      Token(json: ["access_token": "N", "token_type": "Bearer", "id_token": "fresh"]))
    let token = account.renewed(with: answer, receivedAt: try Samples.receivedAt()).token
    #expect(token.allMembers["id_token"] == "fresh")
  }

  @Test("The key of a bound token is kept in the document and after a refresh")
  func proofKey() throws {
    let complete = try Self.complete()
    let bound = try #require(
      Token(json: ["access_token": "T", "token_type": "DPoP", "dpop_jwk": ["kty": "EC", "d": "private"]]))
    let account = complete.loggedIn(by: complete.login, with: bound, receivedAt: complete.receivedAt)
    let again = try Account(document: account.document, of: account.name)
    #expect(again.token.proofKey == ["kty": "EC", "d": "private"])
    let answer = try #require(Token(json: ["access_token": "N", "token_type": "DPoP"]))
    let renewed = again.renewed(with: answer, receivedAt: complete.receivedAt)
    #expect(renewed.token.proofKey == ["kty": "EC", "d": "private"])
  }

  @Test("After signing out, the account needs another login")
  func signedOut() throws {
    let account = try Self.complete()
    let signedOut = account.signedOut(at: account.receivedAt)
    #expect(account.refreshToken != nil && signedOut.refreshToken == nil)
    #expect(signedOut.freshness(at: account.receivedAt, forAtLeast: 0) == .needsLogin)
  }

  @Test(
    "Another login helps if it asks for more than the last one, or if that one is too long ago",
    arguments: [
      (.scope("c"), 0, true), (.scope("b c"), 0, true), (.scope("b"), 99, false), (.scope("b a"), 99, false),
      (.authentication(contexts: "gold", maxAge: "9"), 8, false),
      (.authentication(contexts: "gold", maxAge: "9"), 9, true),
      (.authentication(contexts: "gold", maxAge: "5"), 0, true),
      (.authentication(contexts: "iron", maxAge: "9"), 0, true),
      (.authentication(contexts: "gold", maxAge: nil), 99, false),
    ] as [(StepUp, Int64, Bool)])
  func mayBring(stepUp: StepUp, age: Int64, helps: Bool) throws {
    var account = try Samples.account(
      at: Samples.code(), token: ["access_token": "T", "token_type": "Bearer"], life: nil)
    account.login.scope = "a b"
    account.login.parameters = [Parameter("acr_values", "gold"), Parameter("max_age", "9")]
    let now = try #require(account.receivedAt.adding(seconds: age))
    #expect(account.mayBring(stepUp, at: now) == helps)
    account.login.parameters = [Parameter("max_age", "0")]
    #expect(
      !account.mayBring(.authentication(contexts: nil, maxAge: "0"), at: now), "no login is recent enough")
  }
}

@Suite("Freshness")
struct FreshnessTests {
  /// A token that was received at second 0 and expires at second `end`.
  struct Row: Sendable, CustomTestStringConvertible {
    let end: Int64?
    let now: Int64
    let wanted: Int64
    let isGood: Bool
    let testDescription: String

    init(_ description: String, end: Int64? = 3_600, now: Int64, wanted: Int64 = 60, isGood: Bool) {
      testDescription = description
      self.end = end
      self.now = now
      self.wanted = wanted
      self.isGood = isGood
    }
  }

  static let rows: [Row] = [
    Row("new", now: 0, isGood: true),
    Row("just long enough", now: 3_540, isGood: true),
    Row("a second too short", now: 3_541, isGood: false),
    Row("expired", now: 3_601, isGood: false),
    Row("expired years ago, as after a flat battery", now: 1_000_000_000, isGood: false),
    Row("no life is demanded", now: 3_599, wanted: 0, isGood: true),
    Row("no life is demanded, but the token has just expired", now: 3_600, wanted: 0, isGood: false),
    Row("more is demanded than the whole life", now: 0, wanted: 3_601, isGood: false),
    Row("the largest number is demanded", now: 0, wanted: .max, isGood: false),
    Row("without an expiry", end: nil, now: 1_000_000_000, isGood: true),
    Row("without an expiry, and the clock was set back", end: nil, now: -1_000_000, isGood: true),
    Row("the clock was set back by seconds", now: -30, isGood: true),
    Row("the clock was set back by more", now: -31, isGood: false),
    Row("the clock was set back by years", now: -1_000_000_000, isGood: false),
  ]

  private func account(end: Int64?, refreshToken: String?, hasEndpoint: Bool = true) throws -> Account {
    var provider = try Samples.code()
    if hasEndpoint { provider.endpoints[.token] = try Endpoint("https://as.test/token") }
    var json: JSONObject = ["access_token": "T", "token_type": "Bearer"]
    json["refresh_token"] = refreshToken.map(JSONValue.string)
    return try Samples.account(at: provider, token: json, life: end)
  }

  @Test(
    "A token that is not good needs a refresh or, without refresh token or endpoint, a login",
    arguments: rows)
  func freshness(row: Row) throws {
    let now = try #require(try Samples.receivedAt().adding(seconds: row.now))
    func freshness(_ account: Account) -> Freshness { account.freshness(at: now, forAtLeast: row.wanted) }
    #expect(freshness(try account(end: row.end, refreshToken: "R")) == (row.isGood ? .good : .needsRefresh))
    #expect(freshness(try account(end: row.end, refreshToken: nil)) == (row.isGood ? .good : .needsLogin))
    #expect(freshness(try account(end: row.end, refreshToken: "")) == (row.isGood ? .good : .needsLogin))
    #expect(
      freshness(try account(end: row.end, refreshToken: "R", hasEndpoint: false))
        == (row.isGood ? .good : .needsLogin))
  }

  // p2/OAuth2's `token_assume_unexpired`.
  @Test("A token without an expiry is not good for a caller who does not assume that it is unexpired")
  func assumption() throws {
    let account = try account(end: nil, refreshToken: "R")
    let now = try Samples.receivedAt()
    #expect(account.freshness(at: now, forAtLeast: 0, assumingUnexpired: false) == .needsRefresh)
  }
}
