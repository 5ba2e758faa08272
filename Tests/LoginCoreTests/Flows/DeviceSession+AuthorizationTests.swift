import Testing

@testable import LoginCore

/// The request for the codes of a device, and its answer.
@Suite("DeviceAuthorization")
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
  @Test("The request names the client and the scope")
  func request() throws {
    let request = try DeviceAuthorizationRequest(login()).httpRequest
    #expect(request.endpoint.description == "https://as.test/device")
    #expect(request.form == [Parameter("scope", "a b"), Parameter("client_id", "client")])
  }

  @Test("A client that authenticates by Basic is named in the body as well")
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

  @Test("Without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.noEndpoint(.deviceAuthorization)) { _ = try DeviceAuthorizationRequest(login) }
  }

  // RFC 8628 section 3.2.
  @Test("The answer has both codes, the address for the user, the lifetime and the interval")
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
    #expect(answer.verificationURIComplete == "https://as.test/device?user_code=WDJB-MJHT")
    #expect(answer.expiresIn == 1_800)
    #expect(answer.interval == 7)
  }

  /// Returns an answer without an interval for Google's older name of the address.
  private func googles(_ deviceCode: String = "D") throws -> DeviceAuthorization {
    try DeviceAuthorization(
      .json(
        #"{"device_code":"\#(deviceCode)","user_code":"U","verification_url":"https://g.test/","expires_in":"60"}"#
      ))
  }

  @Test("Google's name of the address is accepted, and the default interval is five seconds")
  func google() throws {
    #expect(try googles().verificationURI == "https://g.test/")
    #expect(try googles().interval == 5)
  }

  @Test("The device code is not printed")
  func redacted() throws {
    #expect(try !"\(googles("SECRET"))".contains("SECRET"))
  }

  @Test(
    "The interval is at least a second and at most the lifetime",
    arguments: [("0", 1), ("-5", 5), ("7", 7), ("3600", 60)] as [(String, Int64)])
  func interval(written: String, interval: Int64) throws {
    let answer = try DeviceAuthorization(
      .json(
        #"{"device_code":"D","user_code":"U","verification_uri":"https://as.test/","expires_in":60,"#
          + #""interval":\#(written)}"#))
    #expect(answer.interval == interval)
  }

  private static let members: JSONObject = [
    "device_code": "D", "user_code": "U", "verification_uri": "https://as.test/d",
    "expires_in": .number(JSONNumber(60)),
  ]

  @Test(
    "An answer without a needed member is refused",
    arguments: ["device_code", "user_code", "verification_uri", "expires_in"])
  func missing(name: String) {
    var members = Self.members
    members[name] = nil
    expectFailure(.missing(name, from: .deviceAuthorization)) {
      _ = try DeviceAuthorization(.json(members.text))
    }
  }

  @Test(
    "An answer with an unusable member is refused",
    arguments: [
      ("device_code", ""), ("user_code", "U\u{1B}[2J"), ("user_code", ["U"]),
      ("verification_uri", "javascript:alert(1)"), ("verification_uri", "http://as.test/d"),
      ("expires_in", .number(JSONNumber(0))),
    ] as [(String, JSONValue)])
  func unusable(name: String, value: JSONValue) {
    var members = Self.members
    members[name] = value
    expectFailure(.unusable(name, from: .deviceAuthorization)) {
      _ = try DeviceAuthorization(.json(members.text))
    }
  }

  @Test("An answer that is not a JSON object is refused, and a refusal has the provider's code")
  func notOAuth() {
    expectFailure(.notOAuth("the device authorization endpoint: the document is not a JSON object")) {
      _ = try DeviceAuthorization(.json("[]"))
    }
    expectRefusal("invalid_scope") {
      _ = try DeviceAuthorization(.json(#"{"error":"invalid_scope"}"#, status: 400))
    }
  }

  @Test(
    "An address may have a fragment that cannot be mistaken for a server",
    arguments: [
      ("", true), ("#/device?code=U&x=%20", true), ("#", true), ("#@evil.test/", false),
      ("#\u{202E}moc", false), ("#a\u{1B}[2J", false), ("#a:b", false), ("#a#b", false), ("#\u{E9}", false),
    ])
  func fragment(_ added: String, isUsable: Bool) throws {
    var members = Self.members
    members["verification_uri"] = .string("https://as.test/d" + added)
    guard isUsable else {
      return expectFailure(.unusable("verification_uri", from: .deviceAuthorization)) {
        _ = try DeviceAuthorization(.json(members.text))
      }
    }
    #expect(try DeviceAuthorization(.json(members.text)).verificationURI == "https://as.test/d\(added)")
  }

  @Test(
    "A complete address is used only if it leads to the server that the user sees",
    arguments: [
      ("https://as.test/d?user_code=U", true), ("HTTPS://AS.test:443/other", true),
      ("https://evil.test/d", false), ("https://as.test:8443/d", false),
      ("https://as.test.evil.test/d", false), ("https://as.test#@evil.test/", false),
      ("https://as.test@evil.test/", false), ("http://as.test/d", false), ("javascript:alert(1)", false),
      ("https://\u{202E}as.test/", false),
    ])
  func complete(_ address: String, isUsed: Bool) throws {
    var members = Self.members
    members["verification_uri_complete"] = .string(address)
    let answer = try DeviceAuthorization(.json(members.text))
    #expect(answer.verificationURIComplete == (isUsed ? address : nil))
  }

  @Test("Direction marks are removed from the code")
  func directions() throws {
    var members = Self.members
    members["user_code"] = "\u{202E}AB\u{2066}-\u{200F}CD"
    #expect(try DeviceAuthorization(.json(members.text)).userCode == "AB-CD")
  }
}
