import Testing

@testable import LoginCore

@Suite("AuthorizationRequest")
struct AuthorizationRequestTests {
  private func request(_ login: LoginRequest) throws -> AuthorizationRequest {
    try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
  }

  private func names(_ login: LoginRequest) throws -> [String] { try request(login).parameters.map(\.name) }

  private func value(_ name: String, _ login: LoginRequest) throws -> String? {
    try request(login).parameters.first { $0.name == name }?.value
  }

  private func repeated(_ name: String) -> Failure {
    Failure(.invalidConfiguration, "the request would have the parameter \"\(name)\" twice")
  }

  // RFC 6749 section 4.2.1.
  @Test("An implicit request has the standard parameters, then those of the provider")
  func implicit() throws {
    var login = try Samples.login(Samples.vk())
    login.scope = "email phone"
    #expect(
      try request(login).url
        == "https://oauth.vk.com/authorize?response_type=token&client_id=client"
        + "&redirect_uri=https%3A%2F%2Foauth.vk.com%2Fblank.html&scope=email%20phone&state=S-_.~%201"
        + "&display=page&v=5.52"
    )
  }

  // RFC 6749 section 4.1.1, RFC 7636 section 4.3 and appendix B.
  @Test("A code request carries the challenge and not the verifier")
  func code() throws {
    let request = try request(Samples.login(Samples.code()))
    #expect(
      request.url
        == "https://as.test/authorize?response_type=code&client_id=client"
        + "&redirect_uri=https%3A%2F%2Fapp.test%2Fcb"
        + "&state=S-_.~%201&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        + "&code_challenge_method=S256"
    )
    #expect(!request.url.contains(FakeCryptography.codeVerifier))
  }

  @Test("A provider may support only plain challenges, or none")
  func otherChallenges() throws {
    var login = try Samples.login(Samples.code())
    login.provider.pkce = .plain
    #expect(try value("code_challenge", login) == FakeCryptography.codeVerifier)
    #expect(try value("code_challenge_method", login) == "plain")
    login.provider.pkce = .none
    #expect(try names(login) == ["response_type", "client_id", "redirect_uri", "state"])
  }

  @Test("A request without a code has no challenge", arguments: ["token", "id_token", "id_token token"])
  func noChallenge(responseType: String) throws {
    let names = try names(Samples.login(Samples.code(), responseType: responseType))
    #expect(!names.contains("code_challenge"))
    #expect(!names.contains("code_challenge_method"))
  }

  @Test(
    "A hybrid request has a challenge, too",
    arguments: ["code token", "code id_token", "code id_token token"])
  func hybrid(responseType: String) throws {
    let login = try Samples.login(Samples.code(), responseType: responseType)
    #expect(try value("code_challenge", login) == FakeCryptography.codeChallenge)
    #expect(try value("response_type", login) == responseType)
  }

  // OpenID Connect Core sections 3.2.2.1 and 3.3.2.1.
  @Test(
    "A request for an id_token has a nonce, and any request sends a fixed one",
    arguments: [
      ("id_token", true), ("id_token token", true), ("code id_token", true), ("token", false),
      ("code", false), ("code token", false),
    ])
  func nonce(responseType: String, hasNonce: Bool) throws {
    var login = try Samples.login(Samples.code(), responseType: responseType)
    #expect(try names(login).contains("nonce") == hasNonce)
    login.fixed.nonce = Nonce("N")
    #expect(try value("nonce", login) == "N")
  }

  @Test("State, nonce and verifier are made of 32 random bytes each, and differ")
  func random() throws {
    var login = try Samples.login(Samples.code(), responseType: "code id_token")
    login.fixed = LoginRequest.FixedValues()
    login.provider.pkce = .plain
    let cryptography = FakeCryptography()
    let request = try AuthorizationRequest(login, cryptography: cryptography)
    let secrets = ["state", "nonce", "code_challenge"].compactMap { name in
      request.parameters.first { $0.name == name }?.value
    }
    #expect(cryptography.counts == [32, 32, 32])
    #expect(Set(secrets).count == 3)
    for secret in secrets { #expect(secret.utf8.count >= 43) }
  }

  @Test("Without random bytes there is no request")
  func noRandomness() throws {
    var login = try Samples.login(Samples.vk())
    login.fixed = LoginRequest.FixedValues()
    #expect(throws: Samples.defect) {
      try AuthorizationRequest(login, cryptography: FakeCryptography(failure: Samples.defect))
    }
  }

  // RFC 6749 section 3.1: the endpoint's own query is kept, and no parameter is sent twice.
  @Test("The endpoint's own query is sent once")
  func endpointQuery() throws {
    var login = try Samples.login(Samples.vk())
    login.provider.endpoints[.authorization] = try Endpoint("https://as.test/auth?tenant=7&x")
    let request = try request(login)
    #expect(request.url.hasPrefix("https://as.test/auth?tenant=7&x&response_type=token&"))
    #expect(!request.parameters.contains { $0.name == "tenant" })
  }

  @Test(
    "A parameter that the endpoint's query already has is refused",
    arguments: [
      ("https://as.test/auth?client_id=7", "client_id"), ("https://as.test/auth?stat%65=x", "state"),
      ("https://as.test/auth?display=popup", "display"), ("https://as.test/auth?prompt", "prompt"),
    ])
  func repeatedInEndpoint(endpoint: String, name: String) throws {
    var login = try Samples.login(Samples.vk())
    login.provider.endpoints[.authorization] = try Endpoint(endpoint)
    login.parameters = [Parameter("prompt", "none")]
    expectFailure(repeated(name)) { _ = try request(login) }
  }

  @Test(
    "Neither the caller nor a preset can repeat a standard parameter",
    arguments: [
      "response_type", "client_id", "redirect_uri", "state", "scope", "code_challenge",
      "code_challenge_method",
    ])
  func repeatedStandardParameter(name: String) throws {
    var login = try Samples.login(Samples.code())
    login.scope = "a"
    login.parameters = [Parameter(name, "evil")]
    expectFailure(repeated(name)) { _ = try request(login) }
    login.parameters = []
    login.provider.authorizationParameters = [Parameter(name, "evil")]
    expectFailure(repeated(name)) { _ = try request(login) }
  }

  @Test("The caller's parameter replaces the preset's")
  func callerWins() throws {
    var login = try Samples.login(Samples.vk())
    login.parameters = [Parameter("display", "mobile"), Parameter("lang", "de")]
    let parameters = try request(login).parameters
    #expect(
      parameters.suffix(3) == [
        Parameter("v", "5.52"), Parameter("display", "mobile"), Parameter("lang", "de"),
      ])
  }

  @Test("The caller cannot send a parameter twice")
  func callerRepeats() throws {
    var login = try Samples.login(Samples.vk())
    login.parameters = [Parameter("lang", "de"), Parameter("lang", "en")]
    expectFailure(repeated("lang")) { _ = try request(login) }
  }

  // RFC 8707 section 2.
  @Test("Only resource may be sent several times")
  func resource() throws {
    var login = try Samples.login(Samples.code())
    login.parameters = [Parameter("resource", "https://a.test/"), Parameter("resource", "https://b.test/")]
    #expect(
      try request(login).url.hasSuffix("&resource=https%3A%2F%2Fa.test%2F&resource=https%3A%2F%2Fb.test%2F"))
  }

  @Test("Standard parameters get the names that the provider has for them")
  func renaming() throws {
    var login = try Samples.login(Samples.vk())
    login.provider.parameterNames = ["client_id": "client", "v": "version", "scope": "permissions"]
    #expect(
      try names(login) == ["response_type", "client", "redirect_uri", "state", "display", "v"])
    login.parameters = [Parameter("client", "x")]
    expectFailure(repeated("client")) { _ = try request(login) }
  }

  @Test(
    "Two standard parameters cannot get the same name",
    arguments: [(["client_id": "state"], "state"), (["scope": "x", "state": "x"], "x")])
  func renamingToTheSame(names: [String: String], name: String) throws {
    var login = try Samples.login(Samples.vk())
    login.scope = "a"
    login.provider.parameterNames = names
    expectFailure(repeated(name)) { _ = try request(login) }
  }

  @Test("The response mode is sent only if it is not the default")
  func responseMode() throws {
    var login = try Samples.login(Samples.vk())
    login.responseMode = .fragment
    #expect(try value("response_mode", login) == nil)
    login = try Samples.login(Samples.code())
    login.responseMode = .query
    #expect(try value("response_mode", login) == nil)
    login.responseMode = .fragment
    #expect(try value("response_mode", login) == "fragment")
  }
}
