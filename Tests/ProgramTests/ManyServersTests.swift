import Foundation
import TestSupport
import Testing

@Suite("A program with LoginKit at many servers", .blocking)
struct ManyServersTests {
  @Test("Sign-ins and requests at 100 servers that keep connections open need fewer than 64 descriptors")
  func descriptors() throws {
    let servers = (0..<100).map { _ in
      ScriptedServer { wire in
        while let request = wire.requestText() {
          let path = request.split(separator: " ").dropFirst().first ?? ""
          let host = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }
          let issuer = "http://\(host?.dropFirst(6) ?? "")"
          let body =
            switch path {
            case "/token": #"{"access_token":"T","token_type":"Bearer"}"#
            case "/api": "{}"
            default: #"{"issuer":"\#(issuer)","token_endpoint":"\#(issuer)/token"}"#
            }
          wire.write(
            """
            HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """)
        }
      }
    }
    defer { for server in servers { server.stop() } }
    let folder = TemporaryFolder()
    let wishes: [String: Any] = [
      "calls": ["login", "request"], "servers": servers.map { "http://127.0.0.1:\($0.port)" }, "issuer": "",
      "api": "", "store": folder.path + "/accounts", "client": "app", "secret": "s",
      "grant": "client-credentials",
    ]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: wishes), as: UTF8.self)
    let done = try Command.run(
      ["/bin/sh", "-c", "ulimit -n 64; exec \"$@\"", "sh", try Tokentry.neighbour("kit-login"), text],
      environment: Tokentry.environment.merging(["HOME": folder.path]) { $1 })
    let results = done.output.split(separator: "\n")
    #expect(results.count == 200, "\(done.messages)")
    #expect(results.filter { !$0.contains("\"result\"") } == [])
  }
}
