import Testing

@testable import LoginCore

/// What is done with each navigation of a web view.
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

  /// The decision in a word.
  private func decision(_ uri: String) throws -> String {
    switch try policy().decision(for: Array(uri.utf8)) {
    case .allow: "allow"
    case .ignore: "ignore"
    case .callback(let callback): callback.redirect.rawValue
    case .errorPage: "error page"
    }
  }

  @Test(
    "what is a redirect URI but for needless escapes is neither one nor a page to go to",
    arguments: [
      "https://oauth.vk.com/%62lank.html#access_token=a", "https://oauth.vk.com/blank%2ehtml",
      "https://oauth.vk.com/blank%2Ehtml?code=a", "https://oauth.vk.ru/%62%6c%61%6E%6b.html",
      "vk7915193:%2F%2f",
    ])
  func almost(_ uri: String) throws { #expect(try decision(uri) == "ignore") }

  @Test(
    "the redirect URI and its other forms end the visit",
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
    "an error page is known by its address without what follows",
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

  @Test("the address of an error page is reported as text for a person")
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
    "other pages of the web are visited",
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
    "what is no page of the web is not visited",
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

  @Test("the redirect URI wins over an alias and an error page of the same address")
  func precedence() throws {
    let redirectURI = try RedirectURI("https://h.test/x")
    let policy = NavigationPolicy(
      redirectURI: redirectURI, aliases: [redirectURI], errorPages: [try ErrorPage("https://h.test/x")])
    let callback = try Samples.callback(Array("https://h.test/x?a".utf8), policy)
    #expect(callback.redirect == .exact)
  }

  @Test("an address of 10 MB is judged in no time")
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

  @Test("error pages are the same if their texts are")
  func errorPageEquality() throws {
    #expect(try ErrorPage("https://h.test/e") == ErrorPage("https://h.test/e"))
    #expect(try ErrorPage("https://h.test/e") != ErrorPage("https://h.test/f"))
    #expect(try ErrorPage("https://H.test/e").description == "https://H.test/e")
  }
}
