import Testing

@testable import LoginCore

/// Whether a kept token may be handed out.
@Suite("Freshness")
struct FreshnessTests {
  /// A token received at 0 with this end, seen at another second.
  struct Row: Sendable, CustomTestStringConvertible {
    let end: Int64?
    let now: Int64
    let wanted: Int64
    let isGood: Bool
    let testDescription: String

    init(_ description: String, end: Int64?, now: Int64, wanted: Int64 = 60, isGood: Bool) {
      testDescription = description
      self.end = end
      self.now = now
      self.wanted = wanted
      self.isGood = isGood
    }
  }

  static let rows: [Row] = [
    Row("new", end: 3_600, now: 0, isGood: true),
    Row("just long enough", end: 3_600, now: 3_540, isGood: true),
    Row("a second too short", end: 3_600, now: 3_541, isGood: false),
    Row("over", end: 3_600, now: 3_601, isGood: false),
    Row("over by years, as after a flat battery", end: 3_600, now: 1_000_000_000, isGood: false),
    Row("nothing demanded", end: 3_600, now: 3_599, wanted: 0, isGood: true),
    Row("nothing demanded, and just over", end: 3_600, now: 3_600, wanted: 0, isGood: false),
    Row("longer than any life", end: 3_600, now: 0, wanted: 3_601, isGood: false),
    Row("without an end", end: nil, now: 1_000_000_000, isGood: true),
    Row("without an end, and the clock was put back", end: nil, now: -1_000_000, isGood: true),
    Row("the clock was put back by seconds", end: 3_600, now: -30, isGood: true),
    Row("the clock was put back", end: 3_600, now: -31, isGood: false),
    Row("the clock was put back by years", end: 3_600, now: -1_000_000_000, isGood: false),
    Row("as long as numbers go", end: 3_600, now: 0, wanted: .max, isGood: false),
  ]

  private func account(end: Int64?, refreshToken: String?, endpoint: Bool = true) throws -> Account {
    var provider = try Samples.code()
    if endpoint { provider.endpoints[.token] = try Endpoint("https://as.test/token") }
    var json: JSONObject = ["access_token": "T", "token_type": "Bearer"]
    json["refresh_token"] = refreshToken.map(JSONValue.string)
    var token = try #require(Token(json: json))
    token.setExpiresIn(end, from: try Samples.receivedAt())
    return Account(
      try #require(AccountName("work")), login: try Samples.login(provider), token: token,
      receivedAt: try Samples.receivedAt())
  }

  @Test("a token is good, or is refreshed, or somebody signs in", arguments: rows)
  func freshness(row: Row) throws {
    let now = try #require(try Samples.receivedAt().adding(seconds: row.now))
    func freshness(_ account: Account) -> Freshness { account.freshness(at: now, forAtLeast: row.wanted) }
    #expect(freshness(try account(end: row.end, refreshToken: "R")) == (row.isGood ? .good : .needsRefresh))
    #expect(freshness(try account(end: row.end, refreshToken: nil)) == (row.isGood ? .good : .needsLogin))
    #expect(freshness(try account(end: row.end, refreshToken: "")) == (row.isGood ? .good : .needsLogin))
    #expect(
      freshness(try account(end: row.end, refreshToken: "R", endpoint: false))
        == (row.isGood ? .good : .needsLogin))
  }

  // p2/OAuth2's `token_assume_unexpired`.
  @Test("a token without an end is not good for those who do not assume it")
  func assumption() throws {
    let account = try account(end: nil, refreshToken: "R")
    let now = try Samples.receivedAt()
    #expect(account.freshness(at: now, forAtLeast: 0, assumingUnexpired: false) == .needsRefresh)
  }
}
