import Testing

@testable import LoginCore

@Suite("CredentialStore")
struct CredentialStoreTests {
  private func account(_ accessToken: String) throws -> Account {
    try Samples.account(
      at: Samples.code(),
      token: ["access_token": .string(accessToken), "token_type": "Bearer", "refresh_token": "R"], life: nil)
  }

  @Test("A token that a server refused counts as expired, and its refresh token stays")
  func expired() async throws {
    let store = FakeStore([try account("T")])
    let name = try #require(AccountName("work"))
    let now = try Samples.receivedAt()
    try await store.expire(AccessToken("T"), of: name, isRefused: true, at: now)
    let kept = try await store.load(name)
    #expect(kept.freshness(at: now, forAtLeast: 0) != .good)
    #expect(kept.refreshToken == RefreshToken("R"))
    #expect(store.events == [.lock, .load, .save, .unlock, .load])
  }

  @Test("A refused token counts against a login that a program began, and an accepted one ends the count")
  func rejected() async throws {
    let name = try #require(AccountName("work"))
    let now = try Samples.receivedAt()
    var log = AttemptLog()
    log.beginTrial(isDemanded: false)
    for isRefused in [false, true] {
      let store = FakeStore([try account("T")], log: log)
      try await store.expire(AccessToken("T"), of: name, isRefused: isRefused, at: now)
      #expect(store.log.rejections?.times == (isRefused ? 1 : nil) && !store.log.isUnderWay)
      await store.noteAcceptance(of: name)
      #expect(!store.log.awaitsAcceptance && !store.log.isUnderWay)
      let events = store.events
      await store.noteAcceptance(of: name)
      #expect(store.events == events, "without a lock")
    }
  }

  @Test("An account that has another token by now stays as it is")
  func other() async throws {
    let store = FakeStore([try account("N")])
    let name = try #require(AccountName("work"))
    try await store.expire(AccessToken("T"), of: name, isRefused: true, at: try Samples.receivedAt())
    #expect(store.events == [.lock, .load, .unlock])
  }

  @Test("A missing account is nil, but one that cannot be read is a failure")
  func unreadable() async throws {
    let store = FakeStore([], whileWaiting: try account("T"))
    let name = try #require(AccountName("other"))
    #expect(try await store.find(name)?.name == nil)
    // The lock puts the document of the account "work" under this name.
    _ = try await store.lock(name)
    await #expect(throws: Failure.unreadableAccount("other", "it belongs to another account")) {
      try await store.find(name)
    }
  }
}

/// An account in the list of a store.
@Suite("StoredAccount")
struct StoredAccountTests {
  private let name = AccountName("work")

  @Test("A readable account has its contents")
  func account() throws {
    let account = try AccountTests.complete()
    let stored = StoredAccount(account.name, document: account.document)
    #expect(stored.name == account.name)
    guard case .account(let found) = stored.contents else {
      Issue.record("\(stored.contents)")
      return
    }
    #expect(found.document == account.document)
  }

  @Test("An account in a locked keyring has only its name")
  func locked() throws {
    let name = try #require(name)
    let stored = StoredAccount(locked: name)
    #expect(stored.name == name)
    guard case .locked = stored.contents else {
      Issue.record("\(stored.contents)")
      return
    }
  }

  @Test(
    "An account that cannot be read has the reason",
    arguments: [
      ("{", "line 1: the document ends too early"), (#"{"version":2}"#, Account.laterVersion),
      ("{}", "version is missing or wrong"),
    ] as [(String, Message)])
  func unreadable(document: String, reason: Message) throws {
    let stored = StoredAccount(try #require(name), document: Array(document.utf8))
    guard case .unreadable(let found) = stored.contents else {
      Issue.record("\(stored.contents)")
      return
    }
    #expect(found == reason.description)
  }

  @Test(
    "An entry of a document alone has the name in it, whatever follows",
    arguments: [
      (#"{"version":1,"account":"work","a":"#, "work"), (#"{"a":{"account":"a"},"account":"\u0062"}"#, "b"),
      (#"{"version":1}"#, nil), (#"{"account":1}"#, nil), (#"{"account":""}"#, nil),
      (#"["account":"a"]"#, nil), (#"{"version":"#, nil), ("", nil),
    ])
  func alone(document: String, name: String?) {
    #expect(StoredAccount(document: Array(document.utf8))?.name.description == name)
  }

  @Test(
    "A document is parsed for a server only if it contains the host name or an escape",
    arguments: [
      (#"{"for":["https://h.test"]}"#, true), (#"{"for":["https://H.Test:8443"]}"#, true),
      (#"{"server":{"git_hosts":["h.test"]}}"#, true), (#"{"for":["https:\/\/other.test"]}"#, true),
      (#"{"for":["https://other.test"]}"#, false), (#"{"for":["https://h.tes"]}"#, false), ("", false),
      (#"{"for":["https://h-test"]}"#, false), ("h.tes", false),
    ])
  func destination(document: String, isRead: Bool) throws {
    let stored = StoredAccount(try #require(name), document: Array(document.utf8))
    for address in ["https://h.test", "https://h.test:8443/a"] {
      #expect(stored.mayBeMeant(for: try Destination(address)) == isRead)
    }
    #expect(StoredAccount(locked: try #require(name)).mayBeMeant(for: try Destination("https://h.test")))
  }

  @Test("An IPv6 address is found, too")
  func brackets() throws {
    let stored = StoredAccount(try #require(name), document: Array(#"{"for":["http://[::1]:80"]}"#.utf8))
    #expect(stored.mayBeMeant(for: try Destination("https://[::1]:5000/")))
    #expect(!stored.mayBeMeant(for: try Destination("https://[::2]:5000/")))
  }
}
