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

    @Test(
      "Five clients that know only the address of a gate list the tools, and share one refresh",
      arguments: [
        ([], #""http://localhost$2" "{}" "$TOKENTRY_GATE_SOCKET""#),
        (
          ["--port", "0"],
          #""$TOKENTRY_GATE_URL" "{\"Authorization\": \"Bearer $(cat "$TOKENTRY_GATE_BEARER_FILE")\"}""#
        ),
      ])
    func gate(options: [String], words: String) async throws {
      let base = try Servers.running().mcp["base"]
      let store = ["--store", try Login.store()]
      let login = try await Login.run(["login", "--resource", base + "/mcp", "--headless-test"] + store)
      #expect(login.status == 0, "\(login.errors)")
      let script = """
        curl -sS -o /dev/null -X POST "$1/forget"
        for client in 1 2 3 4 5; do /usr/bin/python3 -B "$0" tools \(words) & done
        wait
        """
      let tools = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "mcp_sdk.py").path()
      let before = try tokenRequests(at: base)
      let gate = try Program(
        Desk.program("tokentry"),
        ["gate", base + "/mcp", "--silent"] + store + options
          + ["--", "/bin/sh", "-c", script, tools, base, "/mcp"],
        environment: ProcessInfo.processInfo.environment,
        errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
      try gate.closeInput()
      _ = await eventually(within: 60) { gate.status != nil }
      #expect(gate.status == 0, "\(gate.errors)")
      #expect(gate.text == String(repeating: "[\"add\"]\n", count: 5), "\(gate.errors)")
      #expect(try tokenRequests(at: base) == before + 1)
    }

    /// How often the authorization server was asked for a token.
    private func tokenRequests(at base: String) throws -> Int {
      let port = try #require(URL(string: base)?.port)
      return ask(UInt16(port), "/log").json["/token"] as? Int ?? 0
    }
  }
}
