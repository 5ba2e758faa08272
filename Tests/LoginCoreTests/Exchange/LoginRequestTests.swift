import Testing

@testable import LoginCore

/// What a request takes from its provider.
@Suite("LoginRequest")
struct LoginRequestTests {
  @Test("a request begins with the provider's defaults")
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

  // RFC 6749 section 2.3: one way to prove oneself.
  @Test(
    "a client with a secret uses Basic, one without names itself, unless the provider wants something else",
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

  @Test("the answer is where the response type says, unless a mode is named")
  func effectiveResponseMode() throws {
    var login = try Samples.login(Samples.vk())
    #expect(login.effectiveResponseMode == .fragment)
    login.responseType = .code
    #expect(login.effectiveResponseMode == .query)
    login.responseMode = .fragment
    #expect(login.effectiveResponseMode == .fragment)
  }

  @Test("the client's secret is not printed with the request")
  func printing() throws {
    let login = LoginRequest(
      provider: try Samples.vk(), clientID: "1", clientSecret: ClientSecret("hunter2"),
      redirectURI: try RedirectURI("vk1://"))
    var dumped = ""
    dump(login, to: &dumped)
    for text in ["\(login)", String(reflecting: login), dumped] { #expect(!text.contains("hunter2")) }
  }
}
