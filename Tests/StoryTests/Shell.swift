import CLinux
import Foundation
import Glibc

/// Runs commands with `/bin/sh`, each in a process group of its own that is gone when the command is over.
///
/// The streams are named pipes: the command sees pipes as it would from an application, and there is never a
/// writing end here that a command of another story, started at the same moment, could inherit and hold open.
struct Shell: Sendable {
  /// A system call of the runner failed.
  struct Fault: Error, CustomStringConvertible {
    let call: String
    let code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// Where commands run.
  let directory: String
  /// Where the named pipes are made.
  let pipes: String
  /// The whole environment of a command.
  let environment: [String: String]

  /// Runs a command until it has ended and both its streams have, or until the limit in seconds.
  func run(_ command: String, limit: Double) throws -> CommandRun {
    let name = "\(pipes)/\(UUID().uuidString)"
    let output = try StreamReader(path: name + ".out")
    let error = try StreamReader(path: name + ".err")
    let process = try spawn(command, output: output.path, error: error.path)
    defer { kill(-process, SIGKILL) }

    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(limit)
    var run = CommandRun(end: .overdue(seconds: limit))
    while !(output.isAtEnd && error.isAtEnd), clock.now < deadline {
      StreamReader.wait(for: [output, error], milliseconds: 50)
      try output.readAvailable()
      try error.readAvailable()
    }
    if let end = try end(of: process, by: deadline) { run.end = end }
    if !(output.isAtEnd && error.isAtEnd) { run.end = .overdue(seconds: limit) }
    run.output = output.bytes
    run.error = error.bytes
    return run
  }

  private func end(of process: pid_t, by deadline: ContinuousClock.Instant) throws -> CommandRun.End? {
    var status: Int32 = 0
    while true {
      let answer = waitpid(process, &status, WNOHANG)
      if answer == process { return Self.end(status) }
      guard answer == 0 || errno == EINTR else { throw Fault(call: "waitpid", code: errno) }
      guard ContinuousClock.now < deadline else { break }
      usleep(2000)
    }
    kill(-process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return nil
  }

  /// The macros of `<sys/wait.h>`, which Swift does not import.
  private static func end(_ status: Int32) -> CommandRun.End {
    let signal = status & 0x7F
    return signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .signalled(Int(signal))
  }

  private func spawn(_ command: String, output: String, error: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.resetSignals(&attributes)

    var process: pid_t = 0
    let start = #"cd -- "$0" && unset OLDPWD && exec /bin/sh -c "$1""#
    let arguments = Self.copies(["/bin/sh", "-c", start, directory, command])
    let variables = Self.copies(environment.map { "\($0.key)=\($0.value)" })
    defer { (arguments + variables).forEach { free($0) } }
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables)
    guard code == 0 else { throw Fault(call: "posix_spawn", code: code) }
    return process
  }

  /// An array of C strings as `posix_spawn` takes it, which the caller frees.
  private static func copies(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }

  /// A group of its own, and no signal ignored or blocked because the test runner does so.
  private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  }
}
