import Foundation
@testable import TestSupport
import Testing

/// A session bus of a test's own, on which a screen reader meets the programs it reads.
final class Bus: Sendable {
  /// What a program needs to be met here.
  let variables: [String: String]
  private let server: Program

  func end(_ signal: Int32) { server.end(signal) }

  init(folder: String) async throws {
    server = try Program(
      "/usr/bin/env",
      [
        "timeout", "-s", "KILL", "900", "dbus-daemon", "--session", "--nofork", "--print-address",
        // It is killed, and would leave its socket behind anywhere else.
        "--address=unix:path=\(folder)/bus-socket",
      ],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder],
      errorPath: folder + "/bus")
    let server = self.server
    try #require(await eventually { server.text.hasSuffix("\n") }, "no bus: \(server.errors)")
    variables = [
      "DBUS_SESSION_BUS_ADDRESS": server.text.trimmingCharacters(in: .newlines), "NO_AT_BRIDGE": "0",
    ]
  }
}
