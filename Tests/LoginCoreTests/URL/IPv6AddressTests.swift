import Testing

@testable import LoginCore

@Suite("IPv6Address")
struct IPv6AddressTests {
  // URL Standard section 3.5 and RFC 5952 section 4.
  @Test(
    "An address is written in its shortest form",
    arguments: [
      ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("0:0:0:0:0:0:0:1", "::1"), ("0::1", "::1"),
      ("2001:0db8::0001", "2001:db8::1"), ("2001:DB8::A", "2001:db8::a"),
      ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
      ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
      ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("0:0:0:1::", "0:0:0:1::"),
      ("::ffff:7f00:1", "::ffff:7f00:1"), ("0:1:0:1:0:1:0:1", "0:1:0:1:0:1:0:1"),
    ])
  func serialized(text: String, serialized: String) {
    #expect(IPv6Address(text)?.serialized == serialized)
  }

  @Test(
    "A text that is not an IPv6 address is refused",
    arguments: [
      "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "1::2::3", "12345::",
      "g::", "::1:",
      ":1::", "1:", ":1", "::ffff:127.0.0.1", "fe80::1%25eth0", "::+1", "::-1", " ::1", "::1 ", "[::1]",
      "::１",
    ])
  func noAddress(text: String) {
    #expect(IPv6Address(text) == nil)
  }
}
