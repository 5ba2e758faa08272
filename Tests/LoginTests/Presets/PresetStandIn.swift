import Foundation
import TestSupport

/// A preset of ours whose endpoints are those of a stand-in, with their own paths, and whose everything else is as
/// it is in the file.
struct PresetStandIn {
  let file: URL
  let server: StandInServer

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "data/providers")

  /// `answer` is what the endpoints answer; the page to sign in sends the user back with `callback` at once;
  /// `own` is what the preset says otherwise than the file.
  init(
    _ name: String, own: [String: Any] = [:], callback: @escaping @Sendable (_ state: String) -> String,
    answer: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer
  ) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
    guard var preset = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let page = (preset["authorization_endpoint"] as? String).flatMap({ URLComponents(string: $0) })
    else { throw CocoaError(.fileReadCorruptFile) }
    let server = try StandInServer { request, _ in
      guard request.path == page.path else { return answer(request) }
      return .redirect(callback(request.query["state"] ?? ""))
    }
    preset["$schema"] = nil
    preset.merge(own) { $1 }
    for (key, value) in preset where key.hasSuffix("_endpoint") {
      guard let parts = (value as? String).flatMap({ URLComponents(string: $0) }) else { continue }
      preset[key] = server.base + parts.path + (parts.query.map { "?\($0)" } ?? "")
    }
    file = FileManager.default.temporaryDirectory.appending(path: "preset-\(UUID().uuidString).json")
    try JSONSerialization.data(withJSONObject: preset).write(to: file)
    self.server = server
  }

  /// A headless login with it.
  func login(_ more: [String] = [], environment: [String: String] = [:]) throws -> Program.Outcome {
    defer { remove() }
    return try run(["login", "--headless-test"] + more, environment: environment)
  }

  /// A command that is given the preset, which stays.
  func run(
    _ command: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(
      command + ["--provider", file.path, "--client-id", "53"], input: input, environment: environment)
  }

  func remove() { try? FileManager.default.removeItem(at: file) }
}
