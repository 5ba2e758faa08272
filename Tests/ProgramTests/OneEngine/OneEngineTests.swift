import Foundation
@testable import TestSupport
import Testing

/// The command `tokentry`, the library LoginKit and the agent share one engine. This test has them do the same, each at a
/// provider of its own, and compares the requests that the providers saw, the events, and the results or failures. It fails
/// if a rule is added to one of them only.
///
/// The library has no token exchange, no private schemes in a browser, no questions about certificates and no silent
/// sign-in, so these have no rows. The event `late` has none either, because it comes after 45 seconds.
@Suite("The command, the library and the agent", .blocking)
struct OneEngineTests {
  /// A difference that is wanted.
  private struct Intended {
    /// The side that has these lines.
    let side: Side
    /// A regular expression for whole lines.
    let lines: String
    let reason: String
    /// The rows in which this has to be found. nil if it may be found in all.
    var rows: [String]?
    /// The side with which the command is compared.
    var other = Side.library
  }

  private enum Side { case command, library, agent }

  private static let demanded = ["a demanded scope", "a demanded scope, without a refresh token"]
  private static let withoutReader = "neither a display nor a terminal, device codes offered"
  private static let intended: [Intended] = [
    Intended(
      side: .command, lines: #"\S+ \S+ user-agent: tokentry/\S+"#, reason: "each names itself to servers"),
    Intended(
      side: .library, lines: #"\S+ \S+ user-agent: kit-login LoginKit"#,
      reason: "each names itself to servers"),
    Intended(
      side: .command, lines: #"GET /(\.well-known/openid-configuration|keys).*"#,
      reason: "a program that runs on remembers the metadata and the keys of the provider"),
    Intended(
      side: .command, lines: "POST /register client_name=Tokentry",
      reason: "the user sees the name of the program that registers the client"),
    Intended(
      side: .library, lines: "POST /register client_name=kit-login",
      reason: "the user sees the name of the program that registers the client"),
    Intended(
      side: .command, lines: #"GET /api accept: \*/\*"#,
      reason: "the command asks for any type, as curl does; an application names the types that it reads"),
    Intended(
      side: .library, lines: "opening: .*",
      reason: "without a terminal, the command does not print the address; an application decides for itself",
      rows: [
        "code, in the browser", "code, in the browser of the variable", "access denied, in the browser",
        "code, in a browser that does not come back", "a display that is not there",
        "code, in the window in place of a browser that does not open",
      ]),
    Intended(
      side: .command, lines: "trouble: the (implicit|password) grant .*",
      reason: "this warns the author of a script; the author of an application has the documentation",
      rows: ["implicit", "implicit, in the browser", "password"]),
    Intended(
      side: .command, lines: "login: no_user_agent .*",
      reason: "the command cannot know that anyone reads the code; an application shows it itself",
      rows: [withoutReader]),
    Intended(
      side: .library, lines: "POST /(device|token).*|code: .*|login: access_token=T1 .*",
      reason: "the command cannot know that anyone reads the code; an application shows it itself",
      rows: [withoutReader]),
    Intended(
      side: .command,
      lines: "request: failed, the server answered with HTTP 403: insufficient_scope more scope",
      reason: "a script looks at the exit status; an application gets every answer of an API",
      rows: [
        "a demanded scope, without the user", "a demanded scope, without the user, without a refresh token",
      ]),
    Intended(
      side: .library, lines: "request: 403 more scope",
      reason: "a script looks at the exit status; an application gets every answer of an API",
      rows: [
        "a demanded scope, without the user", "a demanded scope, without the user, without a refresh token",
      ]),
    Intended(
      side: .command, lines: #"(GET|POST) /.*|request: \{"notes":\[\]\}"#,
      reason: "a login with other demands is for the person at home to begin", rows: demanded, other: .agent),
    Intended(
      side: .agent,
      lines: "request: failed, the server answered with HTTP 403: insufficient_scope more scope",
      reason: "a login with other demands is for the person at home to begin", rows: demanded, other: .agent),
  ]

  @Test(
    "The command and the library send the same requests, tell the user the same, and return the same",
    arguments: Wishes.rows)
  func same(wishes: Wishes) async throws {
    let screen = wishes.hasDisplay ? try await Screen() : nil
    var pair = try await Self.run(wishes, display: screen?.name)
    // A busy machine may need more time than the row gives, or another program may take the port of a registered client.
    if wishes.deadline != nil || wishes.client == nil, try !Self.difference(in: wishes, pair).isEmpty {
      var patient = wishes
      if wishes.deadline != nil { patient.deadline = 40 }
      pair = try await Self.run(patient, display: screen?.name)
    }
    let (call, end) = (wishes.calls.last ?? "", pair.command.results.last ?? "")
    let isExpected = wishes.failure.map { end.hasPrefix("\(call): \($0)") } ?? !end.contains("retryable")
    #expect(isExpected, "\(pair.command)")
    for line in try Self.difference(in: wishes, pair) { Issue.record("\(line)") }
  }

  @Test(
    "An agent sends and returns the same as the command at home", arguments: Wishes.rows.filter(\.isForAgent))
  func sameOverAgent(wishes: Wishes) async throws {
    let screen = wishes.hasDisplay ? try await Screen() : nil
    let name = screen?.name
    async let atHome = onThread { try CommandSide(attempt: Attempt(wishes, display: name)).trace() }
    let far = try await onThread {
      try CommandSide(attempt: Attempt(wishes, display: name), isOverAgent: true).trace()
    }
    let home = try await atHome
    let found = try Self.difference(
      in: wishes, home.requests + home.results, far.requests + far.results, .agent)
    for line in found { Issue.record("\(line)") }
  }

  private typealias Pair = (command: Trace, library: Trace)

  private static func run(_ wishes: Wishes, display: String?) async throws -> Pair {
    async let command = onThread { try CommandSide(attempt: Attempt(wishes, display: display)).trace() }
    let library = try await onThread { try LibrarySide(attempt: Attempt(wishes, display: display)).trace() }
    return (try await command, library)
  }

  private static func difference(in wishes: Wishes, _ pair: Pair) throws -> [String] {
    try difference(in: wishes, pair.command.lines, pair.library.lines, .library)
  }

  /// The differences that are not intended, and intended ones that are missing.
  private static func difference(
    in wishes: Wishes, _ command: [String], _ lines: [String], _ other: Side
  ) throws -> [String] {
    let intended = intended.filter { $0.other == other }
    var missing = intended.filter { $0.rows?.contains(wishes.title) == true }.map(\.lines)
    var others: [String] = []
    for change in lines.difference(from: command) {
      let (side, line): (Side, String) =
        switch change {
        case .remove(_, let line, _): (.command, line)
        case .insert(_, let line, _): (other, line)
        }
      // A browser that brings the answer within a second is not called open.
      if wishes.browser == .works, line.hasPrefix("opened: ") { continue }
      let found = try intended.first { difference in
        try difference.side == side && difference.rows?.contains(wishes.title) != false
          && Regex(difference.lines).wholeMatch(in: line) != nil
      }
      if let found {
        missing.removeAll { $0 == found.lines }
      } else {
        others.append("only the \(side): \(line)")
      }
    }
    return others + missing.map { "intended, but not found: \($0)" }
  }

  @Test("Every intended difference names rows that exist")
  func rows() {
    let titles = Set(Wishes.rows.map(\.title))
    #expect(titles.count == Wishes.rows.count)
    for row in Self.intended.flatMap({ $0.rows ?? [] }) { #expect(titles.contains(row), "\(row)") }
  }
}
