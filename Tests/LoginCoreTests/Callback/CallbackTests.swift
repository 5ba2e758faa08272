import Testing

@testable import LoginCore

@Suite("Callback")
struct CallbackTests {
  private static let tooLong: Message = "it is longer than 256 KiB"
  private static let tooManyParameters: Message = "it has more than 256 parameters"

  private func callback(_ uri: [UInt8], redirectURI: String = "https://h.test/cb") throws -> Callback {
    try Samples.callback(uri, NavigationPolicy(redirectURI: try RedirectURI(redirectURI)))
  }

  private func callback(_ uri: String, redirectURI: String = "https://h.test/cb") throws -> Callback {
    try callback(Array(uri.utf8), redirectURI: redirectURI)
  }

  @Test(
    "Query and fragment are two channels",
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
    "The query of the redirect URI itself is not part of the answer",
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

  @Test("Parameters after an empty query of the redirect URI are the answer")
  func emptyOwnQuery() throws {
    let channels = try callback("https://h.test/cb?code=A&state=S#a=b", redirectURI: "https://h.test/cb?")
      .channels()
    #expect(channels.query.parameters == [Parameter("code", "A"), Parameter("state", "S")])
    #expect(channels.fragment.parameters == [Parameter("a", "b")])
  }

  @Test("A callback is passed on unchanged")
  func text() throws {
    let uri = "https://h.test/cb?a=%FF&b=é#c=%zz&c=+"
    #expect(try callback(uri).text() == uri)
  }

  @Test("A callback that is not UTF-8 is not passed on as text")
  func textNotUTF8() throws {
    let callback = try callback(Array("https://h.test/cb?a=".utf8) + [0xFF])
    expectMalformed("it is not UTF-8") { _ = try callback.text() }
    #expect(try callback.channels().query["a"] == "\u{FFFD}")
  }

  @Test("A callback of 256 KiB is read, one byte more is malformed", arguments: ["?", "#"])
  func length(mark: String) throws {
    let start = "https://h.test/cb\(mark)a="
    let value = String(repeating: "x", count: 256 * 1_024 - start.utf8.count)
    let channels = try callback(start + value).channels()
    #expect([channels.query["a"], channels.fragment["a"]].contains(value))
    #expect(try callback(start + value).text().utf8.count == 262_144)

    let longer = try callback(start + value + "x")
    expectMalformed(Self.tooLong) { _ = try longer.channels() }
    expectMalformed(Self.tooLong) { _ = try longer.text() }
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
      expectMalformed(Self.tooManyParameters) { _ = try callback.channels() }
    }
  }

  @Test("Separators with no text between them are not parameters")
  func separators() throws {
    let uri = "https://h.test/cb#" + String(repeating: "&", count: 200_000) + "a=b"
    #expect(try callback(uri).channels().fragment.parameters == [Parameter("a", "b")])
  }

  @Test("A callback of 10 MB is refused quickly")
  func huge() throws {
    let uri = Array("https://h.test/cb#".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000)
    let duration = try processorTime {
      let callback = try callback(uri)
      expectMalformed(Self.tooLong) { _ = try callback.channels() }
    }
    #expect(duration < .seconds(1))
  }

  @Test("A callback with very many parameters is refused quickly")
  func manyParameters() throws {
    let uri = "https://h.test/cb#" + String(repeating: "&a", count: 131_000)
    let duration = try processorTime {
      let callback = try callback(uri)
      expectMalformed(Self.tooManyParameters) { _ = try callback.channels() }
    }
    #expect(duration < .seconds(1))
  }

  @Test("A redirect URI that is longer than the limit does not end the program")
  func longRedirectURI() async {
    await #expect(processExitsWith: .success) {
      let text = "https://h.test/" + String(repeating: "a", count: 300_000)
      let policy = NavigationPolicy(redirectURI: try RedirectURI(text))
      guard case .callback(let callback) = policy.decision(for: Array("\(text)#a=b".utf8)) else { return }
      expectMalformed("it is longer than 256 KiB") { _ = try callback.channels() }
    }
  }
}
