import Glibc

/// The reading end of one stream of a command: never blocks, and keeps everything that arrived.
final class StreamReader {
  /// The named pipe that the command writes to.
  let path: String
  /// What has arrived so far.
  private(set) var bytes: [UInt8] = []
  /// Whether every writer has gone.
  private(set) var isAtEnd = false

  private let descriptor: Int32

  /// Makes the pipe and opens it; the writer may come later.
  init(path: String) throws(Shell.Fault) {
    guard mkfifo(path, 0o600) == 0 else { throw Shell.Fault(call: "mkfifo", code: errno) }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Shell.Fault(call: "open", code: errno) }
    self.path = path
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// Waits until one of the streams has something to say, or for the time given.
  static func wait(for streams: [StreamReader], milliseconds: Int32) {
    var polled = streams.filter { !$0.isAtEnd }.map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    poll(&polled, nfds_t(polled.count), milliseconds)
  }

  /// Takes what is there; called only after the writer was started, so that nothing means the end.
  func readAvailable() throws(Shell.Fault) {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while !isAtEnd {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        isAtEnd = true
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        throw Shell.Fault(call: "read", code: errno)
      }
    }
  }
}
