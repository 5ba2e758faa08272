import Testing

@testable import LoginCore

/// The document of a kept account.
@Suite("AccountDocument")
struct AccountDocumentTests {
  private func read(_ text: String) throws -> Account {
    try Account(parsing: Array(text.utf8), of: #require(AccountName("work")))
  }

  private func text(_ account: Account) -> String { String(decoding: account.document, as: UTF8.self) }

  @Test("An account is read back as it was, and written again in the same bytes")
  func roundTrip() throws {
    let account = try AccountTests.complete()
    let again = try Account(document: account.document, of: account.name)
    #expect(again.document == account.document)
    #expect(again.token == account.token)
    #expect(again.receivedAt == account.receivedAt)
    #expect(again.provider == "mine")
    #expect(again.extra == ["session": "cookies"])
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
      again.login.provider.tokenParameters == [Parameter("audience", "{tenant}")],
      "braces are ordinary text here")
  }

  @Test("A provider's number keeps its digits, and the verifier of the login is not kept")
  func text() throws {
    let text = text(try AccountTests.complete())
    #expect(text.contains(#""user_id":1.10"#))
    #expect(!text.contains(FakeCryptography.codeVerifier))
  }

  @Test("A member of a later version is still there after a refresh")
  func unknownMembers() throws {
    let account = try read(text(AccountTests.complete()).dropLast() + #","dpop_key":{"kty":"EC"}}"#)
    let answer = try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
    let written = account.renewed(with: answer, receivedAt: try Samples.receivedAt())
    #expect(text(written).hasSuffix(#","dpop_key":{"kty":"EC"}}"#))
  }

  @Test("An extra member never replaces one of the account's own")
  func extraMembers() throws {
    var account = try AccountTests.complete()
    account.extra = ["account": "home", "resource": "https://a.test/", "own": 1]
    let again = try read(text(account))
    #expect(again.name == account.name && again.resource == nil && again.extra == ["own": 1])
  }

  @Test("A document of a later version is refused as such")
  func laterVersion() throws {
    let text = text(try AccountTests.complete())
    #expect(throws: Account.laterVersion) { _ = try read("{\"version\":2" + text.dropFirst(12)) }
  }

  @Test("The document of another account is refused")
  func otherName() throws {
    let document = try AccountTests.complete().document
    let other = try #require(AccountName("home"))
    #expect(throws: "it belongs to another account" as Message) {
      _ = try Account(parsing: document, of: other)
    }
  }

  @Test("A missing or wrong member is named")
  func members() throws {
    let object = try #require(try JSONReader.read(try AccountTests.complete().document).object)
    for name in ["version", "account", "server", "request", "token", "received_at"] {
      for value in [nil, JSONValue.array([]), .string("x"), .object([:])] as [JSONValue?] {
        if name == "server", value == .object([:]) { continue }  // a provider without any facts is valid
        if name == "account", value == .string("x") { continue }  // that is another account
        var damaged = object
        damaged[name] = value
        let reason = #expect(throws: Message.self, "\(name) \(String(describing: value))") {
          _ = try read(damaged.text)
        }
        let text = reason?.description ?? ""
        #expect(text.hasPrefix(name) && text.hasSuffix(" is missing or wrong"), "\(name): \(text)")
      }
    }
  }

  @Test("A request with a member that this version does not know is refused")
  func unknownRequestMember() throws {
    let parts = text(try AccountTests.complete()).parts(at: "{")
    let changed = parts.map { $0.hasPrefix("\"client_id\"") ? "\"by\":1," + $0 : $0 }.joined(separator: "{")
    #expect(throws: "request.by is missing or wrong" as Message) { _ = try read(changed) }
  }

  @Test("The failure names the account and the reason")
  func failure() throws {
    let name = try #require(AccountName("work"))
    expectFailure(.unreadableAccount("work", "version is missing or wrong")) {
      _ = try Account(document: Array("{}".utf8), of: name)
    }
  }

  @Test("A document that ends too early is refused, wherever it ends")
  func cutOff() throws {
    let document = try AccountTests.complete().document
    for length in 0..<document.count {
      #expect(throws: Message.self) {
        _ = try Account(parsing: Array(document.prefix(length)), of: #require(AccountName("work")))
      }
    }
  }

  @Test("A changed byte never crashes the reader")
  func changedBytes() throws {
    let document = try AccountTests.complete().document
    for index in document.indices {
      for byte in [0x00, 0x22, 0x7B, 0xFF] as [UInt8] {
        var changed = document
        changed[index] = byte
        _ = try? Account(document: changed, of: #require(AccountName("work")))
      }
    }
  }

  // JSON writes each character of this note with six bytes.
  @Test("An account with a token from the largest possible answer can be read")
  func largestAnswer() throws {
    let note = String(repeating: "\u{7F}", count: 1_024 * 1_024 - 100)
    let token = try #require(
      Token(json: ["access_token": "T", "token_type": "Bearer", "note": .string(note)]))
    let complete = try AccountTests.complete()
    let account = complete.renewed(with: token, receivedAt: complete.receivedAt)
    #expect(account.document.count > 6 * 1_024 * 1_000)
    let again = try Account(document: account.document, of: account.name)
    #expect(again.token.allMembers["note"] == .string(note))
  }

  @Test("A document of 8 MiB is read, and one of a byte more is refused")
  func size() throws {
    let document = try AccountTests.complete().document
    let largest = document + [UInt8](repeating: 0x20, count: Account.maximumDocumentSize - document.count)
    let name = try #require(AccountName("work"))
    #expect(throws: Never.self) { try Account(document: largest, of: name) }
    #expect(throws: "line 1: the document is too large" as Message) {
      try Account(parsing: largest + [0x20], of: name)
    }
  }
}

/// The document of a kept client.
@Suite("RegisteredClient's document")
struct RegisteredClientDocumentTests {
  private func slot(_ redirect: String = "http://127.0.0.1/callback") throws -> ClientSlot {
    var provider = Provider()
    provider.issuer = try Issuer("https://as.test")
    return try #require(ClientSlot(provider, RedirectURI(redirect)))
  }

  private func client() -> RegisteredClient {
    RegisteredClient(
      clientID: "c", secret: ClientSecret("s"), authentication: .post, secretExpiresAt: nil, management: nil)
  }

  @Test("A client is read back as it was")
  func roundTrip() throws {
    let document = client().document(at: try slot())
    #expect(try RegisteredClient(document: document, at: slot()) == client())
  }

  @Test("A document that is damaged, of a later version or from another slot is refused")
  func refused() throws {
    let slot = try slot()
    let document = try #require(try JSONReader.read(client().document(at: slot)).object)
    let rows: [(String, JSONValue, Message)] = [
      ("version", 2, Account.laterVersion), ("version", true, "version is missing or wrong"),
      ("provider", "https://as.other", "provider is missing or wrong"),
      ("client", ["client_id": ""], "client is missing or wrong"),
    ]
    for (name, value, reason) in rows {
      var damaged = document
      damaged[name] = value
      #expect(throws: reason) { _ = try RegisteredClient(parsing: Array(damaged.text.utf8), at: slot) }
    }
    #expect(throws: "redirect_uri is missing or wrong" as Message) {
      _ = try RegisteredClient(
        parsing: client().document(at: slot), at: self.slot("http://127.0.0.1/other"))
    }
  }
}
