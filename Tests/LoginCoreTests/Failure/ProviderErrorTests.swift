import Testing

@testable import LoginCore

/// The errors that a provider shows on a page of its own.
@Suite("ProviderError")
struct ProviderErrorTests {
  private static let page = "https://oauth.vk.com/error?err=2"

  private func error(_ body: String) -> ProviderError {
    ProviderError(page: Self.page, body: Array(body.utf8))
  }

  @Test("VK's page is read")
  func vk() {
    let error = error("{\"error\":\"invalid_request\",\"error_description\":\"Security Error\"}")
    #expect(error == ProviderError(code: "invalid_request", description: "Security Error", page: Self.page))
  }

  @Test("all members of an OAuth error are taken, and no others")
  func members() {
    let error = error("{\"error\":\"a\",\"error_description\":\"b\",\"error_uri\":\"c\",\"page\":\"d\"}")
    #expect(error == ProviderError(code: "a", description: "b", uri: "c", page: Self.page))
  }

  @Test(
    "a page that is no such error is an error of the server",
    arguments: [
      "", "<html>error</html>", "null", "[]", "\"invalid_request\"", "{}", "{\"error\":\"\"}",
      "{\"error\":5}", "{\"error\":{\"code\":1}}",
      "{\"error\":null}", "{\"error\":\"a\",\"error\":\"b\"}", "{\"error\":\"a\"", "{\"Error\":\"a\"}",
    ])
  func otherPages(body: String) {
    let error = error(body)
    #expect(error.code == "server_error")
    #expect(error.description == nil)
    #expect(error.uri == nil)
    #expect(error.page == Self.page)
  }

  @Test("a page whose body could not be read is an error of the server")
  func noBody() {
    let error = ProviderError(page: Self.page, body: nil)
    #expect(error.code == "server_error")
    #expect(error.page == Self.page)
  }

  @Test("a page of more than 64 KiB is not read")
  func large() {
    let start = "{\"error\":\"a\"}"
    let allowed = start + String(repeating: " ", count: 65_536 - start.utf8.count)
    #expect(error(allowed).code == "a")
    #expect(error(allowed + " ").code == "server_error")
  }

  @Test("a body of the wrong kind of text is not read")
  func brokenBody() {
    #expect(
      ProviderError(page: Self.page, body: Array("{\"error\":\"".utf8) + [0xFF, 0x22, 0x7D]).code
        == "server_error")
  }

  @Test(
    "a description that is no text is none",
    arguments: ["{\"error\":\"a\"}", "{\"error\":\"a\",\"error_description\":1}"])
  func noDescription(body: String) {
    #expect(error(body) == ProviderError(code: "a", page: Self.page))
  }
}
