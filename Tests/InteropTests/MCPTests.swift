import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  /// The SDK's authorization server compares the port of a redirect URI and reads the client only from the body.
  @Suite("MCP SDK")
  struct MCPTests {
    /// The tools that the SDK's own client lists with these header fields.
    private func tools(_ url: String, _ headers: String) async throws -> String {
      let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "mcp_sdk.py").path()
      let client = try Program(
        "/usr/bin/python3", ["-B", script, "tools", url, headers],
        environment: ProcessInfo.processInfo.environment,
        errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
      try client.closeInput()
      _ = await eventually(within: 60) { client.status != nil }
      #expect(client.status == 0, "\(client.errors)")
      return client.text
    }

    @Test("A client that knows only the address lists the tools with the header fields of the helper")
    func headers() async throws {
      let url = try Servers.running().mcp["base"] + "/mcp"
      let store = ["--store", try Login.store()]
      let headers = try await Login.run(["helper", "headers", "--check", url, "--headless-test"] + store)
      #expect(headers.status == 0, "\(headers.errors)")
      #expect(try await tools(url, headers.text) == "[\"add\"]\n")
      let again = try await Login.run(["helper", "headers", "--check", url] + store)
      #expect(again.text == headers.text)
      let refreshed = try await Login.run(["token", "--resource", url, "--min-valid", "100000"] + store)
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      let later = try await Login.run(["helper", "headers", url] + store)
      #expect(later.text != headers.text)
      #expect(try await tools(url, later.text) == "[\"add\"]\n")
      let logout = try await Login.run(["logout", "--resource", url] + store)
      #expect(logout.text.contains(#""revoked":["refresh_token","access_token"]"#), "\(logout.errors)")
    }
  }
}
