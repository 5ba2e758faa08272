import Testing

@testable import LoginCore

@Suite("Token")
struct TokenTests {
  private func token(expiresIn seconds: Int64? = nil, members: JSONObject = [:]) throws -> Token {
    var checks = Checks()
    checks.redirect = .alias
    checks.state = true
    var token = Token(
      accessToken: AccessToken("T"), type: "bearer", expiresAt: nil, members: members, checks: checks)
    token.setExpiresIn(seconds, from: try Samples.receivedAt())
    return token
  }

  private func later(_ seconds: Int64) throws -> UTCDate {
    try #require(Samples.receivedAt().adding(seconds: seconds))
  }

  @Test("expires_in counts from now, expires_at stays")
  func remainingTime() throws {
    let token = try token(expiresIn: 3_600)
    for (passed, left) in [
      (Int64(0), JSONValue(integerLiteral: 3_600)), (600, 3_000), (3_600, 0), (9_999, 0), (-60, 3_660),
    ] {
      let json = token.json(at: try later(passed))
      #expect(json["expires_in"] == left)
      #expect(json["expires_at"] == "2026-11-21T08:14:00Z")
    }
  }

  @Test("A token expires at the second that it names")
  func expiry() throws {
    let token = try token(expiresIn: 60)
    #expect(try !token.isExpired(at: later(59)))
    #expect(try token.isExpired(at: later(60)))
    #expect(try token.isExpired(at: later(61)))
  }

  @Test("A token without a lifetime does not expire", arguments: [nil, 0, -1, Int64.min, Int64.max])
  func noExpiry(seconds: Int64?) throws {
    let token = try token(expiresIn: seconds)
    #expect(token.expiresAt == nil)
    #expect(!token.isExpired(at: try #require(UTCDate("9999-12-31T23:59:59Z"))))
    let json = token.json(at: try Samples.receivedAt())
    #expect(json["expires_in"] == nil)
    #expect(json["expires_at"] == nil)
  }

  @Test("A lifetime can be changed and removed")
  func moving() throws {
    var token = try token(expiresIn: 60)
    token.setExpiresIn(120, from: try later(30))
    #expect(token.expiresAt == (try later(150)))
    token.setExpiresIn(nil, from: try later(30))
    #expect(token.expiresAt == nil)
  }

