import Testing

@testable import tokentry

@Suite("URLs in a trace")
struct RedactedURLTests {
  @Test(
    "Only parameters that are known to be harmless keep their values",
    arguments: [
      ("https://a.example/b?client_id=1&state=S", "https://a.example/b?client_id=1&state=[redacted]"),
      (
        "https://a.example/#access_token=T&expires_in=3",
        "https://a.example/#access_token=[redacted]&expires_in=3"
      ),
      ("https://a.example/?T0P53CR3T#T0P53CR3T", "https://a.example/?[redacted]#[redacted]"),
      ("https://user:pass@a.example/", "https://[redacted]@a.example/"),
      ("app:done?code=1", "app:done?code=[redacted]"),
      ("https://a.example/\u{1B}[31m", "https://a.example/ [31m"),
    ])
  func redaction(url: String, shown: String) {
    #expect(RedactedURL(url).description == shown)
  }
}
