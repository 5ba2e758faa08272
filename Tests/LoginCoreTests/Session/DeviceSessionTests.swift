import Synchronization
import Testing

@testable import LoginCore

/// A login at which a code is typed in on another device.
@Suite("DeviceSession")
struct DeviceSessionTests {
  private static let codes =
    #"{"device_code":"D","user_code":"WDJB-MJHT","verification_uri":"https://as.test/device","expires_in":60}"#
  private static let token = HTTPResponse.json(#"{"access_token":"T","token_type":"Bearer"}"#)
  private static let silence = Failure.network(.timeout(host: "as.test", seconds: 30))

  /// Answers what it is given, one after the other, and the last again and again.
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

  /// What was shown, waited and sent.
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
    ) { notice in if case .code(let device) = notice { shown.note(device.userCode) } }
    var course = Course()
    do throws(Failure) { course.token = try await session.token(for: login) } catch { course.failure = error }
    course.shown = shown.codes
    course.waits = record.events.compactMap { if case .wait(let seconds) = $0 { seconds } else { nil } }
    course.sent = server.sent
    return course
  }

  private final class Shown: Sendable {
    private let list = Mutex<[String]>([])
    var codes: [String] { list.withLock { $0 } }
    func note(_ code: String) { list.withLock { $0.append(code) } }
  }

  private static func refusal(_ code: String) -> Result<HTTPResponse, Failure> {
    .success(.json(#"{"error":"\#(code)"}"#, status: 400))
  }

  // RFC 8628 sections 3.3 to 3.5.
  @Test(
    "the code is shown once, and the token endpoint is asked after every pause that it wants, and no sooner")
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

  @Test("a provider that does not answer is asked ever more rarely, and the login goes on when it does")
  func silence() async throws {
    let course = try await course([
      .failure(Self.silence), .failure(Self.silence), Self.refusal("authorization_pending"),
      .success(Self.token),
    ])
    #expect(course.token != nil)
    #expect(course.waits == [5, 10, 20, 5])
  }

  @Test(
    "a refusal ends it, and nobody is asked any more",
    arguments: ["access_denied", "expired_token", "invalid_grant"])
  func refused(_ code: String) async throws {
    let course = try await course([Self.refusal("authorization_pending"), Self.refusal(code)])
    #expect(course.failure == .provider(ProviderError(code: code)))
    #expect(course.sent.count == 3)
  }

  @Test("it ends when the code has expired, whatever the provider says")
  func expired() async throws {
    let course = try await course([Self.refusal("authorization_pending")])
    #expect(course.failure == .provider(ProviderError(code: "expired_token", remark: .codeExpired)))
    #expect(course.waits.reduce(0, +) == 60)
  }

  @Test("a refusal of the device endpoint shows no code")
  func noCode() async throws {
    let course = try await course(
      codes: .json(#"{"error":"unauthorized_client"}"#, status: 400), [.success(Self.token)])
    #expect(course.failure == .provider(ProviderError(code: "unauthorized_client")))
    #expect(course.shown.isEmpty)
    #expect(course.waits.isEmpty)
  }

  @Test(
    "what cannot be completed is refused before anything is sent",
    arguments: [
      ("no endpoint", .noEndpoint(.deviceAuthorization)), ("no token endpoint", .noEndpoint(.token)),
      ("openid without keys", .unverifiableIDToken), ("another response type", .responseTypeForDevice),
    ] as [(String, CallerFault)])
  func impossible(_ what: String, fault: CallerFault) async throws {
    let course = try await course([.success(Self.token)]) { login in
      switch what {
      case "no endpoint": login.provider.endpoints[.deviceAuthorization] = nil
      case "no token endpoint": login.provider.endpoints[.token] = nil
      case "another response type": login.responseType = .token
      default: login.scope = "openid"
      }
    }
    #expect(course.failure == .caller(fault))
    #expect(course.sent.isEmpty)
  }

  // OpenID Connect Core section 3.1.3.7: verified as after a code, without a nonce.
  @Test(
    "an id_token is verified, and has to be there if it was asked for",
    arguments: [
      ("good", nil), ("forged", .invalidIDToken(.jose(.wrongSignature))),
      ("missing", .missingToken(["id_token"])),
    ] as [(String, UntrustedAnswer?)])
  func idToken(_ what: String, fault: UntrustedAnswer?) async throws {
    let claims = SampleIDToken.claims("nonce", nil)
    var answer: JSONObject = ["access_token": "T", "token_type": "Bearer"]
    if what != "missing" {
      let text = try SampleIDToken.text(claims.text)
      answer["id_token"] = .string(what == "good" ? text : text.dropLast(4) + "AAAA")
    }
    let keys = #"{"keys":[\#(FakeSigningKey.rsa(["kid": "k"]).text)]}"#
    let course = try await course([.success(.json(answer.text)), .success(.json(keys))]) { login in
      login.scope = "openid"
      login.provider.issuer = try Issuer(SampleIDToken.issuer)
      login.provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    }
    #expect(course.failure == fault.map { .untrusted($0) })
    #expect((course.token?.claims == claims) == (what == "good"))
    #expect((course.token?.checks.idToken ?? false) == (what == "good"))
  }

  @Test("where the age of the sign-in was asked for, the id_token has to say it")
  func age() async throws {
    let text = try SampleIDToken.text(SampleIDToken.claims("nonce", nil).text)
    let answer: JSONObject = ["access_token": "T", "token_type": "Bearer", "id_token": .string(text)]
    let keys = #"{"keys":[\#(FakeSigningKey.rsa(["kid": "k"]).text)]}"#
    let course = try await course([.success(.json(answer.text)), .success(.json(keys))]) { login in
      login.scope = "openid"
      login.parameters = [Parameter("max_age", "60")]
      login.provider.issuer = try Issuer(SampleIDToken.issuer)
      login.provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    }
    #expect(course.failure == .untrusted(.invalidIDToken(.missing(["auth_time"]))))
  }

  @Test("what exactly was asked for has to be granted")
  func details() async throws {
    let course = try await course([.success(Self.token)]) { login in
      login.parameters = [Parameter("authorization_details", #"[{"type":"payment"}]"#)]
    }
    #expect(course.failure == .untrusted(.missingToken(["authorization_details"])))
  }
}
