import Testing

@testable import LoginCore

/// What a request says about how the user has to sign in.
@Suite("LoginRequest, authentication")
struct LoginRequestAuthenticationTests {
  private func login(_ name: String, _ value: String, inPreset: Bool = false) throws -> LoginRequest {
    var provider = try Samples.code()
    if inPreset { provider.authorizationParameters = [Parameter(name, value)] }
    var login = try Samples.login(provider)
    if !inPreset { login.parameters = [Parameter(name, value)] }
    return login
  }

  @Test("the contexts are those of acr_values", arguments: [false, true])
  func values(inPreset: Bool) throws {
    #expect(try login("acr_values", "a  b:c ", inPreset: inPreset).authenticationContexts == ["a", "b:c"])
    #expect(try login("acr_values", "", inPreset: inPreset).authenticationContexts.isEmpty)
    #expect(try login("prompt", "a", inPreset: inPreset).authenticationContexts.isEmpty)
  }

  @Test("the caller's value takes the place of the preset's")
  func caller() throws {
    var login = try login("acr_values", "a", inPreset: true)
    login.parameters = [Parameter("acr_values", "b")]
    #expect(login.authenticationContexts == ["b"])
  }

  // OpenID Connect Core section 5.5.1.
  @Test(
    "the claims parameter may ask for one context or for one of several",
    arguments: [
      (#"{"id_token":{"acr":{"essential":true,"value":"a"}}}"#, ["a"]),
      (#"{"id_token":{"acr":{"values":["a","b"]}}}"#, ["a", "b"]), (#"{"id_token":{"acr":null}}"#, []),
      (#"{"id_token":{"acr":{"values":"a"}}}"#, []), (#"{"userinfo":{"acr":{"value":"a"}}}"#, []), ("a", []),
    ])
  func claims(text: String, contexts: [String]) throws {
    #expect(try login("claims", text).authenticationContexts == contexts)
  }

  @Test("an age that is no number asks for the present second", arguments: [("60", 60), ("", 0), ("1e3", 0)])
  func age(text: String, age: Int) throws {
    #expect(try login("max_age", text).maxAge == age)
    #expect(try login("max_age", text, inPreset: true).maxAge == age)
    #expect(try login("max_age", "99999999999999999999").maxAge == 0)
    #expect(try login("prompt", text).maxAge == nil)
  }
}
