import Testing

@testable import LoginCore

@Suite("Device authorization")
struct DeviceAuthorizationTests {
  private func login(_ change: (inout LoginRequest) -> Void = { _ in }) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.deviceAuthorization] = try Endpoint("https://as.test/device")
    provider.scope = "a b"
    var login = try Samples.login(provider)
    change(&login)
    return login
  }

  // RFC 8628 section 3.1.
  @Test("the request names the client and what the token shall be good for")
  func request() throws {
    let request = try DeviceAuthorizationRequest(login()).httpRequest
    #expect(request.endpoint.description == "https://as.test/device")
    #expect(request.form == [Parameter("scope", "a b"), Parameter("client_id", "client")])
  }

  @Test("a client that proves itself by Basic names itself in the body as well")
  func basic() throws {
    let request = try DeviceAuthorizationRequest(
      login { login in
        login.clientSecret = ClientSecret("s")
        login.clientAuthentication = .basic
      }
    ).httpRequest
    #expect(request.form.contains(Parameter("client_id", "client")))
    #expect(!request.form.contains { $0.name == "client_secret" })
    #expect(request.values(of: "Authorization").count == 1)
  }

  @Test("without a device authorization endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.caller(.noEndpoint(.deviceAuthorization))) { _ = try DeviceAuthorizationRequest(login) }
  }

  // RFC 8628 section 3.2.
  @Test("the answer says what to type in where, for how long, and how often to ask")
  func answer() throws {
    let answer = try DeviceAuthorization(
      .json(
        """
        {"device_code":"D","user_code":"WDJB-MJHT","verification_uri":"https://as.test/device",
        "verification_uri_complete":"https://as.test/device?user_code=WDJB-MJHT","expires_in":1800,"interval":7}
        """))
    #expect(answer.deviceCode == DeviceCode("D"))
    #expect(answer.userCode == "WDJB-MJHT")
    #expect(answer.verificationURI == "https://as.test/device")
    #expect(answer.completeURI == "https://as.test/device?user_code=WDJB-MJHT")
    #expect(answer.lifetime == 1_800)
    #expect(answer.interval == 7)
  }

  @Test("Google's name of the address is understood, and the interval is five seconds if none is named")
  func older() throws {
    let answer = try DeviceAuthorization(
      .json(#"{"device_code":"D","user_code":"U","verification_url":"https://g.test/","expires_in":"60"}"#))
    #expect(answer.verificationURI == "https://g.test/")
    #expect(answer.interval == 5)
  }

  @Test(
    "a server is never asked without a pause, nor after the end",
    arguments: [("0", 1), ("-5", 5), ("7", 7), ("3600", 60)] as [(String, Int64)])
  func interval(written: String, interval: Int64) throws {
    let answer = try DeviceAuthorization(
      .json(
        #"{"device_code":"D","user_code":"U","verification_uri":"https://as.test/","expires_in":60,"#
          + #""interval":\#(written)}"#))
    #expect(answer.interval == interval)
  }

  @Test(
    "an answer with which nobody could sign in is refused",
    arguments: [
      (
        #"{"user_code":"U","verification_uri":"https://as.test/d","expires_in":60}"#,
        .missing("device_code", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","verification_uri":"https://as.test/d","expires_in":60}"#,
        .missing("user_code", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":"U","expires_in":60}"#,
        .missing("verification_uri", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":"U","verification_uri":"https://as.test/d"}"#,
        .missing("expires_in", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":"U","verification_uri":"https://as.test/d","expires_in":0}"#,
        .unusable("expires_in", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":"U\u001b[2J","verification_uri":"https://as.test/d","expires_in":60}"#,
        .unusable("user_code", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":"U","verification_uri":"javascript:alert(1)","expires_in":60}"#,
        .unusable("verification_uri", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":"U","verification_uri":"http://as.test/d","expires_in":60}"#,
        .unusable("verification_uri", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"D","user_code":["U"],"verification_uri":"https://as.test/d","expires_in":60}"#,
        .unusable("user_code", from: .deviceAuthorization)
      ),
      (
        #"{"device_code":"","user_code":"U","verification_uri":"https://as.test/d","expires_in":60}"#,
        .unusable("device_code", from: .deviceAuthorization)
      ),
      ("[]", .notJSON(.notAnObject, status: 200, from: .deviceAuthorization)),
      ("", .notJSON(.unexpectedEnd, status: 200, from: .deviceAuthorization)),
    ] as [(String, ResponseFault)])
  func refused(_ body: String, fault: ResponseFault) {
    expectBadResponse(fault) { _ = try DeviceAuthorization(.json(body)) }
  }

  @Test(
    "the fragment of an address is a place on its page, or there is no address",
    arguments: [
      ("", true), ("#/device?code=U&x=%20", true), ("#", true), ("#@evil.test/", false),
      ("#\u{202E}moc", false),
      ("#a\\u001b[2J", false), ("#a:b", false), ("#a#b", false), ("#\u{E9}", false),
    ])
  func fragment(_ added: String, isUsable: Bool) throws {
    let body =
      #"{"device_code":"D","user_code":"U","verification_uri":"https://as.test/d"#
      + #"\#(added)","expires_in":60}"#
    guard isUsable else {
      return expectBadResponse(.unusable("verification_uri", from: .deviceAuthorization)) {
        _ = try DeviceAuthorization(.json(body))
      }
    }
    #expect(try DeviceAuthorization(.json(body)).verificationURI == "https://as.test/d\(added)")
  }

  @Test(
    "a complete address leads to the server that is shown, or it is none",
    arguments: [
      ("https://as.test/d?user_code=U", true), ("HTTPS://AS.test:443/other", true),
      ("https://evil.test/d", false),
      ("https://as.test:8443/d", false), ("https://as.test.evil.test/d", false),
      ("https://as.test#@evil.test/", false),
      ("https://as.test@evil.test/", false), ("http://as.test/d", false), ("javascript:alert(1)", false),
      ("https://\u{202E}as.test/", false),
    ])
  func complete(_ address: String, isUsed: Bool) throws {
    let answer = try DeviceAuthorization(
      .json(
        #"{"device_code":"D","user_code":"U","verification_uri":"https://as.test/d","#
          + #""verification_uri_complete":"\#(address)","expires_in":60}"#))
    #expect(answer.completeURI == (isUsed ? address : nil))
  }

  @Test("marks of direction are no part of a code")
  func directions() throws {
    let answer = try DeviceAuthorization(
      .json(
        #"{"device_code":"D","user_code":"\u202eAB\u2066-\u200fCD","verification_uri":"https://as.test/","expires_in":60}"#
      ))
    #expect(answer.userCode == "AB-CD")
  }

  @Test("an error is the provider's")
  func error() {
    expectProviderError("invalid_scope") {
      _ = try DeviceAuthorization(.json(#"{"error":"invalid_scope"}"#, status: 400))
    }
  }

  @Test("the code of the device is a secret")
  func redacted() throws {
    let answer = try DeviceAuthorization(
      .json(#"{"device_code":"SECRET","user_code":"U","verification_uri":"https://g.test/","expires_in":60}"#)
    )
    #expect(!"\(answer)".contains("SECRET"))
  }
}
