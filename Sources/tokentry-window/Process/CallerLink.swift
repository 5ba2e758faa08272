import GLibSupport
import Glibc
import Platform
import WindowProtocol

/// The lines to and from the program that started this one.
@GLibActor
final class CallerLink {
  private let reader: DescriptorReader
  private let streams: StandardStreams

  init(_ streams: StandardStreams) {
    reader = DescriptorReader(descriptor: streams.input)
    self.streams = streams
  }

  /// Returns the next command, skipping lines it does not understand, or nil when the caller has ended.
  func next() async -> WindowCommand? {
    while let line = try? await reader.line(keeping: WindowCommand.maximumLength + 1) {
      if let command = WindowCommand(line: line) { return command }
    }
    return nil
  }

  /// Sends an event. Errors are ignored: if the caller has ended, so does our input, and that ends this
  /// process.
  func send(_ event: WindowEvent) { Self.send(event, to: streams.output) }

  /// Sends an event from any thread. Only for the last event of a process.
  nonisolated static func send(_ event: WindowEvent, to output: Int32) {
    try? writeAll(event.line.utf8, to: output)
  }

  /// Ends this process, with everything that belongs to it, as soon as the caller ends.
  ///
  /// A thread of its own watches the caller's end of the pipe. The main thread notices too, but not while GTK
  /// and WebKit start, which takes seconds on a busy machine; the next login could show its window beside
  /// this one. The function is nonisolated because Swift traps if the main loop's actor owns that thread's
  /// code.
  nonisolated func endWithCaller() {
    var thread = pthread_t()
    // The descriptor itself is the thread's argument, so that nothing needs to be allocated.
    let input = UnsafeMutableRawPointer(bitPattern: Int(streams.input))
    let code = pthread_create(
      &thread, nil,
      { input in
        var watched = pollfd(fd: Int32(Int(bitPattern: input)), events: 0, revents: 0)
        while poll(&watched, 1, -1) < 0, errno == EINTR {}
        ProcessGroup.end()
      }, input)
    if code == 0 { pthread_detach(thread) }
  }
}

/// The pipes to the caller, moved to descriptors that child processes do not inherit.
struct StandardStreams {
  let input: Int32
  let output: Int32

  /// Moves both away and puts /dev/null in their places. WebKit's processes would otherwise inherit the pipes
  /// and keep the caller waiting for the end of file.
  init() {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let null = open("/dev/null", O_RDWR)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO] where descriptor != null { dup2(null, descriptor) }
    if null > STDERR_FILENO { close(null) }
  }
}
