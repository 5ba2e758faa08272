import CLinux
import Foundation
import Synchronization

/// A program that a test runs in a process group of its own, with what it writes; ended with the test at the
/// latest. Not Foundation's: what that starts has the signals blocked that the test runner blocks.
final class Program: Sendable {
  /// The process, and its group.
  let identifier: pid_t
  /// When it was started.
  let start = Date()
  private let input: FileHandle
  private let errorPath: String
  private let state = State()

  /// What is known about it, which lives as long as the thread that finds it out.
  private final class State: Sendable {
    let text = Mutex("")
    let isAtEnd = Mutex(false)
    let status = Mutex<Int32?>(nil)
  }

  /// A system call failed.
  struct Fault: Error {
    let code: Int32
  }

  init(_ path: String, _ arguments: [String], environment: [String: String], errorPath: String) throws {
    let (input, output) = (try Self.makePipe(), try Self.makePipe())
    self.errorPath = errorPath
    try Data().write(to: URL(filePath: errorPath))
    identifier = try Self.spawn(
      [path] + arguments, environment, input: input.reading, output: output.writing, error: errorPath)
    close(input.reading)
    close(output.writing)
    self.input = FileHandle(fileDescriptor: input.writing, closeOnDealloc: true)
    let (handle, state) = (FileHandle(fileDescriptor: output.reading, closeOnDealloc: true), state)
    Thread.detachNewThread {
      while true {
        let data = handle.availableData
        if data.isEmpty { break }
        state.text.withLock { $0 += String(decoding: data, as: UTF8.self) }
      }
      state.isAtEnd.withLock { $0 = true }
    }
    // The library that runs the tests looks for its own dead children without a rest as long as there is another one.
    Thread.detachNewThread { [identifier] in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) != identifier { guard errno == EINTR else { return } }
      state.status.withLock { $0 = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F }
    }
  }

  deinit {
    guard status == nil else { return }
    end(SIGKILL)
    var ended = siginfo_t()
    waitid(P_PID, id_t(identifier), &ended, WEXITED | WNOWAIT)
  }

  /// What it has written to standard output.
  var text: String { state.text.withLock { $0 } }

  /// What it has written to standard error.
  var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

  func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

  func closeInput() throws { try input.close() }

  /// Sends a signal to its group.
  func end(_ signal: Int32) { kill(-identifier, signal) }

  /// Its exit status, or the signal that ended it as a shell tells it; nothing as long as it runs.
  var status: Int32? { state.status.withLock { $0 } }

  /// The status once it has ended and its output too; nothing if that takes longer than `seconds`.
  func end(within seconds: Double = patience) async -> Int32? {
    let state = state
    guard await eventually(within: seconds, { status != nil && state.isAtEnd.withLock { $0 } }) else {
      return nil
    }
    return status
  }
}

/// Starting.
extension Program {
  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Fault(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ words: [String], _ environment: [String: String], input: Int32, output: Int32, error: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY, 0)
    // Foundation's pipes are handed on to whoever is started meanwhile: a display would hold the output of some other
    // test's command open for as long as it lives, and who reads that to its end waits as long.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
    guard code == 0 else { throw Fault(code: code) }
    return process
  }
}

/// How many seconds a test waits for what is bound to happen: enough on the busiest machine.
package let patience = 180.0

/// How many seconds what has to happen at once may take on a busy machine: less than the ten for which a page that spins
/// keeps its process.
let soon = 8.0

/// Waits until something is so; false if that takes longer than `seconds`.
///
/// To look may take a program, and what looks too often is itself what all wait for on a busy machine: so the longer it
/// takes, the less often.
package func eventually(within seconds: Double = patience, _ condition: () throws -> Bool) async rethrows
  -> Bool
{
  let start = ContinuousClock.now
  while true {
    if try condition() { return true }
    let waited = ContinuousClock.now - start
    if waited > .seconds(seconds) { return false }
    try? await Task.sleep(for: max(.milliseconds(20), min(waited / 6, .milliseconds(250))))
  }
}

/// A deadline passed before what had to happen in its time.
struct TooLate: Error {
  let program: String
}

/// Does what belongs before a login's deadline, and again with more time where the machine was too busy for it.
func beforeDeadline(_ work: (_ options: [String]) async throws -> Void) async throws {
  for seconds in ["8", "40"] {
    do { return try await work(["--timeout", seconds]) } catch is TooLate {}
  }
  try await work(["--timeout", "170"])
}

/// Waits until something is so as long as a login goes on.
func inTime(_ login: Program, _ condition: () throws -> Bool = { true }) async throws {
  let isSo = try await eventually { try login.status != nil || condition() }
  guard isSo, login.status == nil else { throw TooLate(program: login.text + login.errors) }
}
