import CGLib
import CLinux
import Glibc

/// A program in a session of its own that may outlive this one: it has neither its terminal nor any of its
/// descriptors, and what it writes is nobody's.
public struct DetachedProcess: Sendable {
  /// The process, and its session.
  public let identifier: pid_t

  /// Starts a program, which is looked for in `PATH` if it is a name, with arguments behind it. Its environment
  /// lacks the variables in `hidden`, and it reads `input`.
  public init(
    _ words: [String], hiding hidden: [String] = [], input: [UInt8] = []
  ) throws(ChildProcess.Fault) {
    var ends: [Int32] = [-1, -1]
    guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { throw ChildProcess.Fault(code: errno) }
    defer { close(ends[1]) }
    do throws(ChildProcess.Fault) {
      identifier = try Self.spawn(words, input: ends[0], hiding: hidden)
    } catch {
      close(ends[0])
      throw error
    }
    close(ends[0])
    var bytes = input[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { break }
    }
  }

  /// How it ended, if it does so within `duration`: its exit status, or that of a shell for a signal.
  @GLibActor
  public func status(within duration: Duration) async -> Int32? {
    let descriptor = linux_pidfd_open(identifier)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var sources: [Source] = []
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      var waiting: UnsafeContinuation<Void, Never>? = continuation
      sources = [
        .readable(descriptor) { waiting.take()?.resume() },
        .timer(every: duration) { waiting.take()?.resume() },
      ]
    }
    _ = sources  // they count for as long as they are kept
    var status: Int32 = 0
    guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private static func spawn(
    _ words: [String], input: Int32, hiding hidden: [String]
  ) throws(ChildProcess.Fault) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    ChildProcess.resetSignals(&attributes, and: Int32(CLINUX_SPAWN_SETSID))

    let arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawnp(
      &process, words.first ?? "", &actions, &attributes, arguments,
      ChildProcess.environment { !hidden.contains($0) })
    guard code == 0 else { throw ChildProcess.Fault(code: code) }
    return process
  }
}
