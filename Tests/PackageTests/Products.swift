import Foundation
import Testing

/// The products of the build, and their sources.
enum Products {
  /// The root of the source tree.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folder with the test bundle and the programs.
  static func folder() throws -> URL {
    let bundle = CommandLine.arguments.map { URL(filePath: $0) }.first { $0.pathExtension == "xctest" }
    return try #require(bundle).deletingLastPathComponent()
  }

  /// Runs a command and returns its output. Throws if it fails.
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
