import Testing

@testable import LoginCore

@Suite("Polling for a device's token")
struct DevicePollingTests {
  private func polling(lifetime: Int = 600, interval: Int = 5) throws -> DevicePolling {
    DevicePolling(
      try DeviceAuthorization(
        .json(
          """
          {"device_code":"D","user_code":"U","verification_uri":"https://as.test/","expires_in":\(lifetime),
          "interval":\(interval)}
          """)))
  }

  private func answered(_ code: String) -> Failure { .provider(ProviderError(code: code)) }

  // RFC 8628 section 3.5.
  @Test(
    "while the user has not decided it asks again after the interval, and every slow_down adds five seconds")
  func slowDown() throws {
    var polling = try polling()
    #expect(polling.first() == .wait(seconds: 5))
    #expect(polling.next(after: answered("authorization_pending")) == .wait(seconds: 5))
    #expect(polling.next(after: answered("slow_down")) == .wait(seconds: 10))
    #expect(polling.next(after: answered("authorization_pending")) == .wait(seconds: 10))
    #expect(polling.next(after: answered("slow_down")) == .wait(seconds: 15))
  }

  @Test("nobody answers: the pauses grow, up to a minute, and shrink again with the next answer")
  func backOff() throws {
    var polling = try polling(lifetime: 3_600)
    let silence = Failure.network(.timeout(host: "as.test", seconds: 30))
    let pauses = (0..<6).map { _ in polling.next(after: silence) }
    #expect(pauses == [10, 20, 40, 60, 60, 60].map { .wait(seconds: $0) })
    #expect(polling.next(after: answered("authorization_pending")) == .wait(seconds: 5))
    #expect(polling.next(after: silence) == .wait(seconds: 10))
  }

  @Test(
    "a server that cannot answer now is asked again, ever more rarely",
    arguments: [
      HTTPResponse(status: 503, body: Array("<html>".utf8)), HTTPResponse(status: 500),
      HTTPResponse(status: 429, headers: [Parameter("Retry-After", "2")]),
      .json(#"{"error":"temporarily_unavailable"}"#, status: 503), .json(#"{"error":"server_error"}"#),
      .json(#"{"error":"too_many_requests"}"#, status: 429),
    ])
  func busy(_ response: HTTPResponse) throws {
    var polling = try polling(lifetime: 3_600)
    do throws(Failure) {
      _ = try TokenResponse(response)
      Issue.record("that is no token")
    } catch {
      #expect(polling.next(after: error) == .wait(seconds: 10))
      #expect(polling.next(after: error) == .wait(seconds: 20))
    }
  }

  @Test(
    "every other error ends it",
    arguments: ["access_denied", "expired_token", "invalid_grant", "too_many_requests"])
  func ended(_ code: String) throws {
    var polling = try polling()
    #expect(polling.next(after: answered(code)) == .end(answered(code)))
  }

  @Test("a decision ends it whatever the status says", arguments: ["access_denied", "expired_token"])
  func decided(_ code: String) throws {
    var polling = try polling()
    #expect(throws: answered(code)) { try TokenResponse(.json(#"{"error":"\#(code)"}"#, status: 503)) }
    #expect(polling.next(after: answered(code)) == .end(answered(code)))
  }

  @Test("an answer that cannot be believed ends it")
  func unbelievable() throws {
    var polling = try polling()
    let failure = Failure.network(.tls(host: "as.test", .certificate([.unknownIssuer]), fingerprint: nil))
    #expect(polling.next(after: failure) == .end(failure))
  }

  @Test("it ends when the code has expired, without one question more")
  func expired() throws {
    var polling = try polling(lifetime: 12)
    #expect(polling.first() == .wait(seconds: 5))
    #expect(polling.next(after: answered("authorization_pending")) == .wait(seconds: 5))
    guard case .end(.provider(let error)) = polling.next(after: answered("authorization_pending")) else {
      Issue.record("it went on")
      return
    }
    #expect(error.code == "expired_token")
  }

  @Test("the last question is asked at the very end of the code")
  func lastQuestion() throws {
    var polling = try polling(lifetime: 10)
    #expect(polling.first() == .wait(seconds: 5))
    #expect(polling.next(after: answered("authorization_pending")) == .wait(seconds: 5))
  }

  @Test("the time that a question took counts as well, and a clock that was put back does not")
  func slowQuestions() throws {
    var polling = try polling(lifetime: 60)
    #expect(polling.first() == .wait(seconds: 5))
    #expect(polling.next(after: answered("authorization_pending"), took: -3_600) == .wait(seconds: 5))
    guard case .end(.provider(let error)) = polling.next(after: answered("authorization_pending"), took: 50)
    else {
      Issue.record("it went on")
      return
    }
    #expect(error.code == "expired_token")
  }

  @Test("numbers without measure end in a wait that somebody lives to see")
  func absurd() throws {
    var polling = try polling(lifetime: 9_000_000_000_000_000_000, interval: 9_000_000_000_000_000_000)
    #expect(polling.interval <= 86_400)
    _ = polling.next(after: answered("slow_down"))
  }
}
