import Foundation
import LoginCore
import TestSupport
import Testing

/// Answers that cost memory or time, at each place where the program reads one: metadata, page, token
/// endpoint and keys.
@Suite("Endless answers of a hostile provider", .blocking)
struct HostileAnswerTests {
  private static let places = ["/.well-known/openid-configuration", "/auth", "/token", "/keys"]
  /// The most memory that the program may use, in kB. A sanitizer needs more.
  private static let memory = (slowness > 1 ? 96 : 64) * 1_024

  @Test("An endless body is refused with little memory", arguments: places)
  func endless(place: String) throws {
    try expectRefusal(
      of: StandInServer.Answer.json(String(repeating: " ", count: 1 << 16)).endless, at: place)
  }

  @Test("An endless header is refused with little memory", arguments: places)
  func endlessHeader(place: String) throws {
    let field = "X-Filler: " + String(repeating: "a", count: 1_000)
    try expectRefusal(of: StandInServer.Answer(200, Array(repeating: field, count: 20_000)), at: place)
  }

  /// 100 MB of zeros, packed.
  private static let bombs = Result {
    let folder = TemporaryFolder()
    let made = try Command.run(
      ["/bin/sh", "-c", "head -c 100000000 /dev/zero | gzip -c >bomb; gzip -c bomb >double"], in: folder.path)
    try #require(made.status == 0)
    return try ["bomb", "double"].map { Array(try #require(folder.contents(of: $0))) }
  }

  @Test("100 MB packed into 100 kB are refused with little memory", arguments: places)
  func bomb(place: String) throws {
    let bombs = try Self.bombs.get()
    try #require(bombs[0].count > 50_000, "gzip made too small a file")
    for (bomb, encoding) in zip(bombs, ["gzip", "gzip, gzip"]) {
      let fields = ["Content-Type: application/json", "Content-Encoding: \(encoding)"]
      try expectRefusal(of: StandInServer.Answer(200, fields, bytes: bomb), at: place)
    }
  }

  @Test("Keys of 20 MB are refused with little memory")
  func keys() throws {
    let key = JSONObject.rsa.text
    let keys = Array(repeating: key, count: 20_000_000 / key.utf8.count).joined(separator: ",")
    try expectRefusal(of: .json(#"{"keys":[\#(keys)]}"#), at: "/keys")
  }

  private func expectRefusal(of answer: StandInServer.Answer, at place: String) throws {
    let provider = try HostileProvider { $0.answers[place] = answer }
    let (status, peakMemory) = try Tokentry.measure(provider.arguments() + ["--timeout", "20"])
    #expect(status == 5)
    #expect(peakMemory < Self.memory, "kB")
  }

  @Test(
    "A byte every half second does not outlast the deadline, in the header or in the body", arguments: places)
  func slow(place: String) throws {
    let long = String(repeating: " ", count: 1_000)
    for answer in [StandInServer.Answer.json("{}").slow(0.5), .json(long).slowBody(0.5)] {
      let provider = try HostileProvider { $0.answers[place] = answer }
      let start = ContinuousClock.now
      let outcome = try provider.login(["--timeout", "2"])
      let elapsed = ContinuousClock.now - start
      #expect(outcome.status == 4, "\(outcome.output)")
      #expect(outcome.error == "timeout")
      #expect((.seconds(1.9)...(.seconds(30))).contains(elapsed))
    }
  }
}
