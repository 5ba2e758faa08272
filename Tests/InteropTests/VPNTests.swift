import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  /// Debian's clients take a session from a helper and use it in the tunnel's first request, at which the stand-ins end it.
  @Suite("VPN clients")
  struct VPNTests {
    private let identity: TestAuthority.Identity

    init() throws { identity = try TestAuthority().selfSigned("gateway") }

    /// Runs a helper, and pipes what it prints into a client.
    private func connect(_ server: StandInServer, helper: [String], client: [String]) async throws {
      let host = String(server.base.dropFirst("https://".count))
      let helper =
        [try Desk.program("tokentry"), "helper"] + helper + [host, "--headless-test", "--form", "user=ann"]
      let line = [helper, client + [host]].map { $0.map { "'\($0)'" }.joined(separator: " ") }
      let pipe = try Program(
        "/bin/sh", ["-c", line.joined(separator: " | ")],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent"],
        errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
      try pipe.closeInput()
      #expect(await pipe.end() != nil, "\(pipe.errors)")
    }

    @Test("openfortivpn asks for its tunnel with the session", .enabled(if: geteuid() == 0, "it needs root"))
    func fortinet() async throws {
      let server = try VPNGateways.fortinet(identity)
      let digits = try identity.fingerprint().replacing(":", with: "").lowercased()
      try await connect(
        server, helper: ["openfortivpn", "--realm", "staff & co", "--trust", "127.0.0.1=sha256:" + digits],
        client: ["openfortivpn", "--cookie-on-stdin", "--trusted-cert", digits])
      let tunnel = server.requests.first {
        $0.headers["cookie"] == "SVPNCOOKIE=\(VPNGateways.session)" && $0.path != "/sslvpn/portal.html"
      }
      #expect(tunnel?.path == "/remote/index", "\(server.requests.map(\.target))")
    }

    @Test("openconnect asks for its tunnel with the session", arguments: ["anyconnect", "gp"])
    func openconnect(_ name: String) async throws {
      let server =
        try name == "gp"
        ? VPNGateways.globalProtect(identity, byPost: true) : VPNGateways.anyConnect(identity)
      let trust = ["--trust", "127.0.0.1=\(identity.certificate)"]
      let helper = ["openconnect", "--protocol", name] + trust
      let host = String(server.base.dropFirst("https://".count))
      // The address and the fingerprint of --authenticate are those that the client takes.
      let script = """
        eval "$("$0" helper "$@" \(host) --headless-test --form user=ann --authenticate)"
        printf '%s\\n' "$COOKIE" | openconnect --protocol=\(name) --servercert "$FINGERPRINT" --cookie-on-stdin "$CONNECT_URL"
        """
      let client = try Program(
        "/bin/sh", ["-c", script, try Desk.program("tokentry")] + helper,
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent"],
        errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
      try client.closeInput()
      #expect(await client.end() != nil, "\(client.errors)")
      let last = try #require(server.requests.last)
      if name == "gp" {
        #expect(last.path == "/ssl-vpn/getconfig.esp", "\(client.errors)\(client.text)")
        #expect(last.form["authcookie"] == VPNGateways.session && last.form["user"] == "ann")
      } else {
        #expect(
          last.method == "CONNECT" && last.target == "/CSCOSSLC/tunnel", "\(client.errors)\(client.text)")
        #expect(last.headers["cookie"] == "webvpn=\(VPNGateways.session)")
      }
    }
  }
}
