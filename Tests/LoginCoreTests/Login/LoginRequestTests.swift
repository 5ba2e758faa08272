import Testing

@testable import LoginCore

@Suite("LoginRequest")
struct LoginRequestTests {
  @Test("A request begins with the provider's defaults")
  func defaults() throws {
    var provider = try Samples.vk()
    provider.scope = "email"
    provider.responseMode = .query
    let login = LoginRequest(
      provider: provider, clientID: "1", redirectURI: try RedirectURI("https://h.test/cb"))
    #expect(login.responseType == .token)
    #expect(login.responseMode == .query)
    #expect(login.scope == "email")
    #expect(login.redirectAliases == provider.redirectAliases)
    #expect(login.parameters.isEmpty)
    #expect(!login.omitsState)
    #expect(login.fixed.state == nil)
    #expect(login.fixed.nonce == nil)
    #expect(login.fixed.codeVerifier == nil)
  }

  // RFC 6749 section 2.3: a client authenticates in one way.
  @Test(
    "A client with a secret uses Basic, one without names itself, unless the provider wants otherwise",
    arguments: [
      (nil, nil, ClientAuthentication.none), ("s", nil, .basic), (nil, .post, .post), ("s", .post, .post),
      ("s", .some(.none), .none),
    ] as [(String?, ClientAuthentication?, ClientAuthentication)])
  func clientAuthentication(secret: String?, wanted: ClientAuthentication?, used: ClientAuthentication) throws
  {
    var provider = try Samples.code()
    provider.clientAuthentication = wanted
    let login = LoginRequest(
      provider: provider, clientID: "1", clientSecret: secret.map { ClientSecret($0) },
      redirectURI: try RedirectURI("https://h.test/cb"))
    #expect(login.clientAuthentication == used)
  }

  // RFC 8414 section 2.
  @Test(
    "A client with a secret uses a method that the metadata list, unless it has one of its own",
    arguments: [
      (["client_secret_post"], ClientAuthentication.post), (["none", "client_secret_post"], .post),
      (["client_secret_post", "client_secret_basic"], .basic), (["private_key_jwt"], .basic), (nil, .basic),
    ] as [([String]?, ClientAuthentication)])
  func listedAuthentication(listed: [String]?, used: ClientAuthentication) throws {
    var login = LoginRequest(
      provider: try Samples.code(), clientID: "1", clientSecret: ClientSecret("s"),
      redirectURI: try RedirectURI("https://h.test/cb"))
    // An account keeps the request as it was before the metadata were read.
    login = try LoginRequest(json: login.json, to: login.provider)
    login.provider.clientAuthentications = listed
    #expect(login.clientAuthentication == used)
    login.clientAuthentication = .basic
    #expect(try LoginRequest(json: login.json, to: login.provider).clientAuthentication == .basic)
    login.clientAuthentication = .post
    #expect(login.clientAuthentication == .post)
  }

  @Test("The response type decides the response mode unless the request names one")
  func effectiveResponseMode() throws {
    var login = try Samples.login(Samples.vk())
    #expect(login.effectiveResponseMode == .fragment)
    login.responseType = .code
    #expect(login.effectiveResponseMode == .query)
    login.responseMode = .fragment
    #expect(login.effectiveResponseMode == .fragment)
  }

  @Test("The client secret does not print with the request")
  func printing() throws {
    let login = LoginRequest(
      provider: try Samples.vk(), clientID: "1", clientSecret: ClientSecret("hunter2"),
      redirectURI: try RedirectURI("vk1://"))
    var dumped = ""
    dump(login, to: &dumped)
    for text in ["\(login)", String(reflecting: login), dumped] { #expect(!text.contains("hunter2")) }
  }
}

@Suite("LoginRequest, OpenID Connect")
struct LoginRequestOpenIDTests {
  private func login(_ name: String, _ value: String, inPreset: Bool = false) throws -> LoginRequest {
    var provider = try Samples.code()
    if inPreset { provider.authorizationParameters = [Parameter(name, value)] }
    var login = try Samples.login(provider)
    if !inPreset { login.parameters = [Parameter(name, value)] }
    return login
  }

  @Test("The authentication contexts are those of acr_values", arguments: [false, true])
  func values(inPreset: Bool) throws {
    #expect(try login("acr_values", "a  b:c ", inPreset: inPreset).authenticationContexts == ["a", "b:c"])
    #expect(try login("acr_values", "", inPreset: inPreset).authenticationContexts.isEmpty)
    #expect(try login("prompt", "a", inPreset: inPreset).authenticationContexts.isEmpty)
  }

  @Test("The caller's value replaces the preset's")
  func caller() throws {
    var login = try login("acr_values", "a", inPreset: true)
    login.parameters = [Parameter("acr_values", "b")]
    #expect(login.authenticationContexts == ["b"])
  }

