import Testing

@testable import LoginCore

@Suite("NameSet")
struct NameSetTests {
  @Test(
    "A name is new only once, in small sets and in large ones",
    arguments: [0, 1, 15, 16, 17, 18, 1_000], [nil, 0, 16, 17, 2_000])
  func once(others: Int, expected: Int?) {
    var names = expected.map { NameSet(expecting: $0) } ?? NameSet()
    for other in 0..<others {
      let isNew = names.insert("n\(other)")
      #expect(isNew)
    }
    for name in ["", "a", "é"] {
      #expect(!names.contains(name))
      let first = names.insert(name), second = names.insert(name)
      #expect(first)
      #expect(!second)
      #expect(names.contains(name))
    }
    for other in [0, others / 2, others - 1] where other >= 0 && other < others {
      let isNew = names.insert("n\(other)")
      #expect(!isNew)
    }
  }

  @Test("Names are compared by their bytes", arguments: [0, 100])
  func bytes(others: Int) {
    var names = NameSet()
    for other in 0..<others { _ = names.insert("n\(other)") }
    for name in ["\u{E9}", "e\u{301}", "K", "\u{212A}", "k", "a", "a\u{0}", ""] {
      let isNew = names.insert(name)
      #expect(isNew, "\(Array(name.utf8))")
    }
  }
}

@Suite("nearestName")
struct NearestNameTests {
  private static let names = [
    "scope", "state", "redirect_uri", "client_id", "client_secret", "token_endpoint",
  ]

  @Test(
    "A mistyped name finds the right one",
    arguments: [
      ("scop", "scope"), ("scopes", "scope"), ("csope", "scope"), ("SCOPE", "scope"), ("stat", "state"),
      ("redirect-uri", "redirect_uri"), ("redirecturi", "redirect_uri"), ("cliend_id", "client_id"),
      ("client_secert", "client_secret"), ("tokenendpoint", "token_endpoint"),
    ])
  func near(word: String, name: String) {
    #expect(nearestName(to: word, among: Self.names) == name)
  }

  @Test(
    "A word that resembles no name gets no suggestion",
    arguments: ["", "xyz", "frobnicate", "日本語", "sco\u{0}\u{0}"])
  func far(word: String) {
    #expect(nearestName(to: word, among: Self.names) == nil)
  }

  @Test("The nearest of several names is suggested, and always the same one of equally near names")
  func best() {
    #expect(nearestName(to: "token", among: ["tokens", "token_type", "taken"]) == "taken")
    #expect(nearestName(to: "token", among: ["taken", "tokens"].reversed()) == "taken")
  }

  @Test("Without names there is no suggestion")
  func noNames() {
    #expect(nearestName(to: "scope", among: []) == nil)
  }

  @Test("A long word gets no suggestion", arguments: [65, 200, 1_000, 100_000])
  func longWord(count: Int) {
    #expect(nearestName(to: String(repeating: "x", count: count), among: Self.names) == nil)
  }
}
