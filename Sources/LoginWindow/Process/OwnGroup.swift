import Glibc
import PrivateFiles

/// This process and everything that WebKit has started for it.
enum OwnGroup {
  /// Makes sure that the group holds nothing else, whoever started this process.
  static func lead() {
    if getpgrp() != getpid() { setpgid(0, 0) }
  }

  /// Has the signal that GLib does not know end it: Swift would print where it is, and keep the window meanwhile.
  static func endOnQuit() {
    signal(SIGQUIT) { _ in
      kill(0, SIGKILL)
      _exit(1)
    }
  }

  /// Ends all of it at once. A page that spins would otherwise keep its process for ten seconds.
  static func end() -> Never {
    EngineLeftovers.remove(of: getpid())
    kill(0, SIGKILL)
    _exit(1)  // the signal is on its way
  }
}
