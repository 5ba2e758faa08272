import Foundation
import Testing

/// What the build has made, and the sources it was made from.
enum Products {
  /// The top of the source tree.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folder that holds the test bundle, and so the executables that were built with it.
  static func folder() throws -> URL {
    let bundle = CommandLine.arguments.map { URL(filePath: $0) }.first { $0.pathExtension == "xctest" }
    return try #require(bundle).deletingLastPathComponent()
  }

  /// Runs a command and returns what it printed; it has to succeed.
  static func output(of command: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [command] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command): \(text)")
    return text
  }

  /// The files below a folder of the source tree.
  static func files(in folder: String, withExtension suffix: String) throws -> [URL] {
    let found = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try #require(found).compactMap { $0 as? URL }.filter { $0.pathExtension == suffix }
  }
}
