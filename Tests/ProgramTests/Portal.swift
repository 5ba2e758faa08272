import Foundation

/// A message bus with a stand-in for the desktop's portal on it.
final class Portal {
  /// The address of the bus.
  let bus: String
  private let process = Process()
  private let record: String

  init(_ response: Int, opening command: String) throws {
    record = command + "-asked"
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "portal.py").path()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [script, "\(response)", command, record]
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardOutput = output
    try process.run()
    bus = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Ends it, and returns what it was asked to open.
  func end() throws -> [String] {
    process.terminate()
    process.waitUntilExit()
    return try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
