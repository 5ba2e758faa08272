import Testing

@testable import LoginCore

@Suite("WebAddress+Zone")
struct WebAddressZoneTests {
  @Test(
    "this machine, in every spelling that is one",
    arguments: [
      "127.0.0.1", "127.8.9.10", "0.0.0.0", "0.1.2.3", "[::1]", "[::]", "[::ffff:7f00:1]", "[::7f00:1]",
      "[::ffff:0:0]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost", "LocalHost", "localhost.",
      "a.localhost",
      "a.localhost.",
    ])
  func machine(host: String) throws {
    #expect(try WebAddress("https://\(host)/").zone == .machine)
  }

  @Test(
    "the inside of a network",
    arguments: [
      "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fd00::1]",
      "[fc12:3::4]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[::ffff:a00:1]", "[::ffff:c0a8:101]",
      "[64:ff9b::a9fe:a9fe]",
      "[2002:a00:1::]",
    ])
  func network(host: String) throws {
    #expect(try WebAddress("https://\(host)/").zone == .network)
  }

  @Test(
    "everywhere else, names included",
    arguments: [
      "as.test", "localhost.as.test", "notlocalhost", "9.255.255.255", "11.0.0.1", "128.0.0.1", "172.15.0.1",
      "172.32.0.1", "192.167.1.1", "100.63.0.1", "100.128.0.1", "[2001:db8::1]", "[::ffff:808:808]",
      "[ff02::1]",
      "[64:ff9b::808:808]", "[2002:808:808::]",
    ])
  func everywhere(host: String) throws {
    #expect(try WebAddress("https://\(host)/").zone == .everywhere)
  }

  @Test(
    "other spellings are no addresses at all",
    arguments: [
      "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "127.0.0.1.", "127.0.0.01", "[::ffff:127.0.0.1]",
      "[0::1]",
      "[::1%25eth0]", "%6cocalhost", "ⓛocalhost",
    ])
  func odd(host: String) {
    #expect(throws: AddressFault.self) { _ = try WebAddress("https://\(host)/") }
  }

  @Test(
    "a server names nothing that is nearer to this machine than itself",
    arguments: [
      ("https://as.test", "http://127.0.0.1/t", false), ("https://as.test", "https://10.0.0.1/t", false),
      ("https://as.test", "https://as.test/t", true), ("https://10.0.0.1", "https://192.168.0.1/t", true),
      ("https://10.0.0.1", "http://127.0.0.1/t", false), ("https://10.0.0.1", "https://as.test/t", true),
      ("https://localhost", "http://127.0.0.1/t", true), ("http://127.0.0.1:8080", "http://[::1]/t", true),
      ("http://127.0.0.1", "https://10.0.0.1/t", true),
    ])
  func named(server: String, text: String, isAllowed: Bool) {
    let endpoint = try? Endpoint(text, namedBy: server)
    #expect((endpoint != nil) == isAllowed)
  }
}
