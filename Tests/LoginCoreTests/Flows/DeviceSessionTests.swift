import Synchronization
import Testing

@testable import LoginCore

@Suite("DeviceSession")
struct DeviceSessionTests {
  private static let codes =
    #"{"device_code":"D","user_code":"WDJB-MJHT","verification_uri":"https://as.test/device","expires_in":60}"#
  private static let token = HTTPResponse.json(#"{"access_token":"T","token_type":"Bearer"}"#)

  /// A server that gives its answers in order, and repeats the last one.
  private final class Server: HTTPTransport {
    let record: Record
    private let answers: Mutex<[Result<HTTPResponse, Failure>]>
    private let requests = Mutex<[HTTPRequest]>([])

    init(_ answers: [Result<HTTPResponse, Failure>], record: Record) {
      self.answers = Mutex(answers)
      self.record = record
    }

    var sent: [HTTPRequest] { requests.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
      record.note(.send(request.endpoint.description))
      requests.withLock { $0.append(request) }
      let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return try answer.get()
    }
  }

  /// The codes that the user was shown.
  private final class Shown: Sendable {
    private let list = Mutex<[String]>([])
    var codes: [String] { list.withLock { $0 } }
    func note(_ code: String) { list.withLock { $0.append(code) } }
  }

  /// The result of a login, and everything that happened on the way.
  private struct Course {
    var token: Token?
    var failure: Failure?
    var shown: [String] = []
    var waits: [Int64] = []
    var sent: [HTTPRequest] = []
  }

  private func course(
    codes: HTTPResponse = .json(codes), _ answers: [Result<HTTPResponse, Failure>],
    _ change: (inout LoginRequest) throws -> Void = { _ in }
  ) async throws -> Course {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    provider.endpoints[.deviceAuthorization] = try Endpoint("https://as.test/codes")
    var login = try Samples.login(provider)
    try change(&login)
    let record = Record()
    let server = Server([.success(codes)] + answers, record: record)
    let shown = Shown()
    let session = DeviceSession(
      Dependencies(
        transport: server, cryptography: FakeCryptography(),
        clock: FakeClock(date: try SampleIDToken.date(), record: record))
    ) { notice in
      if case .code(let device) = notice { shown.note(device.userCode ?? device.verificationURI) }
    }
    var course = Course()
    do throws(Failure) { course.token = try await session.token(for: login) } catch { course.failure = error }
    course.shown = shown.codes
    course.waits = record.events.compactMap { if case .wait(let seconds) = $0 { seconds } else { nil } }
    course.sent = server.sent
    return course
  }

  private static func refusal(_ code: String) -> Result<HTTPResponse, Failure> {
    .success(.json(#"{"error":"\#(code)"}"#, status: 400))
  }

  private static let flow =
    #"{"poll":{"token":"P","endpoint":"https://other.test/poll"},"login":"https://as.test/login/v2/flow/L"}"#

  private func loginFlow(_ begin: String = flow, _ answers: HTTPResponse...) async throws -> Course {
    try await course(codes: .json(begin), answers.map { .success($0) }) { login in
      var grant = Provider.DeviceGrant()
      grant.isLoginFlow = true
      login.provider.deviceGrant = grant
      login.provider.ownTokenMembers = ["user_id", "server"]
      login.provider.headers = [Parameter("User-Agent", "Mail")]
    }
  }

  @Test("Login Flow v2 shows a page without a code, and its answer becomes a token")
  func loginFlow() async throws {
    let course = try await loginFlow(
      Self.flow, .json("[]", status: 404),
      .json(#"{"server":"https://as.test","loginName":"ann","appPassword":"p","more":1}"#))
    #expect(course.failure == nil)
    #expect(course.shown == ["https://as.test/login/v2/flow/L"])
    #expect(course.waits == [2, 2])
    #expect(course.sent.map(\.form) == [[], [Parameter("token", "P")], [Parameter("token", "P")]])
    #expect(course.sent.allSatisfy { $0.values(of: "User-Agent") == ["Mail"] })
    #expect(course.sent.last?.endpoint.description == "https://as.test/token", "not the one in the answer")
    let token = try #require(course.token)
    #expect(token.accessToken == AccessToken("p") && token.type == "Bearer" && token.expiresAt == nil)
    #expect(token.allMembers == ["user_id": "ann", "server": "https://as.test"])
  }

  @Test("Login Flow v2 refuses a page of another server, and an answer that lacks something")
  func badLoginFlow() async throws {
    for page in ["https://other.test/login", "http://as.test/login", "https://as.test:8443/login", ""] {
      let failure = try await loginFlow(#"{"poll":{"token":"P"},"login":"\#(page)"}"#).failure
      #expect(failure == .unusable("login", from: .deviceAuthorization), "\(page)")
    }
    #expect(
      try await loginFlow(#"{"login":"https://as.test/login"}"#).failure
        == .missing("poll.token", from: .deviceAuthorization))
    #expect(
      try await loginFlow(Self.flow, .json(#"{"server":"https://as.test","loginName":"ann"}"#)).failure
        == .missingToken(["access_token"]))
    #expect(
      try await loginFlow(Self.flow, .json("[]", status: 404)).failure?.code == .expiredToken)
  }

  // RFC 8628 sections 3.3 to 3.5.
  @Test("The code is shown once, and the token endpoint is asked after every pause that it demands")
  func course() async throws {
    let course = try await course([
      Self.refusal("authorization_pending"), Self.refusal("slow_down"), .success(Self.token),
    ]) { $0.scope = "mail" }
    #expect(course.token?.accessToken?.revealed() == "T")
    #expect(course.shown == ["WDJB-MJHT"])
    #expect(course.waits == [5, 5, 10])
    #expect(course.sent.map(\.endpoint.description).first == "https://as.test/codes")
    #expect(course.sent[0].form == [Parameter("scope", "mail"), Parameter("client_id", "client")])
    #expect(course.sent.count == 4)
    #expect(
      course.sent[3].form == [
        Parameter("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        Parameter("device_code", "D"), Parameter("client_id", "client"),
      ])
  }

  @Test("A provider that does not answer is asked ever less often, until it answers again")
  func silence() async throws {
    let silence = Result<HTTPResponse, Failure>.failure(.noAnswer("as.test", seconds: 30))
    let course = try await course([
      silence, silence, Self.refusal("authorization_pending"), .success(Self.token),
    ])
    #expect(course.token != nil)
    #expect(course.waits == [5, 10, 20, 5])
  }

  @Test("The login ends when the code expires")
  func expired() async throws {
    let course = try await course([Self.refusal("authorization_pending")])
    #expect(course.failure == .codeExpired)
    #expect(course.waits.reduce(0, +) == 60)
  }

  @Test("After a refusal of the device authorization endpoint no code is shown")
  func noCode() async throws {
    let course = try await course(
      codes: .json(#"{"error":"unauthorized_client"}"#, status: 400), [.success(Self.token)])
    #expect(course.failure == .refusal(code: "unauthorized_client"))
    #expect(course.shown.isEmpty)
    #expect(course.waits.isEmpty)
  }

  @Test("A login that could not be completed is refused before a request is sent")
  func impossible() async throws {
    for (change, failure) in [
      ({ $0.provider.endpoints[.deviceAuthorization] = nil }, .noEndpoint(.deviceAuthorization)),
      ({ $0.provider.endpoints[.token] = nil }, .noEndpoint(.token)),
      ({ $0.scope = "openid" }, .unverifiableIDToken),
      ({ $0.responseType = .token }, Failure(.invalidConfiguration, "the device grant has no response type")),
    ] as [((inout LoginRequest) -> Void, Failure)] {
      let course = try await course([.success(Self.token)], change)
      #expect(course.failure == failure)
      #expect(course.sent.isEmpty)
    }
  }

  /// Returns the answer of the token endpoint with an id_token, and the answer with the keys.
  private func answers(idToken: String) -> [Result<HTTPResponse, Failure>] {
    let answer: JSONObject = ["access_token": "T", "token_type": "Bearer", "id_token": .string(idToken)]
    return [.success(.json(answer.text)), .success(SampleIDToken.keySet)]
  }

  private func askForIDToken(_ login: inout LoginRequest) throws {
    login.scope = "openid"
    login.provider.issuer = try Issuer(SampleIDToken.issuer)
    login.provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
  }

  // OpenID Connect Core section 3.1.3.7. The device grant has no nonce.
  @Test("An id_token is verified, and must be in the answer if it was asked for")
  func idToken() async throws {
    let claims = SampleIDToken.claims("nonce", nil)
    let text = try SampleIDToken.text(claims.text)
    let good = try await course(answers(idToken: text), askForIDToken)
    #expect(good.failure == nil && good.token?.claims == claims && good.token?.checks.idToken == true)
    let forged = try await course(answers(idToken: text.dropLast(4) + "AAAA"), askForIDToken)
    #expect(forged.failure == .invalidIDToken("its signature is wrong"))
    let missing = try await course([.success(Self.token)], askForIDToken)
    #expect(missing.failure == .missingToken(["id_token"]))
  }

  @Test("If the request limits the age of the sign-in, the id_token must tell it")
  func age() async throws {
    let text = try SampleIDToken.text(SampleIDToken.claims("nonce", nil).text)
    let course = try await course(answers(idToken: text)) { login in
      try askForIDToken(&login)
      login.parameters = [Parameter("max_age", "60")]
    }
    #expect(course.failure == .invalidIDToken("it lacks auth_time", details: ["missing": ["auth_time"]]))
  }

  @Test("The answer must grant the authorization_details of the request")
  func details() async throws {
    let course = try await course([.success(Self.token)]) { login in
      login.parameters = [Parameter("authorization_details", #"[{"type":"payment"}]"#)]
    }
    #expect(course.failure == .missingToken(["authorization_details"]))
  }
}

@Suite("DevicePolling")
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

  private let pending = Failure.refusal(code: "authorization_pending")
  private let slowDown = Failure.refusal(code: "slow_down")

  // RFC 8628 section 3.5.
  @Test("The pause is the interval, to which every slow_down adds five seconds")
  func interval() throws {
    var polling = try polling()
    #expect(polling.first() == .wait(seconds: 5))
    #expect(polling.next(after: pending) == .wait(seconds: 5))
    #expect(polling.next(after: slowDown) == .wait(seconds: 10))
    #expect(polling.next(after: pending) == .wait(seconds: 10))
    #expect(polling.next(after: slowDown) == .wait(seconds: 15))
  }

  // RFC 9110 section 10.2.3.
  @Test(
    "A server that asks for a longer pause gets it, once more before the codes expire",
    arguments: [
      ("30", 30), ("3", 10), ("Sat, 21 Nov 2026 07:14:40 GMT", 40), ("Sat, 21 Nov 2026 07:13:00 GMT", 10),
      ("99999999999999999999", 100), ("soon", 10), ("-5", 10), ("", 10),
      ("Sat, 31 Feb 2026 07:14:40 GMT", 10),
    ])
  func delay(field: String, seconds: Int64) throws {
    let now = try #require(UTCDate("2026-11-21T07:14:00Z"))
    let busy = HTTPResponse(status: 429, headers: [Parameter("Retry-After", field)])
    let failure = try #require(#expect(throws: Failure.self) { try TokenResponse(busy) })
    var polling = try polling(lifetime: 100)
    #expect(polling.next(after: failure, delay: busy.delay(at: now)) == .wait(seconds: seconds))
    var pending = try self.polling(lifetime: 100, interval: 10)
    #expect(pending.next(after: self.pending, delay: busy.delay(at: now)) == .wait(seconds: seconds))
  }

  @Test("Without an answer the pauses double, up to a minute, and the next answer ends that")
  func backOff() throws {
    var polling = try polling(lifetime: 3_600)
    let silence = Failure.noAnswer("as.test", seconds: 30)
    let pauses = (0..<6).map { _ in polling.next(after: silence) }
    #expect(pauses == [10, 20, 40, 60, 60, 60].map { .wait(seconds: $0) })
    #expect(polling.next(after: pending) == .wait(seconds: 5))
    #expect(polling.next(after: silence) == .wait(seconds: 10))
  }

  @Test(
    "A server with a problem of its own counts as silent",
    arguments: [
      HTTPResponse(status: 503, body: Array("<html>".utf8)), HTTPResponse(status: 500),
      HTTPResponse(status: 429, headers: [Parameter("Retry-After", "2")]),
      .json(#"{"error":"temporarily_unavailable"}"#, status: 503), .json(#"{"error":"server_error"}"#),
      .json(#"{"error":"too_many_requests"}"#, status: 429),
    ])
  func busy(_ response: HTTPResponse) throws {
    var polling = try polling(lifetime: 3_600)
    let failure = try #require(#expect(throws: Failure.self) { try TokenResponse(response) })
    #expect(polling.next(after: failure) == .wait(seconds: 10))
    #expect(polling.next(after: failure) == .wait(seconds: 20))
  }

  @Test(
    "Any other refusal, and a server that cannot be trusted, ends the polling",
    arguments: [
      Failure.refusal(code: "access_denied"), .refusal(code: "expired_token", description: "too late"),
      .refusal(code: "invalid_grant"), .refusal(code: "too_many_requests"),
      .untrustedCertificate("as.test", "its issuer is unknown", fingerprint: nil),
    ])
  func ended(_ failure: Failure) throws {
    var polling = try polling()
    #expect(polling.next(after: failure) == .end(failure))
  }

  @Test("A decision ends the polling even with status 503", arguments: ["access_denied", "expired_token"])
  func decided(_ code: String) throws {
    var polling = try polling()
    let failure = Failure.refusal(code: code)
    expectFailure(failure) { _ = try TokenResponse(.json(#"{"error":"\#(code)"}"#, status: 503)) }
    #expect(polling.next(after: failure) == .end(code == "expired_token" ? .codeExpired : failure))
  }

  @Test("The last request is sent when the code expires, and none after that")
  func expired() throws {
    for (lifetime, last) in [(12, DevicePolling.Step.end(.codeExpired)), (15, .wait(seconds: 5))] {
      var polling = try polling(lifetime: lifetime)
      #expect(polling.first() == .wait(seconds: 5))
      #expect(polling.next(after: pending) == .wait(seconds: 5))
      #expect(polling.next(after: pending) == last)
    }
  }

  @Test("The duration of a request counts, but not if the clock was set back")
  func slowRequests() throws {
    var polling = try polling(lifetime: 60)
    #expect(polling.first() == .wait(seconds: 5))
    #expect(polling.next(after: pending, took: -3_600) == .wait(seconds: 5))
    #expect(polling.next(after: pending, took: 50) == .end(.codeExpired))
  }

  @Test("Absurdly large numbers are cut to a day")
  func absurd() throws {
    var polling = try polling(lifetime: 9_000_000_000_000_000_000, interval: 9_000_000_000_000_000_000)
    #expect(polling.interval <= 86_400)
    #expect(polling.next(after: slowDown) == .end(.codeExpired))
  }
}
