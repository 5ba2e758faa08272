import Foundation
import TestSupport
import Testing

/// The real program, run as a launching application would.
struct Program {
  /// What it came to.
  struct Outcome {
    let status: Int32
    let output: String
    let messages: String

    /// A member of the object on standard output.
    subscript(name: String) -> Any? {
      (try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])?[name]
    }
  }

  /// Runs it with these arguments and this on its standard input, if that is to be open. A `wrapper` is a command that is
  /// given its command line, and `link` another name of the program.
  static func run(
    _ arguments: [String], input: String? = "", environment: [String: String] = [:], wrapper: [String] = [],
    link: String? = nil
  ) throws -> Outcome {
    let process = try prepared(arguments, environment: environment)
    if let link { process.executableURL = URL(filePath: link) }
    if let command = wrapper.first {
      process.arguments = wrapper.dropFirst() + [try executable().path()] + arguments
      process.executableURL = URL(filePath: command)
    }
    let (stdin, stdout) = (Pipe(), Pipe())
    // A file, so that no quantity of messages waits for a reader.
    let messages = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
    try Data().write(to: messages)
    defer { try? FileManager.default.removeItem(at: messages) }
    process.standardInput = input == nil ? FileHandle.nullDevice : stdin
    process.standardOutput = stdout
    process.standardError = try FileHandle(forWritingTo: messages)
    try process.run()
    try stdin.give(input ?? "")
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: String(decoding: output, as: UTF8.self),
      messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
  }

  /// Runs it and tells its exit status and the most memory that it needed at once, in kB. What it prints goes into a
  /// file.
  ///
  /// A small process stands between: what a process needed before it became another program counts as well.
  static func measure(_ arguments: [String], output file: String = "/dev/null") throws -> (
    status: Int32, peakMemory: Int
  ) {
    let script =
      "import resource, subprocess, sys; f = open(sys.argv[1], 'wb'); "
      + "print(subprocess.run(sys.argv[2:], stdin=-3, stdout=f, stderr=-3).returncode, "
      + "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    let words = try output(
      of: "/usr/bin/python3", ["-I", "-S", "-c", script, file, try executable().path()] + arguments)
    let figures = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { Int($0) }
    try #require(figures.count == 2, "\(String(decoding: words, as: UTF8.self))")
    return (Int32(figures[0]), figures[1])
  }

  /// What another program prints.
  static func output(of path: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  /// The program, ready to run.
  static func prepared(_ arguments: [String], environment: [String: String]) throws -> Process {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    return process
  }

  static func executable() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["TOKENTRY_EXECUTABLE"] { return URL(filePath: path) }
    let bundle = CommandLine.arguments.map { URL(filePath: $0) }.first { $0.pathExtension == "xctest" }
    return try #require(bundle).deletingLastPathComponent().appending(path: "tokentry")
  }
}
