import Testing

@testable import LoginCore

/// One login from the request to the token.
@Suite("LoginSession")
struct LoginSessionTests {
  private static let answer =
    "https://oauth.vk.com/blank.html#access_token=T&user_id=1&expires_in=60&state=S-_.~%201"

  /// What a login came to, and what it asked for on the way.
  private struct Course {
    var token: Token?
    var failure: Failure?
    var events: [Record.Event] = []

    /// How often the agent was told that the login is over.
    var dismissals: Int { events.count { $0 == .dismiss } }
  }

  private func course(
    _ navigations: [String], body: [UInt8]? = nil, failure: Failure? = nil,
    changing change: (inout LoginRequest) -> Void = { _ in }
  ) async throws -> Course {
    let record = Record()
    var agent = FakeUserAgent(navigations: navigations, body: body, record: record)
    if let failure { agent.failure = failure }
    let clock = FakeClock(date: try Samples.receivedAt(), record: record)
    let session = LoginSession(
      agent: agent, Dependencies(transport: FakeTransport(), cryptography: FakeCryptography(), clock: clock))
    var login = try Samples.login(Samples.vk())
    change(&login)
    var course = Course()
    do throws(Failure) {
      course.token = try await session.token(for: login)
    } catch {
      course.failure = error
    }
    course.events = record.events
    return course
  }

  @Test("the user is taken to the request, the time is noted, and the agent is dismissed")
  func steps() async throws {
    let course = try await course(["https://oauth.vk.com/authorize", "https://id.vk.com/", Self.answer])
    let url = try AuthorizationRequest(Samples.login(Samples.vk()), cryptography: FakeCryptography()).url
    #expect(course.events == [.visit(url), .now, .dismiss])
    #expect(course.failure == nil)
    let token = try #require(course.token)
    #expect(token.accessToken == AccessToken("T"))
    #expect(token.expiresAt?.description == "2026-11-21T07:15:00Z")
    #expect(token.checks.redirect == .exact)
    #expect(token.checks.state)
  }

  @Test("a token in another form of the redirect URI is one, too, and says so")
  func alias() async throws {
    let alias = "https://oauth.vk.ru/blank.html#access_token=T&user_id=1&expires_in=0&state=S-_.~+1"
    #expect(try await course([alias]).token?.checks.redirect == .alias)
  }

  @Test("only the first answer counts")
  func firstAnswer() async throws {
    let course = try await course(["https://oauth.vk.com/blank.html#state=wrong", Self.answer])
    #expect(course.failure == .untrusted(.stateMismatch))
    #expect(course.token == nil)
  }

  @Test("the state of a request is not that of the next one")
  func randomState() async throws {
    let course = try await course([Self.answer]) { $0.fixed = LoginRequest.FixedValues() }
    #expect(course.failure == .untrusted(.stateMismatch))
  }

  @Test(
    "what cannot be completed is refused before anything is opened",
    arguments: [
      ("code", .noEndpoint(.token)), ("id_token", .unverifiableIDToken),
      ("id_token token", .unverifiableIDToken), ("code token", .noEndpoint(.token)),
      ("code id_token", .noEndpoint(.token)),
    ] as [(String, CallerFault)])
  func otherResponseTypes(text: String, fault: CallerFault) async throws {
    let type = try #require(ResponseType(text))
    let course = try await course([Self.answer]) { $0.responseType = type }
    #expect(course.failure == .caller(fault))
    #expect(!course.events.openPage)
    var login = try Samples.login(Samples.vk())
    login.responseType = type
    expectFailure(.caller(fault)) { try LoginSession.check(login) }
  }

  @Test("a request that cannot work is refused before anything is opened")
  func refusedRequest() async throws {
    let course = try await course([Self.answer]) { $0.clientID = "" }
    #expect(course.failure == .caller(.noClient))
    #expect(!course.events.openPage)
  }

  @Test("an implicit request can be completed")
  func check() throws {
    #expect(throws: Never.self) { try LoginSession.check(Samples.login(Samples.vk())) }
  }

  @Test(
    "an answer that is refused ends the login, and the agent is dismissed once",
    arguments: [
      ("#access_token=T&user_id=1&expires_in=60&state=wrong", .untrusted(.stateMismatch)),
      ("#access_token=T&user_id=1&expires_in=60", .untrusted(.stateMissing)),
      ("#a=1&a=2", .untrusted(.duplicateParameter("a"))),
      ("#state=S-_.~+1&user_id=1", .untrusted(.missingToken(["access_token", "expires_in"]))),
      (
        "#state=S-_.~+1&access_token=T&user_id=1&expires_in=1&token_type=mac",
        .untrusted(.unsupportedTokenType("mac"))
      ),
      ("#error=access_denied", .provider(ProviderError(code: "access_denied"))),
    ] as [(String, Failure)])
  func refusedAnswer(fragment: String, failure: Failure) async throws {
    let course = try await course(["https://oauth.vk.com/blank.html\(fragment)"])
    #expect(course.failure == failure)
    #expect(course.token == nil)
    #expect(course.dismissals == 1)
  }

  @Test("an error page ends the login with the provider's words, and the agent is dismissed once")
  func errorPage() async throws {
    let uri = "https://oauth.vk.com/error?err=2"
    let body = "{\"error\":\"invalid_request\",\"error_description\":\"Security Error\"}"
    let course = try await course([uri, Self.answer], body: Array(body.utf8))
    let error = ProviderError(code: "invalid_request", description: "Security Error", page: uri)
    #expect(course.failure == .provider(error))
    #expect(course.dismissals == 1)
  }

  @Test(
    "a visit that fails ends the login as it failed",
    arguments: [
      Failure.user(.cancelled(.windowClosed)), .user(.cancelled(.task)), .application(FakeFault.ours),
    ])
  func failedVisit(failure: Failure) async throws {
    let course = try await course(["https://oauth.vk.com/authorize"], failure: failure)
    #expect(course.failure == failure)
    #expect(course.token == nil)
  }

  // UserAgent.dismiss(): "the login is over, however it ended".
  @Test("an agent whose visit failed is dismissed, too")
  func dismissedAfterFailure() async throws {
    let course = try await course([], failure: .application(FakeFault.ours))
    #expect(course.dismissals == 1)
  }

  @Test("without random bytes nothing is opened")
  func noRandomness() async throws {
    let record = Record()
    let session = LoginSession(
      agent: FakeUserAgent(navigations: [Self.answer], record: record),
      try Samples.dependencies(FakeTransport(record: record), FakeCryptography(failure: Samples.defect)))
    var login = try Samples.login(Samples.vk())
    login.fixed = LoginRequest.FixedValues()
    await #expect(throws: Samples.defect) { try await session.token(for: login) }
    #expect(!record.events.openPage)
  }
}
