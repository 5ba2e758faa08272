import Testing

@testable import LoginCore

@Suite("End of a session at the provider")
struct EndSessionRequestTests {
  private func request() throws -> EndSessionRequest {
    var provider = try Samples.code()
    provider.endpoints[.endSession] = try Endpoint("https://as.test/end?tenant=7")
    return try EndSessionRequest(
      for: try Samples.login(provider), idToken: "I",
      returningTo: RedirectURI("https://app.test/out"), cryptography: FakeCryptography())
  }

  // OpenID Connect RP-Initiated Logout section 2.
  @Test("the request says whose session, for which client, and where to return")
  func parameters() throws {
    let request = try request()
    let state = request.state.revealed()
    #expect(
      request.url
        == "https://as.test/end?tenant=7&id_token_hint=I&client_id=client"
        + "&post_logout_redirect_uri=https%3A%2F%2Fapp.test%2Fout&state=\(state)")
    #expect(request.visit.url == request.url)
  }

  // Section 3.
  @Test("only an answer that repeats the state ends the session")
  func state() throws {
    let request = try request()
    let policy = request.visit.policy
    let state = request.state.revealed()
    try request.check(Samples.callback(Array("https://app.test/out?state=\(state)".utf8), policy))
    let wrong = try Samples.callback(Array("https://app.test/out?state=other".utf8), policy)
    expectFailure(.untrusted(.stateMismatch)) { try request.check(wrong) }
    let none = try Samples.callback(Array("https://app.test/out".utf8), policy)
    expectFailure(.untrusted(.stateMissing)) { try request.check(none) }
    let twice = try Samples.callback(Array("https://app.test/out?state=\(state)&state=b".utf8), policy)
    expectFailure(.untrusted(.duplicateParameter("state"))) { try request.check(twice) }
  }

  @Test("without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.caller(.noEndpoint(.endSession))) {
      _ = try EndSessionRequest(
        for: login, idToken: nil, returningTo: RedirectURI("https://app.test/out"),
        cryptography: FakeCryptography())
    }
  }
}
