import Foundation
import LoginCore
@testable import TestSupport
import Testing

/// The dialogues in `Dialogues` come from the documents of the programs: complete dialogues of programs that we
/// cannot run, and for others the parts that their runs do not show. FreeRDP's first one is from a run.
@Suite("Recorded dialogues of programs and their helpers", .blocking)
struct RecordedDialogueTests {
  /// The runs of a helper.
  private struct Recording: Decodable {
    let program: String
    let runs: [Run]
  }

  private struct Run: Decodable {
    let about: String
    let arguments: [String]
    /// nil if the program leaves standard input closed.
    let says: String?
    let hears: String
    let status: Int32
    /// The message on standard error.
    let error: String?
  }

  /// FreeRDP's dialogues, line by line.
  private struct Conversations: Decodable {
    struct Dialogue: Decodable {
      let about: String
      let lines: [String]
    }

    let dialogues: [Dialogue]
  }

  private func recording<Value: Decodable>(_ name: String) throws -> Value {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Dialogues")
    return try JSONDecoder().decode(
      Value.self, from: try Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  @Test("The helper answers byte for byte", arguments: ["bazel", "cargo", "keyring", "terraform"])
  func replay(name: String) throws {
    let recording: Recording = try recording(name)
    let services = try Services()
    try services.writePreset(origins: "https://other.example")
    let servers = ["api.example.org", "app.example", "app.example:8443"]
    try services.logIn("work", servers.flatMap { ["--for", $0] })
    let link = "\(services.folder)/\(recording.program)"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try Tokentry.path())
    let end = try #require(
      try services.run(["token", "--account", "work", "--silent"])["expires_at"] as? String)
    let seconds = try #require(UTCDate(end)?.secondsSince1970.description)
    for run in recording.runs {
      let outcome = try Tokentry.run(
        run.arguments, input: run.says, environment: services.environment, link: link)
      let hears = run.hears.replacing("TOKEN", with: "T1").replacing("END", with: end)
        .replacing("SECONDS", with: seconds)
      #expect(Array(outcome.output.utf8) == Array(hears.utf8), "\(run.about): \(outcome.output)")
      #expect(Array(outcome.messages.utf8) == Array((run.error ?? "").utf8), "\(run.about)")
      #expect(outcome.status == run.status, "\(run.about)")
    }
  }

  /// A stand-in for the provider's pages.
  private func server() throws -> StandInServer {
    try StandInServer { request, _ in
      let redirectURI = request.query["redirect_uri"] ?? ""
      let state = request.query["state"].map { "&state=\($0)" } ?? ""
      return switch request.path {
      case "/denied": .redirect("\(redirectURI)?error=access_denied&error_subcode=cancel")
      case "/slow":
        {
          for _ in 0..<1_000 where !request.isAbandoned() { usleep(10_000) }
          return .hangUp
        }()
      default: .redirect("\(redirectURI)?code=AAAB\(state)&session_state=xyz")
      }
    }
  }

  private func lines(_ dialogue: Conversations.Dialogue, _ server: StandInServer) throws -> [String] {
    let version = try FreeRDPClient.version()
    return dialogue.lines.map { $0.replacing("BASE", with: server.base).replacing("VERSION", with: version) }
  }

  /// Every helper has ended well.
  private func good(_ dialogue: Conversations.Dialogue) -> String {
    let helpers = dialogue.lines.count { $0.contains("\"hello\"") }
    return String(repeating: "0 True ''\n", count: helpers)
  }

  @Test("FreeRDP's dialogues without a display")
  func remoteDesktop() throws {
    let conversations: Conversations = try recording("freerdp")
    for dialogue in conversations.dialogues {
      let server = try server()
      let said = try FreeRDPClient.hold(try lines(dialogue, server))
      #expect(said == good(dialogue), "\(dialogue.about)")
    }
  }

  @Test("FreeRDP's first dialogue in the window")
  func remoteDesktopInWindow() async throws {
    let screen = try await Screen()
    let conversations: Conversations = try recording("freerdp")
    let server = try server()
    let dialogue = try #require(conversations.dialogues.first)
    let lines = try lines(dialogue, server)
    let said = try await onThread { try FreeRDPClient.hold(lines, ["DISPLAY": screen.name]) }
    #expect(said == good(dialogue))
  }
}
