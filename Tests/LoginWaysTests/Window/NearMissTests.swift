import LoginCore
import Testing

@testable import LoginWays

@Suite("Addresses that are almost the redirect URI")
struct NearMissTests {
  private func policy(_ redirect: String) throws -> NavigationPolicy {
    NavigationPolicy(redirectURI: try RedirectURI(redirect))
  }

  @Test(
    "Where no page can come from, an answer may be meant, or just another program",
    arguments: [
      ("bankid:///?autostarttoken=1&redirect=null", false), ("msauth://code/1", false), ("eid:", false),
      ("com.other.app:/done?code=1", true), ("com.other.app:/done#access_token=1", true),
      ("com.example.app:/else", true), ("COM.example.APP:/else", true),
    ])
  func meant(_ uri: String, _ isMeant: Bool) throws {
    #expect(try policy("com.example.app:/done").mayBeMeant(Array(uri.utf8)) == isMeant)
  }

  @Test(
    "An answer that comes to almost the redirect URI is a mistake, and what differs is named",
    arguments: [
      ("https://app.example/done", "https://app.example/done/?code=1", [.slash]),
      ("https://app.example/done", "http://app.example/done?state=s&code=1", [.scheme]),
      ("https://app.example/done", "https://app.example:444/done#access_token=1", [.port]),
      ("https://app.example/done", "https://app.example/Done?error=access_denied", [.capitals]),
      ("https://app.example/done", "https://app.example/d%6fne?code=1", [.escapes]),
      ("http://127.0.0.1:80/a", "http://localhost:80/a?code=1", [.host]),
    ] as [(String, String, [PageRefusal.Difference])])
  func near(_ redirect: String, _ uri: String, _ differences: [PageRefusal.Difference]) throws {
    guard case .address(let address, let expected)? = try policy(redirect).nearMiss(Array(uri.utf8)) else {
      Issue.record("no mistake")
      return
    }
    #expect(expected == redirect)
    #expect(uri.hasPrefix(address) && !address.contains("?") && !address.contains("#"))
    #expect(PageRefusal.differences(address, expected) == differences)
  }

  @Test(
    "Other pages are pages, and so are those without an answer",
    arguments: [
      "https://app.example/done/", "https://app.example/other?code=1", "https://as.example/done?code=1",
      "https://app.example/?code=1", "https://app.example/done/x?code=1",
      "https://app.example/done/?encode=1",
    ])
  func far(_ uri: String) throws {
    #expect(try policy("https://app.example/done").nearMiss(Array(uri.utf8)) == nil)
  }

  @Test("Of several redirect URIs the nearest one is named, and nothing behind the query")
  func nearest() throws {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.example/done"), aliases: [try RedirectURI("com.app:/done")])
    let refusal = policy.refusal(of: Array("com.app2:/done?code=secret".utf8))
    #expect(refusal == .address("com.app2:/done", redirectURI: "com.app:/done"))
  }

  @Test(
    "What the window tells of it is read as it was",
    arguments: [
      .address("a:/x", redirectURI: "a:/y"), .password(host: "h"), .download(host: "h", type: "t"),
      .nothing(host: "h", status: 204), .failed(host: "h", status: 503),
    ] as [PageRefusal])
  func line(_ refusal: PageRefusal) {
    let event = WindowEvent.closed(by: .user, fault: .refused(refusal))
    #expect(WindowEvent(line: Array(event.line.utf8.dropLast())) == event)
  }
}
