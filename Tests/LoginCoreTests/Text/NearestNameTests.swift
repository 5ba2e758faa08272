import Testing

@testable import LoginCore

/// The name that is suggested to somebody who mistyped one.
@Suite("NearestName")
struct NearestNameTests {
  private static let names = [
    "scope", "state", "redirect_uri", "client_id", "client_secret", "token_endpoint",
  ]

  @Test(
    "a mistyped name finds the one that was meant",
    arguments: [
      ("scop", "scope"), ("scopes", "scope"), ("csope", "scope"), ("SCOPE", "scope"), ("stat", "state"),
      ("redirect-uri", "redirect_uri"), ("redirecturi", "redirect_uri"), ("cliend_id", "client_id"),
      ("client_secert", "client_secret"), ("tokenendpoint", "token_endpoint"),
    ])
  func near(word: String, name: String) {
    #expect(nearestName(to: word, among: Self.names) == name)
  }

  @Test(
    "a word that is far from every name has none",
    arguments: ["", "xyz", "frobnicate", "日本語", "sco\u{0}\u{0}"])
  func far(word: String) {
    #expect(nearestName(to: word, among: Self.names) == nil)
  }

  @Test("the nearest of several names is suggested, and of equally near ones always the same")
  func best() {
    #expect(nearestName(to: "token", among: ["tokens", "token_type", "taken"]) == "taken")
    #expect(nearestName(to: "token", among: ["taken", "tokens"].reversed()) == "taken")
  }

  @Test("without names there is nothing to suggest")
  func noNames() {
    #expect(nearestName(to: "scope", among: []) == nil)
  }

  @Test("a long word that resembles no name has none", arguments: [65, 200, 1_000, 100_000])
  func longWord(count: Int) {
    #expect(nearestName(to: String(repeating: "x", count: count), among: Self.names) == nil)
  }
}
