import Foundation
import LoginCore
import TestSupport
import Testing

/// Answers that are meant to take memory or time. Each is given where the program reads something: its
/// description, a page, the token endpoint, the keys.
@Suite("A hostile provider's endless answers", .blocking)
struct HostileAnswerTests {
  private static let places = ["/.well-known/openid-configuration", "/auth", "/token", "/keys"]
  /// The most memory that a program may have needed, in kB; a sanitizer needs some beside it.
  private static let memory = (slowness > 1 ? 96 : 64) * 1_024

  private static let bomb = Result { try packed("gzip -c") }
  private static let doubleBomb = Result { try packed("gzip -c | gzip -c") }

  private static let long = String(repeating: " ", count: 1_000)

  /// 100 MB of nothing, after a command.
  private static func packed(_ command: String) throws -> [UInt8] {
    Array(try Program.output(of: "/bin/sh", ["-c", "head -c 100000000 /dev/zero | \(command)"]))
  }

  @Test("A body without an end is refused with little memory", arguments: places)
  func endless(place: String) async throws {
    try await refused(StandInServer.Answer.json(String(repeating: " ", count: 1 << 16)).endless, at: place)
  }

  @Test("A header without an end is refused with little memory", arguments: places)
  func endlessHeader(place: String) async throws {
    let field = "X-Filler: " + String(repeating: "a", count: 1_000)
    try await refused(StandInServer.Answer(200, Array(repeating: field, count: 20_000)), at: place)
  }

  @Test("100 MB in 100 kB are refused with little memory", arguments: places)
  func bomb(place: String) async throws {
    let fields = ["Content-Type: application/json", "Content-Encoding: gzip"]
    try #require(try Self.bomb.get().count > 50_000, "gzip has packed nothing")
    try await refused(StandInServer.Answer(200, fields, bytes: try Self.bomb.get()), at: place)
    let twice = ["Content-Type: application/json", "Content-Encoding: gzip, gzip"]
    try await refused(StandInServer.Answer(200, twice, bytes: try Self.doubleBomb.get()), at: place)
  }

  @Test("Keys of 20 MB are refused with little memory")
  func keys() async throws {
    let key = JSONObject.rsa.text
    let count = 20_000_000 / key.utf8.count
    let set = #"{"keys":["# + Array(repeating: key, count: count).joined(separator: ",") + "]}"
    try await refused(.json(set), at: "/keys")
  }

  private func refused(_ answer: StandInServer.Answer, at place: String) async throws {
    let run = try await onThread {
      let provider = try HostileProvider { $0.answers[place] = answer }
      return try Program.measure(provider.arguments() + ["--timeout", "20"])
    }
    #expect(run.status == 5, "what came was no answer")
    #expect(run.peakMemory < Self.memory, "kB")
  }

  @Test(
    "A byte each half second does not outlast the deadline, in the header or in the body", arguments: places)
  func slow(place: String) async throws {
    for answer in [StandInServer.Answer.json("{}").slow(0.5), .json(Self.long).slowBody(0.5)] {
      // The thread looks at the clock: the test itself may have to wait until others let it go on.
      let (outcome, elapsed) = try await onThread {
        let provider = try HostileProvider { $0.answers[place] = answer }
        let start = ContinuousClock.now
        return (try provider.login(["--timeout", "2"]), ContinuousClock.now - start)
      }
      #expect(outcome.status == 4, "\(outcome.output)")
      #expect(outcome["error"] as? String == "timeout")
      #expect((.seconds(1.9)...(.seconds(30))).contains(elapsed))
    }
  }
}
