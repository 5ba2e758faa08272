import Glibc

/// This process and everything that WebKit has started for it.
enum OwnGroup {
  /// Makes sure that the group holds nothing else, whoever started this process.
  static func lead() {
    if getpgrp() != getpid() { setpgid(0, 0) }
  }

  /// Ends all of it at once. A page that spins would otherwise keep its process for ten seconds.
  static func end() -> Never {
    kill(0, SIGKILL)
    _exit(1)  // the signal is on its way
  }
}
