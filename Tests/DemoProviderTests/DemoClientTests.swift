import Testing

@testable import DemoProvider

@Suite("Where the demo's client may be answered")
struct DemoClientTests {
  @Test(
    "The registered addresses, on this machine with any port",
    arguments: [
      "https://demo.example/callback", "http://127.0.0.1:1/callback",
      "http://127.0.0.1:65535/callback", "http://127.0.0.1:8080/", "http://[::1]:8080/callback",
      "http://127.0.0.1/callback", "http://[::1]/",
    ])
  func allowed(uri: String) { #expect(DemoClient.mayRedirect(to: uri)) }

  @Test(
    "No other spelling, no other host, no other path",
    arguments: [
      "", "https://demo.example/callback/", "https://demo.example/callback?x=1", "https://demo.example",
      "https://demo.example/callback#x", "https://DEMO.example/callback", "http://demo.example/callback",
      "https://demo.example:443/callback", "https://demo.example@evil.example/callback",
      "https://demo.example.evil.example/callback", "com.example.demo:/callback", "com.example.demo:/",
      "http://127.0.0.1:/callback", "http://127.0.0.1:0/callback", "http://127.0.0.1:080/callback",
      "http://127.0.0.1:65536/callback", "http://127.0.0.1:+80/callback", "http://127.0.0.1:80/other",
      "http://127.0.0.1:80@evil.example/callback", "http://127.0.0.1:80/a/callback",
      "http://127.0.0.1:80/callback?x=1", "http://localhost:80/callback", "https://127.0.0.1:80/callback",
      "http://127.0.0.1.evil.example:80/callback", "http://[::1]:80/callback\r\nSet-Cookie: a=b",
      "javascript:alert(1)", "http://127.0.0.1:８０/callback",
    ])
  func refused(uri: String) { #expect(!DemoClient.mayRedirect(to: uri)) }
}
