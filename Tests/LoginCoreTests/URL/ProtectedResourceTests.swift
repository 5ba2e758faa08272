import Testing

@testable import LoginCore

@Suite("The address of an API")
struct ProtectedResourceTests {
  // RFC 9728 section 3.1.
  @Test(
    "it is described at its path, then for the whole server",
    arguments: [
      (
        "https://h.test/mcp/",
        [
          "https://h.test/.well-known/oauth-protected-resource/mcp",
          "https://h.test/.well-known/oauth-protected-resource",
        ]
      ),
      ("https://h.test", ["https://h.test/.well-known/oauth-protected-resource"]),
      (
        "https://H.test:8443/a?t=1",
        [
          "https://h.test:8443/.well-known/oauth-protected-resource/a?t=1",
          "https://h.test:8443/.well-known/oauth-protected-resource",
        ]
      ),
    ])
  func places(address: String, places: [String]) throws {
    #expect(try ProtectedResource(address).metadataAddresses == places)
  }

  @Test("an account that is called after it can be kept", arguments: [3, 40, 200])
  func accountName(length: Int) throws {
    let path = String(repeating: "x", count: length)
    let addresses = ["https://h.test/\(path)/a", "https://h.test/\(path)/b"]
    var cryptography = FakeCryptography()
    for (number, address) in addresses.enumerated() {
      cryptography.digests[Array(address.utf8)] = [UInt8](repeating: UInt8(number), count: 32)
    }
    let one = try AccountName(ProtectedResource(addresses[0] + "/"), cryptography)
    let other = try AccountName(ProtectedResource(addresses[1]), cryptography)
    #expect(AccountName(one.description) == one, "it may be typed in")
    #expect(one.description.utf8.count <= AccountName.maximumLength)
    #expect(one.description.hasPrefix("https://h.test/xxx"))
    #expect(one != other)
  }
}
