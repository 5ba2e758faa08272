import CLinux
import Foundation
import Synchronization
import Testing

/// A program that a test runs in a process group of its own. It is killed when the object is released.
///
/// Foundation's `Process` does not do: a program that it starts inherits the signals that the test runner blocks.
final class Program: Sendable {
  /// The process, and its process group.
  let identifier: pid_t
  let words: [String]
  let environment: [String: String]
  let start = Date()
  private let input: FileHandle
  private let errorPath: String
  private let state = State()

  /// The output and status so far, shared with the threads that wait for them.
  private final class State: Sendable {
    let text = Mutex("")
    let isAtEnd = Mutex(false)
    let status = Mutex<Int32?>(nil)
  }

  /// A system call that failed.
  struct Fault: Error {
    let code: Int32
  }

  init(_ path: String, _ arguments: [String], environment: [String: String], errorPath: String) throws {
    let (input, output) = (try Self.makePipe(), try Self.makePipe())
    self.errorPath = errorPath
    words = [path] + arguments
    self.environment = environment
    try Data().write(to: URL(filePath: errorPath))
    identifier = try Self.spawn(
      words, environment, input: input.reading, output: output.writing, error: errorPath)
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
    // Waiting at once matters: Swift Testing polls without a pause for its own children as long as another dead child waits.
    Thread.detachNewThread { [identifier] in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) != identifier { guard errno == EINTR else { return } }
      state.status.withLock { $0 = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F }
    }
    Evidence.current?.add(self)
  }

  /// Starts a server of a test. It also ends with the test program, even if that is killed: the kernel then closes the
  /// server's standard input, and a shell in its process group sees that. Do not close or write the input.
  convenience init(server words: [String], environment: [String: String], errorPath: String) throws {
    let script = #"exec 3<&0; { read -r _ <&3; kill -s KILL 0; } & exec "$@" 3<&-"#
    try self.init(
      "/bin/sh", ["-c", script, "sh"] + words, environment: environment, errorPath: errorPath)
  }

  deinit {
    guard status == nil else { return }
    end(SIGKILL)
    var ended = siginfo_t()
    waitid(P_PID, id_t(identifier), &ended, WEXITED | WNOWAIT)
  }

  /// Standard output so far.
  var text: String { state.text.withLock { $0 } }

  /// Standard error so far.
  var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

  func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

  func closeInput() throws { try input.close() }

  /// Sends a signal to the process group.
  func end(_ signal: Int32) { kill(-identifier, signal) }

  /// The exit status, or 128 plus the number of the signal that ended the program. nil while it runs.
  var status: Int32? { state.status.withLock { $0 } }

  /// Waits until the program and its output have ended, and returns the status. Returns nil if that takes longer than
  /// `seconds`.
  func end(within seconds: Double = patience) async -> Int32? {
    let state = state
    guard await eventually(within: seconds, { status != nil && state.isAtEnd.withLock { $0 } }) else {
      return nil
    }
    return status
  }
}

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
    // Foundation's pipes are inherited by programs that are started at the same time. A display would otherwise keep
    // the output of another test's command open, and the reader of that output would wait for the display to end.
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

/// The number of seconds that a test waits for an event: enough on the busiest machine.
package let patience = 180.0

/// The number of seconds within which an immediate reaction must come, even on a busy machine. It is less than the ten
/// seconds for which a page that spins keeps its process.
let soon = 8.0

/// Waits until a condition holds. Returns false if that takes longer than `seconds`.
///
/// The pauses get longer, because some conditions start a program, and frequent checks would slow a busy machine down.
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

/// A login reached its deadline before a condition of ``inTime(_:_:)`` held.
struct TooLate: Error {
  let program: String
}

/// Runs a test of a login with a short deadline, and again with a longer one if the machine was too slow for it.
func beforeDeadline(_ work: (_ options: [String]) async throws -> Void) async throws {
  for seconds in ["8", "40"] {
    do { return try await work(["--timeout", seconds]) } catch is TooLate {}
  }
  try await work(["--timeout", "170"])
}

/// Waits until a condition holds. Throws ``TooLate`` if the login ends first.
func inTime(_ login: Program, _ condition: () throws -> Bool = { true }) async throws {
  let isSo = try await eventually { try login.status != nil || condition() }
  guard isSo, login.status == nil else { throw TooLate(program: login.text + login.errors) }
}

/// The factor by which tests extend their time limits. `Tests/tools/sanitize.py` sets it in `TOKENTRY_SLOWNESS`, because programs
/// with a sanitizer are slower.
public let slowness =
  ProcessInfo.processInfo.environment["TOKENTRY_SLOWNESS"].flatMap { Int($0) }.map { max(1, $0) } ?? 1

/// The folder for the reports of sanitizers.
public let sanitizerReports = ProcessInfo.processInfo.environment["TOKENTRY_REPORTS"]

extension Trait where Self == TimeLimitTrait {
  /// Fails a test that takes longer than so many minutes.
  public static func limited(toMinutes minutes: Int) -> Self { .timeLimit(.minutes(minutes * slowness)) }
}
