import Testing

@testable import LoginCore

/// What is claimed to have been verified.
@Suite("Checks")
struct ChecksTests {
  @Test("a check that did not apply is absent")
  func absent() {
    #expect(Checks().json == [:])
    var checks = Checks()
    checks.state = true
    #expect(checks.json == ["state": "verified"])
  }

  @Test("checks are written in their order and read back", arguments: [RedirectCheck.exact, .alias])
  func roundTrip(redirect: RedirectCheck) {
    var checks = Checks()
    checks.redirect = redirect
    checks.state = true
    checks.issuer = true
    #expect(
      checks.json.text
        == "{\"redirect\":\"\(redirect.rawValue)\",\"state\":\"verified\",\"iss\":\"verified\"}")
    #expect(Checks(json: checks.json) == checks)
    #expect(Checks(json: [:]) == Checks())
  }

  @Test("only the words that are written are read as a claim")
  func otherWords() {
    #expect(Checks(json: ["redirect": "yes", "state": true, "iss": "Verified", "pkce": "s256"]) == Checks())
  }
}