  @Test("The members of RFC 6749 come first and the checks last")
  func order() throws {
    let token = try token(expiresIn: 1, members: ["scope": "a", "refresh_token": "R"])
    #expect(
      token.json(at: try Samples.receivedAt()).text
        == #"{"access_token":"T","token_type":"bearer","expires_in":1,"expires_at":"2026-11-21T07:14:01Z","#
        + #""scope":"a","refresh_token":"R","checks":{"redirect":"alias","state":"verified"}}"#
    )
  }

  @Test("Our own members are not taken from the provider")
  func ownMembers() throws {
    let token = try token(members: [
      "access_token": "x", "token_type": "x", "expires_in": 1, "expires_at": "x", "claims": [:],
      "checks": [:], "scope": "a",
    ])
    #expect(token.allMembers == ["scope": "a"])
    #expect(token.accessToken?.revealed() == "T")
  }

  @Test("Printed members contain no secret")
  func printedMembers() throws {
    let secrets: JSONObject = ["refresh_token": "r3fresh", "id_token": "h3ader.p4yload.s"]
    var members = secrets
    members["scope"] = "a"
    let token = try token(members: members)
    var dumped = ""
    dump(token.members, to: &dumped)
    dump(token, to: &dumped)
    for text in ["\(token.members)", String(reflecting: token.members), token.members.text, dumped] {
      #expect(!text.contains("r3fresh") && !text.contains("p4yload"), "\(text)")
    }
    #expect(token.members == ["scope": "a"] && token.refreshToken?.revealed() == "r3fresh")
  }

  @Test("A written token can be read back", arguments: [nil, 0, 60] as [Int64?])
  func roundTrip(seconds: Int64?) throws {
    let members: JSONObject = [
      "user_id": 123, "ratio": .number(JSONNumber(literal: "1.10")),
      "big": .number(JSONNumber(literal: "123456789012345678901234567890")),
      "scope": ["a", "b"], "e\u{301}": "é/\u{0}\u{85}", "é": .null, "nested": ["a": [["b": true]], "": [:]],
      "empty": "",
    ]
    let token = try token(expiresIn: seconds, members: members)
    let text = token.json(at: try later(10)).text
    let json = try #require(try JSONReader.read(Array(text.utf8)).object)
    let read = try #require(Token(json: json))
    #expect(read == token)
    #expect(read.allMembers == members)
    #expect(read.json(at: try later(10)).text == text)
  }

  @Test(
    "An object that is not a token is refused",
    arguments: [
      [:], ["access_token": "T"], ["token_type": "bearer"], ["access_token": "", "token_type": "Bearer"],
      ["access_token": 1, "token_type": "bearer"], ["access_token": "T", "token_type": .null],
      ["access_token": "T", "token_type": "bearer", "expires_at": "soon"],
      ["access_token": "T", "token_type": "Bearer", "expires_at": 1],
      ["access_token": "T", "token_type": "bearer", "expires_at": "2026-02-30T00:00:00Z"],
    ] as [JSONObject])
  func noToken(json: JSONObject) {
    #expect(Token(json: json) == nil)
  }

  @Test("Tokens are equal if all their members are")
  func equality() throws {
    #expect(try token(expiresIn: 1) == token(expiresIn: 1))
    #expect(try token(expiresIn: 1) != token(expiresIn: 2))
    #expect(try token(members: ["a": 1]) != token(members: ["a": 2]))
  }

  @Test("The access token does not print with the token")
  func printing() throws {
    let token = Token(
      accessToken: AccessToken("hunter2"), type: "bearer", expiresAt: nil, members: [:], checks: Checks())
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains("hunter2")) }
  }

  // RFC 6749 section 1.5, OpenID Connect Core section 3.1.3.3.
  @Test("Other secrets of an answer do not print either", arguments: ["refresh_token", "id_token"])
  func printingMembers(name: String) throws {
    let token = try token(members: [name: "hunter2"])
    var dumped = ""
    dump(token, to: &dumped)
    let seen = ["\(token)", String(reflecting: token), dumped].contains { $0.contains("hunter2") }
    #expect(!seen)
  }

  @Test("expire(at:) ends the lifetime of a token")
  func expired() throws {
    let now = try Samples.receivedAt()
    var token = try #require(Token(json: ["access_token": "T", "token_type": "Bearer"]))
    token.setExpiresIn(3_600, from: now)
    token.expire(at: now)
    #expect(token.expiresAt == now)
    token.expire(at: try #require(now.adding(seconds: 60)))
    #expect(token.expiresAt == now)
  }
}

@Suite("Checks")
struct ChecksTests {
  @Test("A check that did not apply is absent")
  func absent() {
    #expect(Checks().json == [:])
    var checks = Checks()
    checks.state = true
    #expect(checks.json == ["state": "verified"])
  }

  @Test("Checks are written in their order and read back", arguments: [RedirectCheck.exact, .alias])
  func roundTrip(redirect: RedirectCheck) {
    var checks = Checks()
    checks.redirect = redirect
    checks.state = true
    checks.issuer = true
    #expect(
      checks.json.text
        == "{\"redirect\":\"\(redirect.rawValue)\",\"state\":\"verified\",\"iss\":\"verified\"}")
    #expect(Checks(lenient: checks.json) == checks)
    #expect(Checks(lenient: [:]) == Checks())
  }

  @Test("Other words do not count as a check")
  func otherWords() {
    #expect(
      Checks(lenient: ["redirect": "yes", "state": true, "iss": "Verified", "pkce": "s256"]) == Checks())
  }
}
