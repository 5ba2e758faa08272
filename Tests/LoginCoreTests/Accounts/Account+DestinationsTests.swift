import Testing

@testable import LoginCore

/// The servers to which the token of an account may go.
@Suite("Account's destinations")
struct AccountDestinationsTests {
  private func account(_ origins: [String], preset: [String] = []) throws -> Account {
    var provider = try Samples.code()
    provider.apiOrigins = try preset.map { text throws(Message) in try Origin(text) }
    var account = try Samples.account(
      at: provider, token: ["access_token": "T", "token_type": "b"], life: nil)
    account.origins = try origins.map { text throws(Message) in try Origin(text) }
    return account
  }

  @Test("The servers of an account are kept in its document, and a wrong list is refused")
  func document() throws {
    let made = try account(["https://a.test", "http://127.0.0.1:5000"])
    let again = try Account(document: made.document, of: made.name)
    #expect(again.origins == made.origins && again.document == made.document)
    for wrong in ["1", "[1]", "[\"http://a.test\"]", "[\"https://a.test/b\"]"] {
      let text = String(decoding: try account([]).document, as: UTF8.self).dropLast() + ",\"for\":\(wrong)}"
      #expect(throws: "for is missing or wrong" as Message) {
        _ = try Account(parsing: Array(text.utf8), of: made.name)
      }
    }
  }

  @Test("The token of an account for one API is for that API only, whatever resources its request names")
  func resource() throws {
    var account = try account([])
    account.login.parameters = [Parameter("resource", "https://other.test/")]
    #expect(throws: Never.self) { try account.check(Endpoint("https://other.test/x"), orAmong: []) }
    account.resource = try ProtectedResource("https://api.test/mcp")
    #expect(throws: Never.self) { try account.check(Endpoint("https://api.test/mcp"), orAmong: []) }
    expectFailure(.originNotAllowed("https://other.test")) {
      try account.check(Endpoint("https://other.test/x"), orAmong: [])
    }
    expectFailure(.otherResource("https://api.test/admin")) {
      try account.check(Endpoint("https://api.test/admin?x"), orAmong: [try Origin("https://api.test")])
    }
    account.resource = try ProtectedResource("https://api.test/mcp?t=a")
    #expect(throws: Never.self) { try account.check(Endpoint("https://api.test/mcp?t=a"), orAmong: []) }
    expectFailure(.otherResource("https://api.test/mcp")) {
      try account.check(Endpoint("https://api.test/mcp?t=b"), orAmong: [])
    }
  }

  @Test(
    "A token goes only to origins that the account, its provider or the caller names, with scheme and port",
    arguments: [
      ("https://a.test/x", nil), ("https://api.test/", nil), ("https://other.test/", nil),
      ("https://API.test:443/x?y", nil), ("https://api.test:8443/", "https://api.test:8443"),
      ("https://api.test.evil.test/", "https://api.test.evil.test"),
      ("https://evil.test/", "https://evil.test"), ("http://localhost/", "http://localhost"),
    ])
  func requests(address: String, refused: String?) throws {
    let account = try account(["https://a.test"], preset: ["https://api.test"])
    let result = Result {
      try account.check(Endpoint(address), orAmong: [Origin("https://other.test")])
    }
    if let refused {
      expectFailure(.originNotAllowed(refused)) { try result.get() }
    } else {
      #expect(throws: Never.self) { try result.get() }
    }
  }
}