  // OpenID Connect Core section 5.5.1.
  @Test(
    "The claims parameter may ask for one context or for several",
    arguments: [
      (#"{"id_token":{"acr":{"essential":true,"value":"a"}}}"#, ["a"]),
      (#"{"id_token":{"acr":{"values":["a","b"]}}}"#, ["a", "b"]), (#"{"id_token":{"acr":null}}"#, []),
      (#"{"id_token":{"acr":{"values":"a"}}}"#, []), (#"{"userinfo":{"acr":{"value":"a"}}}"#, []), ("a", []),
    ])
  func claims(text: String, contexts: [String]) throws {
    #expect(try login("claims", text).authenticationContexts == contexts)
  }

  @Test("A max_age that is not a number counts as 0", arguments: [("60", 60), ("", 0), ("1e3", 0)])
  func age(text: String, age: Int) throws {
    #expect(try login("max_age", text).maxAge == age)
    #expect(try login("max_age", text, inPreset: true).maxAge == age)
    #expect(try login("max_age", "99999999999999999999").maxAge == 0)
    #expect(try login("prompt", text).maxAge == nil)
  }

  @Test(
    "Only the word openid in the scope makes a request one of OpenID Connect",
    arguments: [("openid", true), ("mail openid", true), ("openid2 mail", false), ("open id", false)])
  func openID(scope: String, isForOpenID: Bool) throws {
    var login = try Samples.login(Samples.code())
    login.scope = scope
    #expect(login.isForOpenID == isForOpenID)
  }
}

@Suite("LoginRequest.validate")
struct LoginRequestValidateTests {
  private func validate(_ login: LoginRequest) throws {
    try login.validate(for: .authorizationRequest)
  }

  @Test("A request needs a client identifier")
  func incomplete() throws {
    var login = try Samples.login(Samples.vk())
    login.clientID = ""
    expectFailure(.noClient) { try validate(login) }
  }

  // OAuth 2.0 Form Post Response Mode: a web view does not see the body of a POST.
  @Test(
    "form_post is refused unless the redirect URI is on this machine",
    arguments: ["code", "token", "code id_token"])
  func formPost(responseType: String) throws {
    var login = try Samples.login(Samples.code(), responseType: responseType)
    login.responseMode = .formPost
    expectFailure(
      Failure(
        .invalidConfiguration,
        "response_mode form_post needs a redirect URI on this machine")
    ) { try validate(login) }
  }

  @Test(
    "Only a code that PKCE protects may do without a state",
    arguments: [
      ("token", CodeChallengeMethod.s256), ("code", .none), ("code token", .s256), ("id_token", .s256),
      ("code id_token", .s256),
    ])
  func stateIsNeeded(responseType: String, method: CodeChallengeMethod) throws {
    var login = try Samples.login(Samples.code(), responseType: responseType)
    login.provider.pkce = method
    login.omitsState = true
    expectFailure(
      Failure(.invalidConfiguration, "only the code flow with PKCE may leave out the state")
    ) { try validate(login) }
  }

  @Test("A fixed state or nonce must be printable ASCII", arguments: ["", "é", "a\n", "\u{0}", "\u{7F}"])
  func fixedValues(text: String) throws {
    var login = try Samples.login(Samples.vk())
    login.fixed.state = OAuthState(text)
    expectFailure(Failure(.invalidOption, "the state must be printable ASCII")) { try validate(login) }
    login = try Samples.login(Samples.vk())
    login.fixed.nonce = Nonce(text)
    expectFailure(Failure(.invalidOption, "the nonce must be printable ASCII")) { try validate(login) }
  }

  // RFC 7636 section 4.1.
  @Test(
    "A fixed code verifier must be well-formed",
    arguments: [
      "", "short", String(repeating: "a", count: 42), String(repeating: "a", count: 129),
      String(repeating: "!", count: 43),
    ])
  func fixedVerifier(text: String) throws {
    var login = try Samples.login(Samples.code())
    login.fixed.codeVerifier = CodeVerifier(text)
    expectFailure(
      Failure(.invalidOption, "the code verifier must be 43 to 128 letters, digits and -._~")
    ) { try validate(login) }
  }

  // RFC 6749 section 4.2.2.
  @Test("A token in the query is refused")
  func tokenInQuery() throws {
    var login = try Samples.login(Samples.vk())
    login.responseMode = .query
    expectFailure(Failure(.invalidConfiguration, "a token in the query could be seen by others")) {
      try validate(login)
    }
  }

  @Test("Without the place of the keys, the hint names it, and the issuer only if it is missing, too")
  func keys() throws {
    var login = LoginRequest(
      provider: try Samples.code(), clientID: "1", redirectURI: try RedirectURI("https://h.test/cb"))
    login.scope = "openid"
    login.provider.endpoints[.token] = try Endpoint("https://as.test/token")
    login.provider.endpoints[.keySet] = nil
    for issuer in [try Issuer("https://as.test"), nil] {
      login.provider.issuer = issuer
      let failure = #expect(throws: Failure.self) { try login.validate(for: .page, afterDiscovery: true) }
      #expect(failure?.hint == (issuer == nil ? .addIssuer : .addEndpoint(.keySet)))
    }
  }
}
