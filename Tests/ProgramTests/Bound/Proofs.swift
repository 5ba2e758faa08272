import Foundation
import TestSupport
import Testing

/// The proofs of possession that a server was sent, in the eyes of a library that others have written.
enum Proofs {
  /// Expects that joserfc finds every proof to be as RFC 9449 wants it, and all of them by one key.
  static func expectVerified(
    _ server: StandInServer, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sent = server.requests.filter { $0.headers["dpop"] != nil }
    try #require(!sent.isEmpty, "no proofs", sourceLocation: sourceLocation)
    let lines = try sent.map { request in
      try JSONEncoder().encode([
        "proof": request.headers["dpop"] ?? "", "method": request.method,
        "address": server.base + request.path,
        "authorization": request.headers["authorization"] ?? "", "thumbprint": request.form["dpop_jkt"] ?? "",
      ])
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "proofs.py")
    process.arguments = ["-B", script.path()]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try input.give(lines.reduce(into: Data()) { $0 += $1 + Data("\n".utf8) })
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said)", sourceLocation: sourceLocation)
    #expect(said == "\(sent.count) proofs by 1 key\n", sourceLocation: sourceLocation)
  }
}
