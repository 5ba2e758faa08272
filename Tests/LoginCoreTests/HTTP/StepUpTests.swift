import Testing

@testable import LoginCore

@Suite("StepUp")
struct StepUpTests {
  @Test(
    "A demand for another login is read from a challenge for a token",
    arguments: [
      (403, #"Bearer error="insufficient_scope", scope="a b""#, .scope("a b")),
      (401, #"Bearer error="insufficient_scope", scope="a b""#, nil),
      (403, #"Bearer error="insufficient_scope""#, nil),
      (403, #"Basic error="insufficient_scope", scope="a b""#, nil),
      (
        401, #"Bearer error="insufficient_user_authentication", acr_values="gold", max_age="5""#,
        .authentication(contexts: "gold", maxAge: "5")
      ),
      (
        401, #"DPoP error="insufficient_user_authentication", max_age=5"#,
        .authentication(contexts: nil, maxAge: "5")
      ),
      (401, #"Bearer error="insufficient_user_authentication", max_age="soon""#, nil),
      (401, #"Bearer error="invalid_token""#, nil),
    ] as [(Int, String, StepUp?)])
  func read(status: Int, challenge: String, demand: StepUp?) {
    let head = HTTPResponse(status: status, headers: [Parameter("WWW-Authenticate", challenge)])
    #expect(StepUp(head) == demand)
  }

  @Test("The new login asks for the old scope and parameters, and for what the server demands")
  func request() throws {
    var login = try Samples.login(Samples.code())
    login.scope = "a b"
    login.parameters = [Parameter("resource", "https://api.test/"), Parameter("max_age", "9")]
    #expect(login.asking(.scope("b c")).scope == "a b c")
    let again = login.asking(.authentication(contexts: "gold", maxAge: "0"))
    #expect(again.scope == "a b")
    #expect(
      again.parameters == [
        Parameter("resource", "https://api.test/"), Parameter("acr_values", "gold"),
        Parameter("max_age", "0"),
      ])
    #expect(again.authenticationContexts == ["gold"] && again.maxAge == 0)
  }
}
