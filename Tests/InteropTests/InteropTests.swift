import Foundation
import Testing

@testable import TestSupport

/// Logins at authorization servers of other projects, one after the other, because glewlwyd fails at two at once.
@Suite("Logins at real servers", .serialized, .blocking, .pictured, .withServers, .limited(toMinutes: 5))
struct InteropTests {
  /// The checks of every login with OpenID Connect and a code.
  static let checks = [
    "redirect": "exact", "state": "verified", "pkce": "S256", "id_token": "verified", "nonce": "verified",
  ]
  /// The checks of such a login at a server that names itself in the callback (RFC 9207).
  static let checksWithIssuer = checks.merging(["iss": "verified"]) { $1 }
}

/// The authorization servers, which run as long as the suite.
struct Servers: Sendable {
  @TaskLocal static var current: Servers?

  /// oidc-provider-mock.
  let mock: Server
  /// Debian's glewlwyd with plain HTTP.
  let glewlwyd: Server
  /// Debian's glewlwyd behind TLS.
  let secureGlewlwyd: Server
  /// The server of the MCP SDK.
  let mcp: Server
  /// Servers that ask for certificates and tickets.
  let identities: Server
  /// The folder for files of the tests.
  let folder: String

  fileprivate init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "interop-\(UUID().uuidString.prefix(8))")
      .path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    mock = try Server("mock.py", folder: folder)
    mcp = try Server("mcp_sdk.py", folder: folder)
    identities = try Server("identities.py", folder: folder)
    glewlwyd = try Server("glewlwyd.py", folder: folder)
    secureGlewlwyd = try Server("glewlwyd.py", "tls", folder: folder)
  }

  /// The servers of the running suite.
  static func running() throws -> Servers { try #require(current) }

  fileprivate func waitUntilReady() async throws {
    for server in [mock, mcp, identities, glewlwyd, secureGlewlwyd] { try await server.waitUntilReady() }
  }

  fileprivate func stop() async {
    for server in [mock, mcp, identities, glewlwyd, secureGlewlwyd] { await server.stop() }
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// Starts the servers before a suite and stops them after it.
struct WithServers: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let servers = try Servers()
    do {
      try await servers.waitUntilReady()
      try await Servers.$current.withValue(servers) { try await function() }
    } catch {
      await servers.stop()
      throw error
    }
    await servers.stop()
  }
}

extension Trait where Self == WithServers {
  /// Starts the servers before the suite and stops them after it.
  static var withServers: Self { WithServers() }
}

/// A server that a script in this folder runs.
struct Server: Sendable {
  private let script: String
  private let program: Program

  /// Starts the script without waiting for its server.
  init(_ script: String, _ arguments: String..., folder: String) throws {
    self.script = script
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path()
    // pip needs the developer's home and its own variables.
    program = try Program(
      "/usr/bin/python3", ["-B", path] + arguments, environment: ProcessInfo.processInfo.environment,
      errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Waits until the server answers.
  func waitUntilReady() async throws {
    // On the first run, some scripts install their server, which takes long.
    _ = await eventually(within: 120) { program.text.hasSuffix("\n") || program.status != nil }
    guard facts != nil else { throw Failed(script: script, reason: program.errors) }
  }

  /// A fact that the script has printed, such as the server's address `base`.
  subscript(_ name: String) -> String { facts?[name] ?? "\(name) is unknown" }

  private var facts: [String: String]? {
    try? JSONDecoder().decode([String: String].self, from: Data(program.text.utf8))
  }

  /// Writes a line to the script.
  func tell(_ line: String) throws { try program.write(line + "\n") }

  /// Stops the script and waits until it has tidied up.
  func stop() async {
    try? program.closeInput()
    _ = await program.end()
  }

  /// The server did not start; `reason` is the script's output.
  struct Failed: Error, CustomStringConvertible {
    let script: String
    let reason: String

    var description: String { "\(script) did not start a server: \(reason)" }
  }
}
