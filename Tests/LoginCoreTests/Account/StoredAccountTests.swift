import Testing

@testable import LoginCore

/// What a store says of one account in a list.
@Suite("StoredAccount")
struct StoredAccountTests {
  private let name = AccountName("work")

  @Test("an account that can be read is there")
  func account() throws {
    let account = try AccountTests.full()
    let stored = StoredAccount(account.name, document: account.document)
    #expect(stored.name == account.name)
    guard case .account(let found) = stored.contents else {
      Issue.record("\(stored.contents)")
      return
    }
    #expect(found.document == account.document)
  }

  @Test("one in a locked keyring is listed by its name alone")
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
    "one that cannot be read is listed with the reason",
    arguments: [
      ("{", .notJSON(JSONFault(reason: .unexpectedEnd, line: 1))), (#"{"version":2}"#, .unknownVersion),
      ("{}", .member("version")),
    ] as [(String, AccountFault)])
  func unreadable(document: String, fault: AccountFault) throws {
    let stored = StoredAccount(try #require(name), document: Array(document.utf8))
    guard case .unreadable(let found) = stored.contents else {
      Issue.record("\(stored.contents)")
      return
    }
    #expect(found == fault)
  }

  @Test(
    "one that is meant for a server is read for it, and one that does not name it is not",
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

  @Test("an address of version 6 is found as well")
  func brackets() throws {
    let stored = StoredAccount(try #require(name), document: Array(#"{"for":["http://[::1]:80"]}"#.utf8))
    #expect(stored.mayBeMeant(for: try Destination("https://[::1]:5000/")))
    #expect(!stored.mayBeMeant(for: try Destination("https://[::2]:5000/")))
  }
}
