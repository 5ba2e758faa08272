import LoginCore
import Testing

@testable import WindowProtocol

/// Addresses that carry an answer, and are almost the redirect URI or no page at all.
@Suite("Wrong addresses")
struct WrongAddressTests {
  private func policy(_ redirect: String) throws -> NavigationPolicy {
    NavigationPolicy(redirectURI: try RedirectURI(redirect))
  }

  @Test(
    "A navigation to another scheme may be the answer, or may start another program",
    arguments: [
      ("bankid:///?autostarttoken=1&redirect=null", false), ("msauth://code/1", false), ("eid:", false),
      ("com.other.app:/done?code=1", true), ("com.other.app:/done#access_token=1", true),
      ("com.example.app:/else", true), ("COM.example.APP:/else", true),
    ])
  func mayBeMeant(_ uri: String, _ isMeant: Bool) throws {
    #expect(try policy("com.example.app:/done").mayBeMeant(Array(uri.utf8)) == isMeant)
  }

  @Test(
    "An answer at almost the redirect URI is refused, with the part that differs",
    arguments: [
      ("https://app.example/done", "https://app.example/done/?code=1", [.slash]),
      ("https://app.example/done", "http://app.example/done?state=s&code=1", [.scheme]),
      ("https://app.example/done", "https://app.example:444/done#access_token=1", [.port]),
      ("https://app.example/done", "https://app.example/Done?error=access_denied", [.capitals]),
      ("https://app.example/done", "https://app.example/d%6fne?code=1", [.escapes]),
      ("http://127.0.0.1:80/a", "http://localhost:80/a?code=1", [.host]),
    ] as [(String, String, [PageRefusal.Difference])])
  func nearMiss(_ redirect: String, _ uri: String, _ differences: [PageRefusal.Difference]) throws {
    guard case .address(let address, let expected)? = try policy(redirect).nearMiss(Array(uri.utf8)) else {
      Issue.record("the address is not refused")
      return
    }
    #expect(expected == redirect)
    #expect(uri.hasPrefix(address) && !address.contains("?") && !address.contains("#"))
    #expect(PageRefusal.differences(address, expected) == differences)
  }

  @Test(
    "Pages without an answer, and those with another host or path, are ordinary pages",
    arguments: [
      "https://app.example/done/", "https://app.example/other?code=1", "https://as.example/done?code=1",
      "https://app.example/?code=1", "https://app.example/done/x?code=1",
      "https://app.example/done/?encode=1",
    ])
  func ordinaryPage(_ uri: String) throws {
    #expect(try policy("https://app.example/done").nearMiss(Array(uri.utf8)) == nil)
  }

  @Test("The refusal names the most similar redirect URI, and cuts the address before its query")
  func nearest() throws {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.example/done"), aliases: [try RedirectURI("com.app:/done")])
    let refusal = policy.refusal(of: Array("com.app2:/done?code=secret".utf8))
    #expect(refusal == .address("com.app2:/done", redirectURI: "com.app:/done"))
  }
}
