import Testing

@testable import LoginCore

/// What a request asks for, and where the answer comes.
@Suite("ResponseType")
struct ResponseTypeTests {
  // OAuth 2.0 Multiple Response Type Encoding Practices, sections 2.1, 3 and 5.
  @Test(
    "a code alone comes in the query, everything else in the fragment",
    arguments: [
      ("code", ResponseMode.query, true), ("token", .fragment, false), ("id_token", .fragment, false),
      ("id_token token", .fragment, false),
      ("code token", .fragment, true), ("code id_token", .fragment, true),
      ("code id_token token", .fragment, true),
    ])
  func known(text: String, mode: ResponseMode, includesCode: Bool) throws {
    let type = try #require(ResponseType(text))
    #expect(type.description == text)
    #expect(type.defaultMode == mode)
    #expect(type.includesCode == includesCode)
    #expect(type.includesToken == text.split(separator: " ").contains("token"))
    #expect(type.includesIDToken == text.contains("id_token"))
  }

  @Test(
    "a word that no standard defines, or that is there twice, makes no response type",
    arguments: [
      "", " ", "Code", "CODE", "codes", "token,code", "code code", "code\ttoken", "password", "code password",
      "idtoken",
    ])
  func unknown(text: String) {
    #expect(ResponseType(text) == nil)
  }

  @Test("a word is found as a whole")
  func words() throws {
    let type = try #require(ResponseType("code id_token"))
    #expect(type.includes("id_token"))
    #expect(!type.includes("token"))
    #expect(!type.includes("id"))
  }

  @Test("the constants are what their names say")
  func constants() {
    #expect(ResponseType.code == ResponseType("code"))
    #expect(ResponseType.token == ResponseType("token"))
    #expect(ResponseMode.formPost.rawValue == "form_post")
  }
}
