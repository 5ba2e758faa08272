import Foundation
import Synchronization
import TestSupport

/// A provider that does what a row of the table says, on a port of its own.
final class HostileProvider: Sendable {
  private struct Memory {
    var asked: [String: String] = [:]
    var readings = 0
  }

  /// The server, which counts.
  let server: StandInServer

  /// Begins to listen. `change` is called before every answer.
  init(_ change: @escaping @Sendable (inout Conduct) -> Void = { _ in }) throws {
    let memory = Mutex(Memory())
    server = try StandInServer { request, base in
      let known = memory.withLock { memory in
        if request.path == "/auth" { memory.asked = request.query }
        if request.path == "/keys" { memory.readings += 1 }
        return memory
      }
      var conduct = Conduct(base: base, request: request, asked: known.asked, readings: known.readings)
      change(&conduct)
      return (try? conduct.answer()) ?? StandInServer.Answer(500)
    }
  }

  /// What the program comes to that signs in here.
  func login(_ more: [String] = [], secret: String? = nil, isPlain: Bool = false) throws -> Program.Outcome {
    try Program.run(
      arguments(isPlain: isPlain) + more, environment: secret.map { ["TOKENTRY_CLIENT_SECRET": $0] } ?? [:])
  }

  /// How the program is told to sign in here.
  func arguments(isPlain: Bool = false, isForOpenID: Bool = true) -> [String] {
    let place =
      isPlain
      ? ["--authorization-endpoint", server.base + "/auth", "--token-endpoint", server.base + "/token"]
      : ["--issuer", server.base] + (isForOpenID ? ["--scope", "openid"] : [])
    return ["login"] + place + ["--client-id", "client", "--redirect-uri", "https://app.example/done"]
      + ["--headless-test"]
  }
}
