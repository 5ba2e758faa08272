import Foundation
@testable import TestSupport
import Testing

/// A session bus of a test's own, on which a screen reader meets the programs it reads.
final class Bus: Sendable {
  /// What a program needs to be met here.
  let variables: [String: String]
  private let server: Program

  func end(_ signal: Int32) { server.end(signal) }
  var hasEnded: Bool { server.status != nil }

  init(folder: String) async throws {
    // The system's own configuration would start a portal with all that belongs to it, which mounts a folder here. Its
    // socket is in this folder since it is killed, and would be left behind anywhere else.
    let configuration = """
      <busconfig><type>session</type><listen>unix:path=\(folder)/bus-socket</listen>
      <servicedir>\(folder)/services</servicedir>
      <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
      """
    try configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    let accessibility = "org.a11y.Bus.service"
    try FileManager.default.createDirectory(atPath: folder + "/services", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/services/\(accessibility)",
      withDestinationPath: "/usr/share/dbus-1/services/\(accessibility)")
    server = try Program(
      "/usr/bin/env",
      [
        "timeout", "-s", "KILL", "900", "dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork",
        "--print-address",
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
