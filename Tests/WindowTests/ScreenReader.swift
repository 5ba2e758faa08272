import Foundation
import Synchronization
@testable import TestSupport
import Testing

/// Reads windows as a program does that speaks them to somebody who does not see them.
struct ScreenReader {
  private let desk: Desk
  private let bus: Bus
  private let pause = Pause()
  private let reading = Reading()

  init(_ desk: Desk) async throws {
    self.desk = desk
    bus = try await Bus(folder: desk.folder)
  }

  /// What a program needs to be read.
  var variables: [String: String] { bus.variables }

  /// One object of a window.
  struct Thing: CustomStringConvertible {
    let depth: Int
    let role: String
    let name: String
    let states: [String]
    /// Left, top, width and height on the screen.
    let place: [Int]

    var description: String { "\(role) '\(name)'" }
    /// Whether it is seen when what it is in is seen.
    var isVisible: Bool { states.contains("visible") }
    var isShowing: Bool { states.contains("showing") }
  }

  /// Between two looks, of which each takes a processor as long as a window takes to open.
  private final class Pause: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    func wait() {
      let since = last.withLock { $0.map { ContinuousClock.now - $0 } }
      if let since, since < .milliseconds(250) { usleep(250_000) }
    }

    func begin() { last.withLock { $0 = .now } }
  }

  /// The program that reads, which is started when something is to be read.
  private final class Reading: Sendable {
    private let started = Mutex<Program?>(nil)

    func program(_ start: () throws -> Program) throws -> Program {
      try started.withLock { started in
        if let started { return started }
        let program = try start()
        started = program
        return program
      }
    }
  }

  /// All objects, children behind their parents.
  func read() throws -> [Thing] { try read("tree") }

  private func read(_ what: String) throws -> [Thing] {
    pause.wait()
    defer { pause.begin() }
    let program = try reading.program {
      try Program(
        Self.script, [], environment: desk.environment.merging(variables) { $1 },
        errorPath: desk.folder + "/accessible")
    }
    let count = program.text.utf8.count
    let answer = { String(program.text.utf8.dropFirst(count)) ?? "" }
    try program.write(what + "\n")
    let deadline = ContinuousClock.now + .seconds(patience)
    while !answer().hasSuffix("end\n") {
      guard program.status == nil, ContinuousClock.now < deadline else {
        throw Screen.Failed(command: "read \(what): \(program.errors)")
      }
      usleep(2_000)
    }
    return answer().split(separator: "\n").compactMap { line in
      let text = line.drop { $0 == " " }
      let fields = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4 else { return nil }
      return Thing(
        depth: (line.count - text.count) / 2, role: fields[0], name: fields[1],
        states: fields[2].split(separator: " ").map(String.init),
        place: fields[3].split(separator: ",").compactMap { Int($0) })
    }
  }

  /// The objects that are ours: all but the page.
  func readOurs() throws -> [Thing] { try read("ours") }

  /// Tells what gets the focus, until its input is closed.
  func watchFocus() async throws -> Program {
    let watch = try Program(
      Self.script, ["focus"], environment: desk.environment.merging(variables) { $1 },
      errorPath: desk.folder + "/focus")
    try #require(await eventually { watch.text.hasPrefix("ready\n") }, "\(watch.errors)")
    return watch
  }

  private static var script: String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "accessible.py").path()
  }
}
