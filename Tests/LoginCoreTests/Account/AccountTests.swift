import Testing

@testable import LoginCore

/// The document in which an account is kept.
@Suite("Account")
struct AccountTests {
  /// An account whose request and token have all that they can have.
  static func full() throws -> Account {
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
      name, provider: "mine", login: login, token: token, receivedAt: try Samples.receivedAt(),
      session: "cookies")
    account.hasRegisteredClient = true
    return account
  }

  private func read(_ text: String) throws -> Account {
    try Account(document: Array(text.utf8), of: #require(AccountName("work")))
  }

  @Test("everything comes back as it was, and is written again in the same bytes")
  func roundTrip() throws {
    let account = try Self.full()
    let again = try Account(document: account.document, of: account.name)
    #expect(again.document == account.document)
    #expect(again.token == account.token)
    #expect(again.receivedAt == account.receivedAt)
    #expect(again.provider == "mine")
    #expect(again.session == "cookies")
    #expect(again.hasRegisteredClient)
    #expect(again.refreshToken == RefreshToken("R"))
    #expect(again.login.clientSecret == ClientSecret("s3cret"))
    #expect(again.login.clientAuthentication == .post)
    #expect(again.login.parameters == account.login.parameters)
    #expect(again.login.redirectAliases == account.login.redirectAliases)
    #expect(again.login.grant == .device)
    #expect(again.login.responseMode == .fragment)
    #expect(again.login.scope == "openid mail")
    #expect(again.login.omitsState)
    #expect(again.login.provider.endpoints == account.login.provider.endpoints)
    #expect(
      again.login.provider.tokenParameters == [Parameter("audience", "{tenant}")], "no variable any more")
  }

  @Test("a number of the provider's keeps its digits")
  func literals() throws {
    #expect(String(decoding: try Self.full().document, as: UTF8.self).contains(#""user_id":1.10"#))
  }

  @Test("values of a single run are not kept")
  func fixedValues() throws {
    #expect(try Self.full().login.fixed.state == nil)
    #expect(
      !String(decoding: try Self.full().document, as: UTF8.self).contains(FakeCryptography.codeVerifier))
  }

  @Test("a member that only a later program knows is still there after a refresh")
  func unknownMembers() throws {
    let text = String(decoding: try Self.full().document.dropLast(), as: UTF8.self)
    let account = try read(text + #","dpop_key":{"kty":"EC"}}"#)
    let answer = try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
    let written = account.renewed(with: answer, receivedAt: try Samples.receivedAt()).document
    #expect(String(decoding: written, as: UTF8.self).hasSuffix(#","dpop_key":{"kty":"EC"}}"#))
  }

  @Test("a document of a later version is refused as such")
  func laterVersion() throws {
    let text = String(decoding: try Self.full().document, as: UTF8.self)
    #expect(throws: AccountFault.unknownVersion) {
      _ = try read("{\"version\":2" + text.dropFirst(12))
    }
  }

  @Test("an account does not go by another account's document")
  func otherName() throws {
    let document = try Self.full().document
    let other = try #require(AccountName("home"))
    #expect(throws: AccountFault.otherName) { _ = try Account(document: document, of: other) }
  }

  @Test("without a member that is needed, or with a wrong one, the document is refused by that name")
  func members() throws {
    let object = try #require(try JSONReader.read(try Self.full().document).object)
    for name in ["version", "account", "server", "request", "token", "received_at"] {
      for value in [nil, JSONValue.array([]), .string("x"), .object([:])] as [JSONValue?] {
        if name == "server", value == .object([:]) { continue }  // a provider of which nothing is known
        if name == "account", value == .string("x") { continue }  // another account's
        var damaged = object
        damaged[name] = value
        let fault = #expect(throws: AccountFault.self, "\(name) \(String(describing: value))") {
          _ = try read(damaged.text)
        }
        guard case .member(let named) = fault else {
          Issue.record("\(name): \(String(describing: fault))")
          continue
        }
        #expect(named.hasPrefix(name))
      }
    }
  }

  @Test("no document that is cut off anywhere is an account, and none is a crash")
  func cutOff() throws {
    let document = try Self.full().document
    for length in 0..<document.count {
      #expect(throws: AccountFault.self) {
        _ = try Account(document: Array(document.prefix(length)), of: #require(AccountName("work")))
      }
    }
  }

  @Test("no document with a changed byte is a crash")
  func changedBytes() throws {
    let document = try Self.full().document
    for index in document.indices {
      for byte in [0x00, 0x22, 0x7B, 0xFF] as [UInt8] {
        var changed = document
        changed[index] = byte
        _ = try? Account(document: changed, of: #require(AccountName("work")))
      }
    }
  }

  @Test("a request that says more than this version knows is refused")
  func unknownRequestMember() throws {
    let text = String(decoding: try Self.full().document, as: UTF8.self)
    let parts = text.parts(at: "{")
    let changed = parts.map { $0.hasPrefix("\"client_id\"") ? "\"by\":1," + $0 : $0 }.joined(separator: "{")
    #expect(throws: AccountFault.member("request.by")) { _ = try read(changed) }
  }

  // RFC 6749 section 6 and OpenID Connect Core section 12.2.
  @Test("what a refresh does not repeat stays, and an id_token that nobody has verified is not taken over")
  func renewal() throws {
    let account = try Self.full()
    let answer = try #require(
      Token(json: ["access_token": "N", "token_type": "Bearer", "refresh_token": "R2", "id_token": "fresh"]))
    let token = account.renewed(with: answer, receivedAt: try Samples.receivedAt()).token
    #expect(token.accessToken == AccessToken("N"))
    #expect(token.members["refresh_token"] == "R2")
    #expect(token.members["scope"] == "mail")
    #expect(token.members["id_token"] == nil)
    #expect(token.claims == ["sub": "u"])
    #expect(token.expiresAt == nil, "the old token's end is not the new one's")
  }

  @Test("a refreshed token is as old as its answer, and not as the first token")
  func renewedAt() throws {
    let answer = try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
    let later = try #require(try Samples.receivedAt().adding(seconds: 3_600))
    #expect(try Self.full().renewed(with: answer, receivedAt: later).receivedAt == later)
  }

  @Test("the key of a login is kept with the token alone, so that the next login has another")
  func loginKey() throws {
    let full = try Self.full()
    var login = full.login
    login.proofKey = FakeSigningKey(algorithm: .es256)
    let account = Account(full.name, login: login, token: full.token, receivedAt: full.receivedAt)
    #expect(account.login.proofKey == nil)
  }

  // What a transport hands over at most, of characters that JSON writes with six bytes.
  @Test("an account whose token came in the largest answer is read as it was kept")
  func largestAnswer() throws {
    let note = String(repeating: "\u{7F}", count: 1_024 * 1_024 - 100)
    let token = try #require(
      Token(json: ["access_token": "T", "token_type": "Bearer", "note": .string(note)]))
    let full = try Self.full()
    let account = full.renewed(with: token, receivedAt: full.receivedAt)
    #expect(account.document.count > 6 * 1_024 * 1_000)
    let again = try Account(document: account.document, of: account.name)
    #expect(again.token.members["note"] == .string(note))
  }

  @Test("a document of 8 MiB is read, and one byte more is not")
  func size() throws {
    let document = try Self.full().document
    let limit = Account.maximumDocumentSize
    let whole = document + [UInt8](repeating: 0x20, count: limit - document.count)
    let name = try #require(AccountName("work"))
    #expect(throws: Never.self) { try Account(document: whole, of: name) }
    #expect(throws: AccountFault.notJSON(JSONFault(reason: .tooLarge, line: 1))) {
      try Account(document: whole + [0x20], of: name)
    }
  }

  @Test("the key of a bound token is kept with it, and stays when the token is renewed")
  func proofKey() throws {
    let full = try Self.full()
    let bound = try #require(
      Token(json: ["access_token": "T", "token_type": "DPoP", "dpop_jwk": ["kty": "EC", "d": "private"]]))
    let account = full.loggedIn(by: full.login, with: bound, receivedAt: try Samples.receivedAt())
    let again = try Account(document: account.document, of: account.name)
    #expect(again.token.proofKey == ["kty": "EC", "d": "private"])
    let answer = try #require(Token(json: ["access_token": "N", "token_type": "DPoP"]))
    let renewed = again.renewed(with: answer, receivedAt: try Samples.receivedAt())
    #expect(renewed.token.proofKey == ["kty": "EC", "d": "private"])
  }

  @Test("an opaque id_token is taken over as it comes")
  func opaque() throws {
    var account = try Self.full()
    account.login.provider.hasOpaqueIDToken = true
    let answer = try #require(
      Token(json: ["access_token": "N", "token_type": "Bearer", "id_token": "fresh"]))
    let token = account.renewed(with: answer, receivedAt: try Samples.receivedAt()).token
    #expect(token.members["id_token"] == "fresh")
  }

  @Test("after signing out nothing is left that gets a token")
  func signedOut() throws {
    let account = try Self.full()
    let out = account.signedOut(at: account.receivedAt)
    #expect(account.refreshToken != nil && out.refreshToken == nil)
    #expect(out.freshness(at: account.receivedAt, forAtLeast: 0) == .needsLogin)
  }
}
