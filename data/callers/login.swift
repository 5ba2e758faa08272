// A program in Swift that signs its user in, and can be interrupted. Its arguments are those of tokentry login.
//
// A program that wants to do the protocol itself uses the library LoginCore, of which Tests/Stranger is an example.

import Foundation

/// What most programs want of Tokentry's answer.
struct Token: Decodable {
  let access_token: String
  let expires_at: Date?
}

/// Why there is no token.
struct Failure: Error, Decodable {
  let error: String
  let error_description: String
  let origin: String
  let retryable: Bool
}

/// Waits for the user. If the task is cancelled, so is the login, and its window closes.
func login(_ arguments: [String]) async throws -> Token {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["tokentry", "login"] + arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  return try await withTaskCancellationHandler {
    try process.run()
    let answer = try await Task.detached { try pipe.fileHandleForReading.readToEnd() ?? Data() }.value
    process.waitUntilExit()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    if process.terminationStatus == 0 { return try decoder.decode(Token.self, from: answer) }
    throw try decoder.decode(Failure.self, from: answer)
  } onCancel: {
    if process.isRunning { process.terminate() }
  }
}

let task = Task { try await login(Array(CommandLine.arguments.dropFirst())) }
signal(SIGINT, SIG_IGN)
let interruption = DispatchSource.makeSignalSource(signal: SIGINT)
interruption.setEventHandler { task.cancel() }
interruption.resume()

do {
  let token = try await task.value
  print("signed in until", token.expires_at.map { "\($0)" } ?? "further notice")
} catch let failure as Failure {
  print(failure.error == "cancelled" ? "cancelled" : "not signed in: \(failure.error_description)")
  exit(1)
}
