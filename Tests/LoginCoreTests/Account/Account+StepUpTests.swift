import Testing

@testable import LoginCore

@Suite("What another login may bring")
struct AccountStepUpTests {
  @Test(
    "it is what the last one has not asked for, or has brought too long ago",
    arguments: [
      (.scope("c"), 0, true), (.scope("b c"), 0, true), (.scope("b"), 99, false), (.scope("b a"), 99, false),
      (.authentication(contexts: "gold", maxAge: "9"), 8, false),
      (.authentication(contexts: "gold", maxAge: "9"), 9, true),
      (.authentication(contexts: "gold", maxAge: "5"), 0, true),
      (.authentication(contexts: "iron", maxAge: "9"), 0, true),
      (.authentication(contexts: "gold", maxAge: nil), 99, false),
    ] as [(StepUp, Int64, Bool)])
  func mayBring(stepUp: StepUp, age: Int64, isTrue: Bool) throws {
    var account = try Samples.account(
      at: Samples.code(), token: ["access_token": "T", "token_type": "Bearer"], life: nil)
    account.login.scope = "a b"
    account.login.parameters = [Parameter("acr_values", "gold"), Parameter("max_age", "9")]
    let now = try #require(account.receivedAt.adding(seconds: age))
    #expect(account.mayBring(stepUp, at: now) == isTrue)
    account.login.parameters = [Parameter("max_age", "0")]
    #expect(!account.mayBring(.authentication(contexts: nil, maxAge: "0"), at: now), "never content")
  }
}
