import Glibc

/// The streams to the program that started this one, out of reach of whatever this one starts.
struct StandardStreams {
  let input: Int32
  let output: Int32

  /// Moves them away and leaves /dev/null in their places: WebKit's processes inherit those, and would keep the
  /// caller waiting for an end of file.
  init() {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let null = open("/dev/null", O_RDWR)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO] where descriptor != null { dup2(null, descriptor) }
    if null > STDERR_FILENO { close(null) }
  }
}
