import Testing

@testable import LoginCore

/// A token renewed without the user.
@Suite("RefreshSession")
struct RefreshSessionTests {
  private func token(_ answer: String, status: Int = 200) async throws -> Token {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let transport = FakeTransport(["https://as.test/token": .json(answer, status: status)])
    let clock = FakeClock(date: try Samples.receivedAt(), record: transport.record)
    return try await RefreshSession(transport: transport, clock: clock)
      .token(for: RefreshToken("R1"), of: Samples.login(provider))
  }

  // RFC 6749 section 6: a new refresh token takes the place of the old one.
  @Test("a new refresh token replaces the old one, and without one the old one stays")
  func rotation() async throws {
    let rotated = try await token(#"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#)
    #expect(rotated.members["refresh_token"] == "R2")
    let kept = try await token(#"{"access_token":"T","token_type":"Bearer","refresh_token":""}"#)
    #expect(kept.members["refresh_token"] == "R1")
  }

  @Test("a refresh token that is dead is the provider's refusal")
  func dead() async throws {
    await #expect(throws: Failure.provider(ProviderError(code: "invalid_grant"))) {
      try await token(#"{"error":"invalid_grant"}"#, status: 400)
    }
  }
}
