import Foundation
import Testing

@testable import LoginCore

@Suite("NavigationPolicy")
struct NavigationPolicyTests {
  private func policy() throws -> NavigationPolicy {
    NavigationPolicy(
      redirectURI: try RedirectURI("https://oauth.vk.com/blank.html"),
      aliases: [try RedirectURI("https://oauth.vk.ru/blank.html"), try RedirectURI("vk7915193://")],
      errorPages: [
        try ErrorPage("https://oauth.vk.com/error"), try ErrorPage("https://oauth.vk.ru/error?x=1"),
      ])
  }

  /// Returns the decision as a word.
  private func decision(_ uri: String) throws -> String {
    switch try policy().decision(for: Array(uri.utf8)) {
    case .allow: "allow"
    case .ignore: "ignore"
    case .callback(let callback): callback.redirect.rawValue
    case .errorPage: "error page"
    }
  }

  @Test(
    "An address that becomes the redirect URI when escapes are undone is ignored",
    arguments: [
      "https://oauth.vk.com/%62lank.html#access_token=a", "https://oauth.vk.com/blank%2ehtml",
      "https://oauth.vk.com/blank%2Ehtml?code=a", "https://oauth.vk.ru/%62%6c%61%6E%6b.html",
      "vk7915193:%2F%2f",
    ])
  func almost(_ uri: String) throws { #expect(try decision(uri) == "ignore") }

  @Test(
    "The redirect URI and its aliases end the visit",
    arguments: [
      ("https://oauth.vk.com/blank.html#access_token=a", "exact"),
      ("https://oauth.vk.com/blank.html", "exact"),
      ("https://oauth.vk.ru/blank.html#access_token=a", "alias"), ("vk7915193://?code=a", "alias"),
      ("VK7915193://", "alias"),
    ])
  func callbacks(uri: String, check: String) throws {
    #expect(try decision(uri) == check)
  }

  @Test(
    "An error page is recognised with any query or fragment after it",
    arguments: [
      "https://oauth.vk.com/error?err=2", "https://oauth.vk.com/error", "https://oauth.vk.com/error#x",
      "https://oauth.vk.ru/error?x=1&y=2",
    ])
  func errorPages(uri: String) throws {
    guard case .errorPage(let reported) = try policy().decision(for: Array(uri.utf8)) else {
      Issue.record("no error page")
      return
    }
    #expect(reported == uri)
  }

  @Test("The address of an error page is reported as text that can be shown")
  func errorPageText() throws {
    let uri =
      Array("https://oauth.vk.com/error?\u{1B}[2J\n\u{202E}".utf8) + [0xFF]
      + [UInt8](repeating: 0x61, count: 9_000)
    guard case .errorPage(let reported) = try policy().decision(for: uri) else {
      Issue.record("no error page")
      return
    }
    #expect(!reported.hasControlCharacter)
    #expect(!reported.unicodeScalars.contains("\u{202E}"))
    #expect(reported.count < 2_100)
  }

  @Test(
    "Other web pages are loaded",
    arguments: [
      "https://oauth.vk.com/authorize?client_id=1", "https://oauth.vk.com/blank.html/",
      "https://oauth.vk.com/errors", "http://h.test/",
      "https://oauth.vk.ru/error", "HTTPS://h.test/", "Http://h.test/", "about:blank",
      "about:srcdoc",
      "https://oauth.vk.com@evil.test/blank.html",
    ])
  func pages(uri: String) throws {
    #expect(try decision(uri) == "allow")
  }

  @Test(
    "Any other address is not loaded",
    arguments: [
      "file:///etc/passwd", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
      "blob:https://h.test/1", "mailto:a@b.test",
      "tel:1", "intent://x", "view-source:https://h.test/", "resource:///x", "inspector://x",
      "vk1://vk.ru/blank.html", "ftp://h.test/",
      "about:config", "", "https", "httpss://h.test/", " https://h.test/", "ws://h.test/",
      "x-https://h.test/", "chrome:about:blank", "about:blankx",
    ])
  func otherSchemes(uri: String) throws {
    #expect(try decision(uri) == "ignore")
  }

  @Test("The redirect URI takes precedence over an alias and an error page with the same address")
  func precedence() throws {
    let redirectURI = try RedirectURI("https://h.test/x")
    let policy = NavigationPolicy(
      redirectURI: redirectURI, aliases: [redirectURI], errorPages: [try ErrorPage("https://h.test/x")])
    let callback = try Samples.callback(Array("https://h.test/x?a".utf8), policy)
    #expect(callback.redirect == .exact)
  }

  @Test("An address of 10 MB is judged quickly")
  func huge() throws {
    let policy = try policy()
    let tail = [UInt8](repeating: UInt8(ascii: "&"), count: 10_000_000)
    for base in [
      "https://oauth.vk.com/blank.html#", "https://oauth.vk.com/error?", "https://evil.test/?", "data:",
    ] {
      let uri = Array(base.utf8) + tail
      let duration = processorTime { _ = policy.decision(for: uri) }
      #expect(duration < .seconds(1), "\(base)")
    }
  }

  @Test("Error pages are equal if their texts are")
  func errorPageEquality() throws {
    #expect(try ErrorPage("https://h.test/e") == ErrorPage("https://h.test/e"))
    #expect(try ErrorPage("https://h.test/e") != ErrorPage("https://h.test/f"))
    #expect(try ErrorPage("https://H.test/e").description == "https://H.test/e")
  }
}

@Suite("NavigationPolicy, content rules")
struct ContentRulesTests {
  @Test(
    "The rules block exactly the addresses that count as a callback",
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

  @Test(
    "Rules against one address block it with any fragment, and no other address",
    arguments: ["", "#code=C", "#"])
  func one(_ fragment: String) throws {
    let address = "https://as.example/done/?code=C"
    let patterns = Self.patterns(
      try #require(NavigationPolicy.contentRules(against: Array((address + fragment).utf8))))
    for (rest, isBlocked) in [("", true), ("#code=C", true), ("#x", true), ("&x", false), ("x", false)] {
      #expect(
        try patterns.contains { try Regex($0).firstMatch(in: address + rest) != nil } == isBlocked, "\(rest)")
    }
  }

  @Test("Without a redirect URI on the web there are no rules")
  func none() throws {
    #expect(NavigationPolicy(redirectURI: try RedirectURI("com.example.app:/done")).contentRules == nil)
  }

  @Test("All forms of the redirect URI are blocked, but only as documents")
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
