import Testing

@testable import LoginCore

/// Where the token of an account may go.
@Suite("Account and its destinations")
struct AccountDestinationsTests {
  private func account(_ origins: [String], preset: [String] = [], git: [String] = []) throws -> Account {
    var provider = try Samples.code()
    provider.apiOrigins = try preset.map { text throws(AddressFault) in try Origin(text) }
    provider.gitHosts = git
    var account = try Samples.account(
      at: provider, token: ["access_token": "T", "token_type": "b"], life: nil)
    account.origins = try origins.map { text throws(AddressFault) in try Origin(text) }
    return account
  }

  private func isMeant(_ account: Account, for text: String) throws -> Bool {
    account.isMeant(for: try Destination(text))
  }

  @Test("to what it was made for; else to what its provider names")
  func origins() throws {
    let made = try account(["https://a.test"], preset: ["https://api.test"], git: ["git.test"])
    #expect(try isMeant(made, for: "https://a.test/x"))
    #expect(try !isMeant(made, for: "https://api.test/") && !isMeant(made, for: "https://git.test/"))
    let usual = try account([], preset: ["https://api.test"], git: ["git.test:81", "127.0.0.1:80"])
    for text in ["https://api.test/", "https://git.test:81/", "http://127.0.0.1:80/"] {
      #expect(try isMeant(usual, for: text), "\(text)")
    }
    #expect(try !isMeant(usual, for: "https://git.test/"))
    #expect(try !isMeant(account([]), for: "https://as.test/"), "not even to the provider itself")
  }

  @Test("what it was made for is kept, and is never guessed at")
  func document() throws {
    let made = try account(["https://a.test", "http://127.0.0.1:5000"])
    let again = try Account(document: made.document, of: made.name)
    #expect(again.origins == made.origins && again.document == made.document)
    for wrong in ["1", "[1]", "[\"http://a.test\"]", "[\"https://a.test/b\"]"] {
      let text = String(decoding: try account([]).document, as: UTF8.self).dropLast() + ",\"for\":\(wrong)}"
      #expect(throws: AccountFault.member("for")) {
        _ = try Account(document: Array(text.utf8), of: made.name)
      }
    }
  }

  @Test("a token of an API is for it alone, whatever else its login has asked for")
  func resource() throws {
    var account = try account([])
    account.login.parameters = [Parameter("resource", "https://other.test/")]
    #expect(try isMeant(account, for: "https://other.test/x"))
    account.resource = try ProtectedResource("https://api.test/mcp")
    #expect(try isMeant(account, for: "https://api.test/mcp"))
    #expect(try !isMeant(account, for: "https://other.test/x"))
  }

  @Test("a request goes where the account's own token, the preset or the caller allows it, and nowhere else")
  func requests() throws {
    let account = try account(["https://a.test"], preset: ["https://api.test"])
    let others = [try Origin("https://other.test")]
    for text in ["https://a.test/x", "https://api.test/x", "https://other.test/x"] {
      #expect(throws: Never.self, "\(text)") { try account.check(Endpoint(text), orAmong: others) }
    }
    #expect(throws: Failure.caller(.originNotAllowed("https://evil.test"))) {
      try account.check(Endpoint("https://evil.test/x"), orAmong: others)
    }
  }
}
