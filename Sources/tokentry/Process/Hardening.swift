import CLinux
import GLibSupport
import Glibc

/// Keeps secrets out of core dumps, of other processes of the same user, and of whatever is started later.
enum Hardening {
  static func apply() {
    unsetenv("SSLKEYLOGFILE")  // GnuTLS would write the keys of every connection there
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // The desktop's portal has to see from which sandbox it is asked, and in there nobody else is.
    if !Flatpak.isAround { _ = linux_set_dumpable(0) }
    // A reader that has gone and a file that may not grow are errors of write(2), not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
