import Testing

@testable import LoginCore

@Suite("Visit+Paste")
struct VisitPasteTests {
  private func pasted(_ text: String, bareCode: Bool = false, state: String? = "S") throws -> String {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.test/done"),
      errorPages: [try ErrorPage("https://as.test/oops")])
    var visit = Visit(url: "https://as.test/auth", policy: policy, state: state.map { State($0) })
    visit.acceptsBareCode = bareCode
    switch visit.pasted(Array(text.utf8)) {
    case .answer(.callback(let callback)): return try callback.text()
    case .answer(.errorPage(let uri, _)): return "error page \(uri)"
    case .answer(.code(let code)): return "code \(code.revealed())"
    case .nothing: return "nothing"
    case .somethingElse: return "something else"
    case .answerToAnother: return "another's"
    case .codeAlone: return "code alone"
    }
  }

  @Test(
    "The whole address is an answer if it may belong to this login",
    arguments: [
      ("https://app.test/done?code=C&state=S", "https://app.test/done?code=C&state=S"),
      (" \u{9}https://app.test/done?code=C&state=S\r ", "https://app.test/done?code=C&state=S"),
      ("https://app.test/done#access_token=T&state=S", "https://app.test/done#access_token=T&state=S"),
      ("https://app.test/done?code=C", "https://app.test/done?code=C"),
      ("https://app.test/done?error=access_denied", "https://app.test/done?error=access_denied"),
      ("https://app.test/done?code=C&state=old", "another's"),
      ("https://as.test/oops?err=2", "error page https://as.test/oops?err=2"),
      ("https://app.test/other?code=C&state=S", "something else"),
      ("https://app.test.evil.test/done?code=C&state=S", "something else"),
      ("javascript:alert(1)", "something else"), ("", "nothing"), ("  \r", "nothing"),
    ])
  func address(text: String, expected: String) throws {
    #expect(try pasted(text) == expected)
    #expect(try pasted(text, bareCode: true) == expected)
  }

  @Test(
    "A code alone is one only where PKCE protects it",
    arguments: [
      ("4/P7q7W91a-oMsCeLvIaQm6bTrgtp7", "code 4/P7q7W91a-oMsCeLvIaQm6bTrgtp7"), (" abc\r", "code abc"),
      ("two words", "something else"), ("cödé", "something else"), ("a\u{1}b", "something else"),
      (String(repeating: "a", count: 8_193), "something else"),
    ])
  func code(text: String, expected: String) throws {
    #expect(try pasted(text, bareCode: true) == expected)
    let refusal = expected.hasPrefix("code ") ? "code alone" : expected
    #expect(try pasted(text) == refusal)
  }

  @Test("A login says itself whether a code alone is enough")
  func bareCode() throws {
    func accepts(_ change: (inout LoginRequest) -> Void) throws -> Bool {
      var login = try Samples.login(Samples.code())
      change(&login)
      return try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB).visit.acceptsBareCode
    }
    #expect(try accepts { _ in })
    #expect(try accepts { $0.omitsState = true })
    #expect(try !accepts { $0.provider.pkce = .none })
    #expect(try !accepts { $0.responseType = .token })
    let hybrid = try #require(ResponseType("code id_token"))
    #expect(try !accepts { $0.responseType = hybrid }, "the id_token would be missing")
    #expect(try !accepts { $0.provider.callbackParameters = ["device_id"] })
    #expect(try !accepts { $0.provider.sendsIssuer = true })
  }

  @Test("What a code alone verifies is nothing of the callback, and where it proves nothing it is refused")
  func response() throws {
    var login = try Samples.login(Samples.code())
    var request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    let response = try AuthorizationResponse(.code(AuthorizationCode("C")), to: request)
    #expect(try response.code() == AuthorizationCode("C"))
    #expect(response.checks == Checks())
    login.provider.pkce = .none
    request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    expectMalformed(.bareCode) {
      _ = try AuthorizationResponse(.code(AuthorizationCode("C")), to: request)
    }
  }
}
