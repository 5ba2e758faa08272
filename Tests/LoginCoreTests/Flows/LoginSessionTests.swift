import Testing

@testable import LoginCore

/// Logins whose callback carries the token.
@Suite("LoginSession")
struct LoginSessionTests {
  private static let answer =
    "https://oauth.vk.com/blank.html#access_token=T&user_id=1&expires_in=60&state=S-_.~%201"

  /// The result of a login, and the calls on the way.
  private struct Course {
    var token: Token?
    var failure: Failure?
    var events: [Record.Event] = []

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

  @Test("The agent shows the page and is dismissed, and the token lives from the time of the answer")
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

  @Test("Only the first callback counts")
  func firstCallback() async throws {
    let course = try await course(["https://oauth.vk.com/blank.html#state=wrong", Self.answer])
    #expect(course.failure == .stateMismatch)
    #expect(course.token == nil)
  }

  @Test("Every request has another state")
  func randomState() async throws {
    let course = try await course([Self.answer]) { $0.fixed = LoginRequest.FixedValues() }
    #expect(course.failure == .stateMismatch)
  }

  @Test(
    "A login that could not be completed is refused before a page is opened",
    arguments: [
      ("code", .noEndpoint(.token)), ("id_token", .unverifiableIDToken),
      ("id_token token", .unverifiableIDToken), ("code token", .noEndpoint(.token)),
      ("code id_token", .noEndpoint(.token)),
    ] as [(String, Failure)])
  func impossible(text: String, failure: Failure) async throws {
    let type = try #require(ResponseType(text))
    let course = try await course([Self.answer]) { $0.responseType = type }
    #expect(course.failure == failure)
    #expect(!course.events.openPage)
    let login = try Samples.login(Samples.vk(), responseType: text)
    expectFailure(failure) { try login.validate(for: .page) }
  }

  @Test(
    "A callback that is refused ends the login, and the agent is dismissed once",
    arguments: [
      ("#access_token=T&user_id=1&expires_in=60&state=wrong", .stateMismatch),
      ("#state=S-_.~+1&user_id=1", .missingToken(["access_token", "expires_in"])),
      ("#error=access_denied", .refusal(code: "access_denied")),
    ] as [(String, Failure)])
  func refusedCallback(fragment: String, failure: Failure) async throws {
    let course = try await course(["https://oauth.vk.com/blank.html\(fragment)"])
    #expect(course.failure == failure)
    #expect(course.token == nil)
    #expect(course.dismissals == 1)
  }

  @Test("An error page ends the login with the error on it, and the agent is dismissed once")
  func errorPage() async throws {
    let uri = "https://oauth.vk.com/error?err=2"
    let body = #"{"error":"invalid_request","error_description":"Security Error"}"#
    let course = try await course([uri, Self.answer], body: Array(body.utf8))
    let refusal = Failure.refusal(code: "invalid_request", description: "Security Error", page: uri)
    #expect(course.failure == refusal)
    #expect(course.dismissals == 1)
  }

  @Test(
    "The failure of a visit is that of the login, and the agent is dismissed once",
    arguments: [Failure.windowClosed, .cancelled, Samples.noDisplay])
  func failedVisit(failure: Failure) async throws {
    let course = try await course(["https://oauth.vk.com/authorize"], failure: failure)
    #expect(course.failure == failure)
    #expect(course.token == nil)
    #expect(course.dismissals == 1)
  }
}
