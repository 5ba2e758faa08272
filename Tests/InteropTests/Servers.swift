import Foundation
import Testing

@testable import TestSupport

/// The servers that log users in, started once for all tests of a suite and ended with it.
struct Servers: Sendable {
  /// Those of the suite that is running.
  @TaskLocal static var current: Servers?

  /// oidc-provider-mock.
  let mock: Server
  /// Debian's glewlwyd, on plain HTTP.
  let glewlwyd: Server
  /// Another one, behind TLS.
  let secureGlewlwyd: Server
  /// The MCP SDK's.
  let mcp: Server
  /// For what the programs of a test write.
  let folder: String

  fileprivate init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "interop-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    mock = try Server("mock.py", folder: folder)
    mcp = try Server("mcp_sdk.py", folder: folder)
    glewlwyd = try Server("glewlwyd.py", folder: folder)
    secureGlewlwyd = try Server("glewlwyd.py", "tls", folder: folder)
  }

  /// Those of the suite that is running.
  static func running() throws -> Servers { try #require(current) }

  fileprivate func waitUntilReady() async throws {
    for server in [mock, mcp, glewlwyd, secureGlewlwyd] { try await server.waitUntilReady() }
  }

  fileprivate func stop() async {
    for server in [mock, mcp, glewlwyd, secureGlewlwyd] { await server.stop() }
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// Has the servers run around a suite.
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
  /// Has the servers run around the suite.
  static var withServers: Self { WithServers() }
}
