// A Swift program that signs its user in. Ctrl+C cancels the login. The arguments are those of tokentry login.
//
// To handle the protocol in your own program, use the library LoginCore; Tests/programs/Stranger is an example.

import Foundation

/// The members of Tokentry's answer that most programs need.
struct Token: Decodable {
  let access_token: String
  let expires_at: Date?
}

/// The reason why there is no token.
struct Failure: Error, Decodable {
  let error: String
  let error_description: String
  let origin: String
  let retryable: Bool
}

/// Waits for the user. Cancelling the task cancels the login and closes its window.
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
