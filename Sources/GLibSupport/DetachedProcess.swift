import CLinux
import Glibc

/// A program in a session of its own that may outlive this one: it has neither its terminal nor any of its
/// descriptors.
public struct DetachedProcess: Sendable {
  /// The process, and its session.
  public let identifier: pid_t
  /// Where this program reads what that one writes, if it is heard; the caller closes it.
  public let output: Int32?

  /// Starts a program, which is looked for in `PATH` if it is a name, with arguments behind it. Its environment
  /// lacks the variables in `hidden`, and it reads `input`; what it writes is nobody's unless it is heard.
  public init(
    _ words: [String], hiding hidden: [String] = [], input: [UInt8] = [], isHeard: Bool = false
  ) throws(SystemError) {
    let pipe = try PipeEnds()
    let up = try PipeEnds()
    identifier = try ChildProcess.spawn(
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
}
