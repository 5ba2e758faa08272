import Testing

@testable import LoginCore

@Suite("Token in a callback")
struct CallbackTokenTests {
  /// Returns the token in a fragment, to which the state is added.
  private func token(_ fragment: String, from provider: Provider? = nil) async throws -> Token {
    let login = try Samples.login(provider ?? Samples.vk())
    let request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    let uri = "\(login.redirectURI)#\(fragment)&state=S-_.~%201"
    let response = try AuthorizationResponse(.callback(Samples.callback(uri, to: request)), to: request)
    let now = try Samples.receivedAt()
    let answer = try await AuthenticatedResponse(response, to: request, of: login, nil, at: now)
    return try Token(answer, to: login, receivedAt: now)
  }

  /// A provider that follows RFC 6749.
  private func standard() throws -> Provider {
    var provider = try Samples.vk()
    provider.tokenType = nil
    provider.ownTokenMembers = []
    return provider
  }

  @Test("VK's answer becomes a token")
  func vk() async throws {
    let token = try await token(
      "access_token=533bacf01e11f55b536a565b57531ad114461ae8736d6506a3&expires_in=86400&user_id=8492")
    #expect(
      token.json(at: try Samples.receivedAt()).text
        == #"{"access_token":"533bacf01e11f55b536a565b57531ad114461ae8736d6506a3","token_type":"Bearer","#
        + #""expires_in":86400,"expires_at":"2026-11-22T07:14:00Z","user_id":"8492","#
        + #""checks":{"redirect":"exact","state":"verified"}}"#)
  }

  @Test("A standard answer becomes a token")
  func standardAnswer() async throws {
    // RFC 6749 section 4.2.2, with a type that is known.
    let token = try await token(
      "access_token=2YotnFZFEjr1zCsicMWpAA&token_type=Bearer&expires_in=3600", from: standard())
    #expect(token.accessToken == AccessToken("2YotnFZFEjr1zCsicMWpAA"))
    #expect(token.expiresAt?.description == "2026-11-21T08:14:00Z")
    #expect(token.allMembers.isEmpty)
  }

  @Test(
    "A lifetime is read as whole seconds, and an unusable one means no expiry",
    arguments: [
      ("86400", 86_400), ("1", 1), ("3599.9", 3_599), ("007", 7),
      // does not expire, or is unusable
      ("0", nil), ("0.0", nil), ("00", nil), ("-1", nil), ("-86400", nil), ("garbage", nil), ("1h", nil),
      ("1e3", nil), ("0x10", nil), ("%2B5", nil),
      ("+5", nil), ("5%205", nil), ("1.2.3", nil), (".", nil), ("nan", nil), ("inf", nil), ("%D9%A5", nil),
      ("null", nil),
      ("99999999999999999999", nil), ("9223372036854775807", nil), ("9223372036854775808", nil),
      ("253402300799", nil),
      ("1" + String(repeating: "0", count: 400), nil),
    ] as [(String, Int64?)])
  func expiresIn(text: String, seconds: Int64?) async throws {
    let now = try Samples.receivedAt()
    let token = try await token("access_token=T&token_type=bearer&expires_in=\(text)", from: standard())
    #expect(token.expiresAt == seconds.flatMap { now.adding(seconds: $0) })
    #expect(token.json(at: now)["expires_in"] == seconds.map { .number(JSONNumber($0)) })
    #expect((token.json(at: now)["expires_at"] != nil) == (seconds != nil))
  }

  @Test(
    "A lifetime is optional unless the provider always sends one",
    arguments: ["", "&expires_in=", "&expires_in"])
  func noExpiresIn(tail: String) async throws {
    let token = try await token("access_token=T&token_type=bearer\(tail)", from: standard())
    #expect(token.expiresAt == nil)
    #expect(token.json(at: try Samples.receivedAt())["expires_in"] == nil)
  }

  @Test(
    "All missing members are named at once",
    arguments: [
      ("", ["access_token", "user_id", "expires_in"]), ("access_token=T", ["user_id", "expires_in"]),
      ("user_id=1&expires_in=0", ["access_token"]),
      ("access_token=&user_id=&expires_in=", ["access_token", "user_id", "expires_in"]),
      ("Access_Token=T&user_id=1&expires_in=0", ["access_token"]),
      ("access_token=T&user_id=1", ["expires_in"]),
      ("code=A&id_token=x", ["access_token", "user_id", "expires_in"]),
    ])
  func missing(fragment: String, members: [String]) async throws {
    await #expect(throws: Failure.missingToken(members)) { try await token(fragment) }
  }

