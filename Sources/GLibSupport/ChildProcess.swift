import CGLib
import CLinux
import Glibc

/// A program that runs in a process group of its own, with pipes in place of its standard input and output, and
/// that inherits nothing else from this one.
public struct ChildProcess: Sendable {
  /// The process, and its group.
  public let identifier: pid_t
  /// Where this program writes what that one reads.
  public let input: Int32
  /// Where this program reads what that one writes.
  public let output: Int32

  /// Starts `path` without arguments. Of the variables of this program it has those that pass; what it writes to
  /// standard error is nobody's.
  public init(_ path: String, passing passes: (String) -> Bool) throws(SystemError) {
    let down = try PipeEnds()
    let up = try PipeEnds()
    identifier = try Self.spawn(
      [path], input: down.reading, output: up.writing, passing: passes, POSIX_SPAWN_SETPGROUP)
    (input, output) = (down.keepWriting(), up.keepReading())
  }

  /// Ends the process and everything that it has started, which it cannot prevent.
  public func end() {
    kill(-identifier, SIGKILL)
  }

  /// Waits until the process has ended, and closes the pipes. To be called once, after ``end()``.
  public func release() {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
    close(input)
    close(output)
  }
}

/// A pipe whose ends are closed with it, unless they are kept.
package struct PipeEnds: ~Copyable {
  let reading: Int32
  let writing: Int32

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { throw SystemError(code: errno) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  package consuming func keepWriting() -> Int32 {
    close(reading)
    let end = writing
    discard self
    return end
  }

  package consuming func keepReading() -> Int32 {
    close(writing)
    let end = reading
    discard self
    return end
  }
}

/// Starting.
extension ChildProcess {
  /// Starts a program, which is looked for in `PATH` if it is a name: without an `output` what it writes is nobody's, as is
  /// what it writes to standard error. `flags` say what it is set apart by.
  static func spawn(
    _ words: [String], input: Int32, output: Int32?, passing passes: (String) -> Bool, _ flags: Int32
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    // No signal is ignored or blocked because this program does so.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(flags | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawnp(
      &process, words.first ?? "", &actions, &attributes, arguments, environment(of: passes))
    guard code == 0 else { throw SystemError(code: code) }
    return process
  }

  /// This program's variables; the strings stay its own.
  private static func environment(of passes: (String) -> Bool) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      // Byte by byte: with an accent behind it the sign would be another character.
      let name = Substring(String(cString: variable).utf8.prefix { $0 != UInt8(ascii: "=") })
      if passes(String(name)) { variables.append(variable) }
      next += 1
    }
    return variables + [nil]
  }
}
