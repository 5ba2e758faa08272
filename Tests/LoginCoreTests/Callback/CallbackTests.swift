import Testing

@testable import LoginCore

/// The two channels of a callback, and its limits.
@Suite("Callback")
struct CallbackTests {
  private func callback(_ uri: [UInt8], redirectURI: String = "https://h.test/cb") throws -> Callback {
    try Samples.callback(uri, NavigationPolicy(redirectURI: try RedirectURI(redirectURI)))
  }

  private func callback(_ uri: String, redirectURI: String = "https://h.test/cb") throws -> Callback {
    try callback(Array(uri.utf8), redirectURI: redirectURI)
  }

  @Test(
    "query and fragment are two channels",
    arguments: [
      ("https://h.test/cb", [], []), ("https://h.test/cb?", [], []), ("https://h.test/cb#", [], []),
      ("https://h.test/cb?#", [], []),
      ("https://h.test/cb?a=1", ["a"], []), ("https://h.test/cb#a=1", [], ["a"]),
      ("https://h.test/cb?a=1#b=2", ["a"], ["b"]),
      ("https://h.test/cb#a=1?b=2", [], ["a"]), ("https://h.test/cb?a&b#c&d", ["a", "b"], ["c", "d"]),
      ("https://h.test/cb#a#b", [], ["a#b"]),
      ("https://h.test/cb?a?b", ["a?b"], []), ("https://h.test/cb?code=A#_=_", ["code"], ["_"]),
      ("https://h.test/cb?a&#c&", ["a"], ["c"]), ("https://h.test/cb?a=#c=", ["a"], ["c"]),
      ("https://h.test/cb?=#=", [""], [""]), ("https://h.test/cb?a%23b=%23#c%23=#", ["a#b"], ["c#"]),
      ("https://h.test/cb?&&#&&", [], []), ("https://h.test/cb??#?", ["?"], ["?"]),
    ])
  func channels(uri: String, query: [String], fragment: [String]) throws {
    let channels = try callback(uri).channels()
    #expect(channels.query.parameters.map(\.name) == query)
    #expect(channels.fragment.parameters.map(\.name) == fragment)
  }

  // RFC 6749 section 3.1.2: the redirect URI may have a query, which is not a part of the answer.
  @Test(
    "the query of the redirect URI itself is no part of the answer",
    arguments: [
      ("https://h.test/cb?x=1&y", [], []), ("https://h.test/cb?x=1&y&code=A", ["code"], []),
      ("https://h.test/cb?x=1&y#a=b", [], ["a"]),
      ("https://h.test/cb?x=1&y&code=A#a=b", ["code"], ["a"]),
    ])
  func ownQuery(uri: String, query: [String], fragment: [String]) throws {
    let channels = try callback(uri, redirectURI: "https://h.test/cb?x=1&y").channels()
    #expect(channels.query.parameters.map(\.name) == query)
    #expect(channels.fragment.parameters.map(\.name) == fragment)
  }

  @Test("what is added to an empty query of the redirect URI is the answer")
  func emptyOwnQuery() throws {
    let channels = try callback("https://h.test/cb?code=A&state=S#a=b", redirectURI: "https://h.test/cb?")
      .channels()
    #expect(channels.query.parameters == [Parameter("code", "A"), Parameter("state", "S")])
    #expect(channels.fragment.parameters == [Parameter("a", "b")])
  }

  @Test("a callback is handed on as it came")
  func text() throws {
    let uri = "https://h.test/cb?a=%FF&b=é#c=%zz&c=+"
    #expect(try callback(uri).text() == uri)
  }

  @Test("a callback that is not UTF-8 is handed on to nobody")
  func textNotUTF8() throws {
    let callback = try callback(Array("https://h.test/cb?a=".utf8) + [0xFF])
    expectMalformed(.notUTF8) { _ = try callback.text() }
    #expect(try callback.channels().query["a"] == "\u{FFFD}")
  }

  @Test("a callback of 256 KiB is read, one byte more is malformed", arguments: ["?", "#"])
  func length(mark: String) throws {
    let start = "https://h.test/cb\(mark)a="
    let value = String(repeating: "x", count: 256 * 1_024 - start.utf8.count)
    let channels = try callback(start + value).channels()
    #expect([channels.query["a"], channels.fragment["a"]].contains(value))
    #expect(try callback(start + value).text().utf8.count == 262_144)

    let longer = try callback(start + value + "x")
    expectMalformed(.tooLong) { _ = try longer.channels() }
    expectMalformed(.tooLong) { _ = try longer.text() }
  }

  @Test("256 parameters are read, one more is malformed", arguments: [0, 1, 128, 256])
  func count(inQuery: Int) throws {
    func uri(_ query: Int, _ fragment: Int) -> String {
      let names = (0..<query + fragment).map { "p\($0)=1" }
      let parts = [names.prefix(query), names.suffix(fragment)].map { $0.joined(separator: "&") }
      return "https://h.test/cb?\(parts[0])#\(parts[1])"
    }
    let channels = try callback(uri(inQuery, 256 - inQuery)).channels()
    #expect(channels.query.parameters.count + channels.fragment.parameters.count == 256)
    for (query, fragment) in [(inQuery + 1, 256 - inQuery), (inQuery, 257 - inQuery)] {
      let callback = try callback(uri(query, fragment))
      expectMalformed(.tooManyParameters) { _ = try callback.channels() }
    }
  }

  @Test("separators between which nothing stands are no parameters")
  func separators() throws {
    let uri = "https://h.test/cb#" + String(repeating: "&", count: 200_000) + "a=b"
    #expect(try callback(uri).channels().fragment.parameters == [Parameter("a", "b")])
  }

  @Test("a callback of 10 MB is malformed, and that is found at once")
  func huge() throws {
    let uri = Array("https://h.test/cb#".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000)
    let duration = try processorTime {
      let callback = try callback(uri)
      expectMalformed(.tooLong) { _ = try callback.channels() }
    }
    #expect(duration < .seconds(1))
  }

  @Test("the most parameters that a callback of the greatest length can have cost no more than a few")
  func manyParameters() throws {
    let uri = "https://h.test/cb#" + String(repeating: "&a", count: 131_000)
    let duration = try processorTime {
      let callback = try callback(uri)
      expectMalformed(.tooManyParameters) { _ = try callback.channels() }
    }
    #expect(duration < .seconds(1))
  }

  @Test("a redirect URI that is itself longer than a callback may be does not end the program")
  func longRedirectURI() async {
    await #expect(processExitsWith: .success) {
      let text = "https://h.test/" + String(repeating: "a", count: 300_000)
      let policy = NavigationPolicy(redirectURI: try RedirectURI(text))
      guard case .callback(let callback) = policy.decision(for: Array("\(text)#a=b".utf8)) else { return }
      expectMalformed(.tooLong) { _ = try callback.channels() }
    }
  }
}
