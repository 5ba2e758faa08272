import Testing

@testable import LoginCore

/// Scheme, host and port.
@Suite("Origin")
struct OriginTests {
  // RFC 6454 section 6.2.
  @Test(
    "an origin is written without its default port and without a path",
    arguments: [
      ("https://H.test:443/", "https://h.test"), ("https://h.test", "https://h.test"),
      ("https://h.test:8443", "https://h.test:8443"), ("http://127.0.0.1:80", "http://127.0.0.1"),
    ])
  func serialisation(text: String, origin: String) throws {
    #expect(try Origin(text).description == origin)
  }

  @Test(
    "a path or a query belongs to no origin",
    arguments: ["https://h.test/api", "https://h.test//", "https://h.test/?", "https://h.test?a"])
  func notAnOrigin(text: String) {
    #expect(throws: AddressFault.notAnOrigin) { _ = try Origin(text) }
  }

  @Test(
    "an origin is https, or on this machine", arguments: ["http://h.test", "ftp://h.test", "vk1://vk.ru"])
  func notHTTPS(text: String) {
    #expect(throws: AddressFault.notHTTPS) { _ = try Origin(text) }
  }
}
