import Testing

@testable import LoginCore

// RFC 9396 section 7.
@Suite("What exactly was granted")
struct AuthorizationDetailsTests {
  @Test(
    "the answer has to say it, and nothing of another kind",
    arguments: [
      (#"[{"type":"pay","amount":1}]"#, true), (#"[{"type":"pay"},{"type":"read"}]"#, true),
      (#"[{"type":"pay"},{"type":"all"}]"#, false), ("[]", false), ("null", false),
      (#"[{"amount":1}]"#, false),
      (#""pay""#, false),
    ])
  func granted(details: String, isRight: Bool) throws {
    var login = try Samples.login(Samples.code())
    let answer = try TokenResponse(
      .json(#"{"access_token":"T","token_type":"Bearer","authorization_details":\#(details)}"#))
    try login.checkDetails(answer)
    login.parameters = [Parameter("authorization_details", #"[{"type":"pay"},{"type":"read"}]"#)]
    if isRight {
      try login.checkDetails(answer)
    } else {
      expectFailure(.untrusted(.missingToken(["authorization_details"]))) { try login.checkDetails(answer) }
    }
  }
}
