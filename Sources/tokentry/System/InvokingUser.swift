import Glibc
import LoginCore
import Platform

/// The user who runs this program as root, with sudo, pkexec or doas.
enum InvokingUser {
  /// Becomes that user for good, with their home and session. Does nothing if this is not root, or if the user is. Call this
  /// before there is another thread, since it changes the environment.
  static func become() throws(Failure) {
    guard geteuid() == 0, let user = identifier(in: Environment()), user != 0 else { return }
    guard let entry = getpwuid(user)?.pointee else { throw unusable("#\(user)") }
    let (name, home) = (String(cString: entry.pw_name), String(cString: entry.pw_dir))
    guard initgroups(name, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(user) == 0, setuid(0) != 0
    else {
      throw unusable(name)
    }
    for (variable, value) in [("HOME", home), ("USER", name), ("LOGNAME", name)] {
      setenv(variable, value, 1)
    }
    // What is left of root's session is of no use to the user.
    for variable in ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"] { unsetenv(variable) }
    if Environment().hasDisplay { UserSession.set(UserSession(folder: "/run/user/\(user)").sockets) }
  }

  /// The user's number in what sudo, pkexec and doas leave in the environment.
  static func identifier(in environment: Environment) -> uid_t? {
    if let number = environment["SUDO_UID"] ?? environment["PKEXEC_UID"] { return uid_t(number) }
    return environment["DOAS_USER"].flatMap { getpwnam($0)?.pointee.pw_uid }
  }

  private static func unusable(_ name: String) -> Failure {
    Failure(.noDisplay, "this program cannot become the user \(name, upTo: 60), whose window it would show")
  }
}
