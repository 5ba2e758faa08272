import Foundation
import TestSupport
import Testing

/// Services that take the token of one account, which is meant for all of them, links to the program by the names that
/// others look for, and a shell that runs the others.
struct ForeignClients {
  /// What a program did.
  struct Run {
    let status: Int32
    let output: String
    var messages: String
  }

  let services: Services

  /// An account whose first token lives for so many seconds.
  init(life: Int = 3_600) throws {
    services = try Services(life: life, prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    try services.logIn("work", ["--for", services.base, "--for", "https://iam.googleapis.com"])
    try services.accept("ACCESSTOKEN-1")
    let program = try Program.executable().path()
    try FileManager.default.createDirectory(
      atPath: services.folder + "/bin", withIntermediateDirectories: true)
    for link in ["tokentry", "docker-credential-tokentry", "git-credential-tokentry"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(services.folder)/bin/\(link)", withDestinationPath: program)
    }
  }

  /// Runs a script of a shell in the folder of the services; `HOST` is where they are.
  func shell(_ script: String, _ more: [String: String] = [:]) throws -> Run {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = URL(filePath: services.folder)
    process.environment = services.environment.merging([
      "PATH": services.folder + "/bin:/usr/bin:/bin", "HOST": "127.0.0.1:\(services.port)",
      "TOKENTRY_LOG": services.folder + "/helper.log",
    ]) { $1 }.merging(more) { $1 }
    let (output, messages) = (Pipe(), services.folder + "/messages")
    try Data().write(to: URL(filePath: messages))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(filePath: messages))
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus, output: text,
      messages: (try? String(contentsOfFile: messages, encoding: .utf8)) ?? "")
  }

  /// The lines by which `tokentry helper` says that a program is set up.
  func setUp(_ name: String) throws -> [String] {
    let paragraphs = try services.run(["helper"]).output.components(separatedBy: "\n\n")
    let paragraph = try #require(paragraphs.first { $0.hasPrefix(name + ": ") })
    return paragraph.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// What of such a line stands in a file, and not behind it in which.
  static func content(of line: String) -> String { line.components(separatedBy: "   in ")[0] }

  /// What both sides said, for whoever looks for a fault.
  var log: String {
    (try? String(contentsOfFile: services.folder + "/helper.log", encoding: .utf8)) ?? ""
  }

  /// Where the programs are that Debian does not have, or has too old.
  static func programs() throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "programs.py").path()
    let folder = String(decoding: try Program.output(of: "/usr/bin/python3", [script]), as: UTF8.self)
    return String(try #require(folder.split(separator: "\n").last))
  }
}
