import Testing

@testable import LoginCore

/// Errors that a provider shows on a page of its own.
@Suite("Error pages")
struct EndpointAnswerTests {
  private static let page = "https://oauth.vk.com/error?err=2"

  private func refusal(_ body: String) -> Failure { .refusal(page: Self.page, body: Array(body.utf8)) }

  @Test("The JSON of VK's error page is read")
  func vk() {
    let refusal = refusal(#"{"error":"invalid_request","error_description":"Security Error"}"#)
    #expect(
      refusal == .refusal(code: "invalid_request", description: "Security Error", page: Self.page))
  }

  @Test("All members of an OAuth error are read, and no others")
  func members() {
    let refusal = refusal(#"{"error":"a","error_description":"b","error_uri":"c","page":"d"}"#)
    #expect(refusal == .refusal(code: "a", description: "b", uri: "c", page: Self.page))
  }

  @Test(
    "A page without an OAuth error is a server_error",
    arguments: [
      "", "<html>error</html>", "null", "[]", #""invalid_request""#, "{}", #"{"error":""}"#, #"{"error":5}"#,
      #"{"error":{"code":1}}"#, #"{"error":null}"#, #"{"error":"a","error":"b"}"#, #"{"error":"a""#,
      #"{"Error":"a"}"#,
    ])
  func otherPages(body: String) {
    #expect(refusal(body) == .refusal(code: "server_error", page: Self.page))
  }

  @Test("A page whose body cannot be read is a server_error")
  func unreadable() {
    #expect(Failure.refusal(page: Self.page, body: nil) == .refusal(code: "server_error", page: Self.page))
    let notText = Array(#"{"error":""#.utf8) + [0xFF, 0x22, 0x7D]
    #expect(Failure.refusal(page: Self.page, body: notText).code == .provider("server_error"))
  }

  @Test("A page of more than 64 KiB is not read")
  func large() {
    let start = #"{"error":"a"}"#
    let largest = start + String(repeating: " ", count: 65_536 - start.utf8.count)
    #expect(refusal(largest).code == .provider("a"))
    #expect(refusal(largest + " ").code == .provider("server_error"))
  }

  @Test("A description that is not text is left out")
  func noDescription() {
    #expect(refusal(#"{"error":"a","error_description":1}"#) == .refusal(code: "a", page: Self.page))
  }
}