  // RFC 6749 sections 4.2.2 and 5.1: token_type is required.
  @Test(
    "A token needs a type unless the provider's type is known",
    arguments: [
      ("access_token=T", ["token_type"]), ("access_token=T&token_type=", ["token_type"]),
      ("", ["access_token", "token_type"]),
    ])
  func missingType(fragment: String, members: [String]) async throws {
    await #expect(throws: Failure.missingToken(members)) {
      try await token(fragment, from: standard())
    }
  }

  // RFC 6749 sections 5.1 and 7.1.
  @Test(
    "The type is compared without regard to case and passed on unchanged",
    arguments: ["Bearer", "bearer", "BEARER", "bEARER"])
  func bearer(type: String) async throws {
    #expect(try await token("access_token=T&token_type=\(type)", from: standard()).type == type)
    #expect(try await token("access_token=T&user_id=1&expires_in=0&token_type=\(type)").type == type)
  }

  @Test(
    "A token of another type is refused",
    arguments: ["mac", "DPoP", "bearer ", "bearer,mac", "basic", "N_A", "ｂearer"])
  func otherType(type: String) async throws {
    let encoded = FormEncoding.encode(type)
    await #expect(throws: Failure.unsupportedTokenType(type)) {
      try await token("access_token=T&token_type=\(encoded)", from: standard())
    }
    await #expect(throws: Failure.unsupportedTokenType(type)) {
      try await token("access_token=T&user_id=1&expires_in=0&token_type=\(encoded)")
    }
  }

  @Test("An assumed type must be supported, too")
  func assumedType() async throws {
    var provider = try standard()
    provider.tokenType = "mac"
    await #expect(throws: Failure.unsupportedTokenType("mac")) {
      try await token("access_token=T", from: provider)
    }
  }

  @Test(
    "Members that are used must be text",
    arguments: ["%00", "a%0D%0AX:%20y", "a%1Bb", "a%7F", "%C2%85", "%FF", "a%EF%BF%BDb", "%ED%A0%80"])
  func noText(value: String) async throws {
    for (name, fragment) in [
      ("access_token", "access_token=\(value)&user_id=1&expires_in=0"),
      ("user_id", "access_token=T&user_id=\(value)&expires_in=0"),
      ("expires_in", "access_token=T&user_id=1&expires_in=\(value)"),
      ("token_type", "access_token=T&user_id=1&expires_in=0&token_type=\(value)"),
    ] {
      await #expect(throws: Failure.malformedCallback("\(name) is not text")) {
        try await token(fragment)
      }
    }
  }

  @Test(
    "A required lifetime must be a number",
    arguments: ["garbage", "-1", "1h", "+5", "1.2.3"])
  func lifetimeIsNoNumber(value: String) async throws {
    await #expect(throws: Failure.missingToken(["expires_in"])) {
      try await token("access_token=T&user_id=1&expires_in=\(value)")
    }
  }

  @Test(
    "An optional lifetime must be text, too",
    arguments: ["3600%00", "36%FF", "%0A"])
  func lifetimeIsNoText(value: String) async throws {
    await #expect(throws: Failure.malformedCallback("expires_in is not text")) {
      try await token("access_token=T&token_type=bearer&expires_in=\(value)", from: standard())
    }
  }

  @Test("Other members pass unchanged, as texts and in their order")
  func otherMembers() async throws {
    let token = try await token(
      "z=1.10&access_token=T&user_id=007&expires_in=0&scope=a+b%2Cc&email=a%40b.test&refresh_token=R"
        + "&%C3%A9=%20&a=true&empty=&=x&flag"
    )
    #expect(
      token.allMembers == [
        "z": "1.10", "user_id": "007", "scope": "a b,c", "email": "a@b.test", "refresh_token": "R",
        "é": " ", "a": "true",
      ])
  }

  @Test("An unverified id_token is dropped unless the preset says otherwise")
  func unverified() async throws {
    var provider = try standard()
    let answer = "access_token=T&token_type=bearer&id_token=I.I.I"
    #expect(try await token(answer, from: provider).allMembers.isEmpty)
    provider.hasOpaqueIDToken = true
    let token = try await token(answer, from: provider)
    #expect(token.allMembers == ["id_token": "I.I.I"])
    #expect(!token.checks.idToken)
  }

  @Test("Parameters that belong to the exchange are not passed on")
  func exchangeMembers() async throws {
    let token = try await token(
      "access_token=T&user_id=1&expires_in=0&code=C&iss=https://as.test&response=J&State=kept")
    #expect(token.allMembers == ["user_id": "1", "State": "kept"])
  }

  @Test("Our own members replace those of the provider")
  func ownMembers() async throws {
    let now = try Samples.receivedAt()
    let token = try await token(
      "access_token=T&user_id=1&expires_in=60&expires_at=2000&claims=evil&checks=evil&token_type=bearer")
    #expect(token.allMembers == ["user_id": "1"])
    let json = token.json(at: now)
    #expect(json["expires_at"] == "2026-11-21T07:15:00Z")
    #expect(json["claims"] == nil)
    #expect(json["checks"] == ["redirect": "exact", "state": "verified"])
    #expect(
      json.map(\.name) == ["access_token", "token_type", "expires_in", "expires_at", "user_id", "checks"])
  }

  // RFC 6749 section 4.1.2 leaves the length open.
  @Test("A token of 64 KiB is kept completely")
  func long() async throws {
    let text = String(repeating: "t", count: 65_536)
    #expect(try await token("access_token=\(text)&user_id=1&expires_in=0").accessToken?.revealed() == text)
  }
}
