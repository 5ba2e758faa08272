import Foundation
import Testing

@testable import TestSupport

/// A server that a script beside this file runs, with what it has made, until it is stopped.
struct Server: Sendable {
  private let script: String
  private let program: Program

  /// Starts a script, without waiting for its server.
  init(_ script: String, _ arguments: String..., folder: String) throws {
    self.script = script
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path()
    // With the whole environment: pip may need it to reach what it installs.
    program = try Program(
      "/usr/bin/python3", ["-B", path] + arguments, environment: ProcessInfo.processInfo.environment,
      errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Waits until the server answers.
  func waitUntilReady() async throws {
    // The first run of one of them installs it, which may take its time.
    _ = await eventually(within: 120) { program.text.hasSuffix("\n") || program.status != nil }
    guard facts != nil else { throw Failed(script: script, reason: program.errors) }
  }

  /// What the script says of itself, such as where its server is.
  subscript(_ name: String) -> String { facts?[name] ?? "\(name) is unknown" }

  private var facts: [String: String]? {
    try? JSONDecoder().decode([String: String].self, from: Data(program.text.utf8))
  }

  /// Ends it, and waits until it has tidied up.
  func stop() async {
    try? program.closeInput()
    _ = await program.end()
  }

  /// A server that did not start, with what its script said.
  struct Failed: Error, CustomStringConvertible {
    let script: String
    let reason: String

    var description: String { "\(script) did not start a server: \(reason)" }
  }
}
