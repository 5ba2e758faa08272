import Foundation
import Testing

@testable import LoginCore

@Suite("What WebKit is told to block")
struct ContentRulesTests {
  @Test(
    "It is what is taken for a callback, and nothing else",
    arguments: [
      "https://as.example/done", "https://as.example", "https://as.example/a.b+c/(d)",
      "https://as.example/d?",
      "https://as.example/done?a=b", "http://127.0.0.1:8080/done",
    ],
    [
      "", "?code=C", "#token=T", "?", "?a=b", "?a=b&code=C", "?a=b#token=T", "?a=bc", "x", "/", "/x?code=C",
      ";v=1", ".evil.example/",
    ])
  func same(_ redirect: String, _ rest: String) throws {
    let policy = NavigationPolicy(redirectURI: try RedirectURI(redirect))
    let patterns = try #require(policy.contentRules.map(Self.patterns))
    let path = redirect.split(separator: "?")[0]
    for uri in [
      redirect + rest, path + rest, path.replacing(".", with: "x") + rest, path.uppercased() + rest,
    ] {
      let isCallback = if case .callback = policy.decision(for: Array(uri.utf8)) { true } else { false }
      let isBlocked = try patterns.contains { try Regex($0).firstMatch(in: uri) != nil }
      #expect(isBlocked == isCallback, "\(uri): \(patterns)")
    }
  }

  @Test("One address is blocked whatever its fragment, and no other", arguments: ["", "#code=C", "#"])
  func one(_ fragment: String) throws {
    let address = "https://as.example/done/?code=C"
    let patterns = Self.patterns(
      try #require(NavigationPolicy.contentRules(against: Array((address + fragment).utf8))))
    for (rest, isBlocked) in [("", true), ("#code=C", true), ("#x", true), ("&x", false), ("x", false)] {
      #expect(
        try patterns.contains { try Regex($0).firstMatch(in: address + rest) != nil } == isBlocked, "\(rest)")
    }
  }

  @Test("There is nothing to block where no redirect URI is on the web")
  func none() throws {
    #expect(NavigationPolicy(redirectURI: try RedirectURI("com.example.app:/done")).contentRules == nil)
  }

  @Test("All forms of the redirect URI are blocked, as documents alone")
  func aliases() throws {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://as.example/done"),
      aliases: [try RedirectURI("https://b.example/")])
    let rules = try #require(policy.contentRules)
    #expect(Self.patterns(rules).count == 4)
    #expect(rules.components(separatedBy: "\"resource-type\":[\"document\"]").count == 5)
  }

  private static func patterns(_ rules: String) -> [String] {
    let list = try? JSONReader.read(Array("{\"rules\":\(rules)}".utf8)).object
    return (list?["rules"]?.array ?? []).compactMap { $0.object?["trigger"]?.object?["url-filter"]?.string }
  }
}
