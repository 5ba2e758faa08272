import CGLib
import CLinux
import Glibc

/// A program in a process group of its own, with pipes as its standard input and output. It inherits no other
/// descriptor.
package struct ChildProcess: Sendable {
  /// The process, and its group.
  package let identifier: pid_t
  /// The pipe to the child's standard input.
  package let input: Int32
  /// The pipe from the child's standard output.
  package let output: Int32

  /// Starts `path` without arguments. It gets the environment variables for which `passes` returns true; its standard
  /// error is discarded.
  package init(_ path: String, passing passes: (String) -> Bool) throws(SystemError) {
    let down = try PipeEnds()
    let up = try PipeEnds()
    identifier = try spawn(
      [path], input: down.reading, output: up.writing, passing: passes, POSIX_SPAWN_SETPGROUP)
    (input, output) = (down.keepWriting(), up.keepReading())
  }

  /// Kills the process and every process in its group.
  package func end() {
    kill(-identifier, SIGKILL)
  }

  /// Waits until the process has ended, and closes the pipes. Call it once, after ``end()``.
  package func release() {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
    close(input)
    close(output)
  }
}

/// A program in a session of its own, without this program's terminal and descriptors. It may outlive this program.
package struct DetachedProcess: Sendable {
  /// The process, and its session.
  package let identifier: pid_t
  /// The pipe from its standard output, if that `isHeard`; the caller closes it.
  package let output: Int32?

  /// Starts a program with arguments. A name without a slash is looked up in `PATH`.
  ///
  /// Its environment lacks the variables in `hidden`, and it can read `input`. Its output is discarded unless it
  /// `isHeard`.
  package init(
    _ words: [String], hiding hidden: [String] = [], input: [UInt8] = [], isHeard: Bool = false
  ) throws(SystemError) {
    let pipe = try PipeEnds()
    let up = try PipeEnds()
    identifier = try spawn(
      words, input: pipe.reading, output: isHeard ? up.writing : nil, passing: { !hidden.contains($0) },
      Int32(CLINUX_SPAWN_SETSID))
    output = isHeard ? up.keepReading() : nil
    let writing = pipe.keepWriting()
    defer { close(writing) }
    var bytes = input[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { break }
    }
  }

  /// Waits for its end, up to `duration` if there is one. Returns its exit status, 128 plus the signal that killed it as
  /// shells do, or nil if it still runs. The system keeps an ended process until this has returned its status.
  @GLibActor
  package func status(within duration: Duration? = nil) async -> Int32? {
    await ended(identifier, within: duration)
  }
}

@GLibActor
private func ended(_ process: pid_t, within duration: Duration?) async -> Int32? {
  let descriptor = linux_pidfd_open(process)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var sources: [Source] = []
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    var waiting: UnsafeContinuation<Void, Never>? = continuation
    sources = [.readable(descriptor) { waiting.take()?.resume() }]
    if let duration { sources.append(.after(duration) { waiting.take()?.resume() }) }
  }
  _ = sources  // both must live until here
  var status: Int32 = 0
  guard waitpid(process, &status, WNOHANG) == process else { return nil }
  return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
}

/// A program that has this one's standard input, standard error, terminal and process group.
package struct AttachedProcess: Sendable {
  package let identifier: pid_t

  /// Starts a program with arguments. A name without a slash is looked up in `PATH`. Its environment is
  /// this program's with some more `variables`.
  package init(
    _ words: [String], output: Int32, adding variables: [(name: String, value: String)]
  ) throws(SystemError) {
    identifier = try spawn(
      words, input: nil, output: output, errors: STDERR_FILENO,
      adding: variables.map { "\($0.name)=\($0.value)" },
      passing: { name in !variables.contains { $0.name == name } }, 0)
  }

  /// Waits for its end. Returns its exit status, or 128 plus the signal that killed it as shells do.
  @GLibActor
  package func status() async -> Int32 { await ended(identifier, within: nil) ?? 0 }
}

/// A pipe. Its ends are closed with this value unless they are kept.
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

  package consuming func keep() -> (reading: Int32, writing: Int32) {
    let ends = (reading, writing)
    discard self
    return ends
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

/// Starts a program; a name without a slash is looked up in `PATH`. It shares this one's standard input without an `input`.
/// Its output and its errors are discarded unless there are descriptors for them. `flags` give it a process group or a session of
/// its own.
private func spawn(
  _ words: [String], input: Int32?, output: Int32?, errors: Int32? = nil, adding variables: [String] = [],
  passing passes: (String) -> Bool, _ flags: Int32
) throws(SystemError) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
  for (place, number) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
    if let place {
      posix_spawn_file_actions_adddup2(&actions, place, number)
    } else {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

  // The child must not inherit the signals that this program ignores or blocks.
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
  let added = variables.map { strdup($0) }
  defer { (arguments + added).forEach { free($0) } }
  var process: pid_t = 0
  let code = posix_spawnp(
    &process, words.first ?? "", &actions, &attributes, arguments, added + environment(of: passes))
  guard code == 0 else { throw SystemError(code: code) }
  return process
}

/// This program's variables. The strings are not copied.
private func environment(of passes: (String) -> Bool) -> [UnsafeMutablePointer<CChar>?] {
  var variables: [UnsafeMutablePointer<CChar>?] = []
  var next = environ
  while let variable = next.pointee {
    // By bytes: "=" with a combining accent behind it would be another character.
    let name = Substring(String(cString: variable).utf8.prefix { $0 != UInt8(ascii: "=") })
    if passes(String(name)) { variables.append(variable) }
    next += 1
  }
  return variables + [nil]
}
