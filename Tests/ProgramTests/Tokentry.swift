import Foundation
import TestSupport
import Testing

/// Runs the real program as an application would.
///
/// Most tests want ``run(_:input:environment:wrapper:link:)``. A test that looks at the program while it
/// runs, or sends it signals, wants a ``RunningTokentry``.
enum Tokentry {
  /// The path of the program: `TOKENTRY_EXECUTABLE`, or the program beside the tests.
  static func path() throws -> String {
    if let path = ProcessInfo.processInfo.environment["TOKENTRY_EXECUTABLE"] { return path }
    let bundle = CommandLine.arguments.map { URL(filePath: $0) }.first { $0.pathExtension == "xctest" }
    return try #require(bundle).deletingLastPathComponent().appending(path: "tokentry").path()
  }

  /// The path of another program beside it.
  static func neighbour(_ name: String) throws -> String {
    URL(filePath: try path()).deletingLastPathComponent().appending(path: name).path()
  }

  /// An environment without a display, a bus or a home.
  static let environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]

  /// Runs the program to its end. `wrapper` is a command that is given the program's command line, and `link`
  /// is another name of the program.
  static func run(
    _ arguments: [String], input: String? = "", environment: [String: String] = [:], wrapper: [String] = [],
    link: String? = nil
  ) throws -> Outcome {
    try Command.run(
      wrapper + [link ?? path()] + arguments, input: input,
      environment: Self.environment.merging(environment) { $1 })
  }

  /// Runs the program with its output in a file. Returns its exit status and the most memory that it used, in kB.
  ///
  /// Python stands between the two, because the peak of a process includes what it used before it became the
  /// program.
  static func measure(_ arguments: [String], output file: String = "/dev/null") throws -> (
    status: Int32, peakMemory: Int
  ) {
    let script =
      "import resource, subprocess, sys; f = open(sys.argv[1], 'wb'); "
      + "print(subprocess.run(sys.argv[2:], stdin=-3, stdout=f, stderr=-3).returncode, "
      + "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    let outcome = try Command.run(["/usr/bin/python3", "-I", "-S", "-c", script, file, path()] + arguments)
    let figures = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(figures.count == 2, "\(outcome)")
    return (Int32(figures[0]), figures[1])
  }
}

extension Tokentry {
  /// Runs the program with a script in place of the window, because only the protocol between the two matters. The variable
  /// `open` of the script has the first line. Also returns what the script wrote into the file `told` beside it.
  static func run(
    _ arguments: [String], window script: String, environment: [String: String] = [:]
  ) throws -> (outcome: Outcome, told: String) {
    let folder = TemporaryFolder()
    let program = folder.path + "/tokentry"
    // `cp` writes the copy: a file that this process had open for writing could not be started while a child of
    // another test inherits the descriptor.
    _ = try Command.run(["/bin/cp", path(), program])
    try writeProgram("#!/bin/sh\nread -r open\n\(script)\n", to: folder.path + "/tokentry-window")
    let outcome = try run(
      arguments, environment: environment.merging(["DISPLAY": ":64999"]) { $1 },
      wrapper: ["/bin/sh", "-c", "shift; exec '\(program)' \"$@\"", "sh"])
    return (outcome, folder.text(of: "told"))
  }
}

/// What a program printed, and how it ended.
struct Outcome: Sendable {
  /// The exit status, or the negative number of the signal that ended the program.
  let status: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let messages: String

  /// A member of the JSON object on standard output.
  subscript(name: String) -> Any? {
    (try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])?[name]
  }

  var error: String? { self["error"] as? String }
  var accessToken: String? { self["access_token"] as? String }
  var checks: [String: String] { self["checks"] as? [String: String] ?? [:] }
  var details: [String: Any] { self["details"] as? [String: Any] ?? [:] }
}

/// Other programs.
enum Command {
  /// Runs a command to its end. Without an `input` its standard input is /dev/null, and without an
  /// `environment` it has that of the tests.
  static func run(
    _ words: [String], input: String? = nil, environment: [String: String]? = nil, in folder: String? = nil
  ) throws -> Outcome {
    let process = process(words, environment: environment)
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    let (stdin, stdout) = (Pipe(), Pipe())
    // A file takes any number of messages while the output is read.
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
      status: process.status, output: String(decoding: output, as: UTF8.self),
      messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
  }

  /// The command, ready to be started.
  static func process(_ words: [String], environment: [String: String]? = nil) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    if let environment { process.environment = environment }
    return process
  }

  /// The path of a script beside the tests.
  static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path()
  }
}

extension Process {
  fileprivate var status: Int32 { terminationReason == .exit ? terminationStatus : -terminationStatus }
}

/// The program in the background, with its output in files.
final class RunningTokentry {
  private let process: Process
  private let folder = TemporaryFolder()

  init(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil, output: Pipe? = nil,
    wrapper: [String] = []
  ) throws {
    process = Command.process(
      wrapper + [try Tokentry.path()] + arguments,
      environment: Tokentry.environment.merging(environment) { $1 })
    for name in ["output", "messages"] { try folder.write("", to: name) }
    process.standardInput = FileHandle.nullDevice
    if let input {
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.write(input, to: "input")))
    }
    process.standardOutput = try output ?? FileHandle(forWritingTo: URL(filePath: folder.path + "/output"))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.path + "/messages"))
    try process.run()
  }

  /// What the program has written to standard output.
  var output: String { folder.text(of: "output") }
  /// What the program has written to standard error.
  var messages: String { folder.text(of: "messages") }
  var isWaiting: Bool { messages.contains("waiting for another program") }
  var identifier: pid_t { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  func end(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end.
  func outcome() -> Outcome {
    process.waitUntilExit()
    return Outcome(status: process.status, output: folder.text(of: "output"), messages: messages)
  }
}

/// A private folder that is deleted with this object.
final class TemporaryFolder: Sendable {
  let path: String

  /// A folder `forOthers` can be reached by programs of other users, who may look up names in it.
  init(forOthers: Bool = false) {
    let parent = forOthers ? URL(filePath: "/tmp") : FileManager.default.temporaryDirectory
    path = parent.appending(path: "program-\(UUID().uuidString)").path(percentEncoded: false)
    mkdir(path, forOthers ? 0o711 : 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file that only its owner can read, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    chmod(file, mode)
    return file
  }

  /// The text of a file, which is empty if there is no such file.
  func text(of name: String) -> String { String(decoding: contents(of: name) ?? Data(), as: UTF8.self) }

  func contents(of name: String) -> Data? { FileManager.default.contents(atPath: "\(path)/\(name)") }

  func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }
}

/// Blocks until a condition holds. Returns false if that takes longer than a minute.
@discardableResult
func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<6_000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}

/// Runs a body several times at once, each on a thread of its own.
func atOnce<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (_ number: Int) throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: Value.self) { group in
    for number in 0..<count { group.addTask { try await onThread { try body(number) } } }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}
