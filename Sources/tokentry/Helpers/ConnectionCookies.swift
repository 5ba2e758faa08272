import CLinux
import GLibSupport
import Glibc
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// The FreeRDP process that started this helper. It lives as long as the connection: it starts one helper for the gateway's
/// token and another for the host's, and ends when the user disconnects.
struct RemoteDesktopClient: Equatable {
  private let process: pid_t
  /// Distinguishes the process from a later one with the same number. 0 if the system does not show it.
  private let startTime: UInt64

  private static let prefix = "freerdp-"

  init(process: pid_t) {
    self.process = process
    startTime = RequesterProcesses.startTime(of: process) ?? 0
  }

  /// Reads the process from the name of a session. Returns nil for any other session.
  init?(session: String) {
    guard session.hasPrefix(Self.prefix) else { return nil }
    let numbers = session.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = pid_t(numbers[0]), process > 0, let startTime = UInt64(numbers[1])
    else { return nil }
    (self.process, self.startTime) = (process, startTime)
  }

  /// The name of the session that keeps the connection's cookies.
  var session: String { "\(Self.prefix)\(process)-\(startTime)" }

  var isRunning: Bool {
    (kill(process, 0) == 0 || errno == EPERM) && RequesterProcesses.startTime(of: process) ?? 0 == startTime
  }

  /// Waits until the process has ended.
  func waitForEnd() {
    let descriptor = linux_pidfd_open(process)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // The number may already belong to another process.
    guard isRunning else { return }
    var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&end, 1, -1) == -1, errno == EINTR {}
  }
}

/// The cookies of one connection, shared by its helpers. They are locked while a helper runs, and removed after FreeRDP has
/// ended.
@GLibActor
final class ConnectionCookies {
  /// The name of the session.
  let session: String
  private let environment: Environment
  private var jar: CookieJar?
  /// True if a process will remove the cookies.
  private var hasRemover = false

  init(_ environment: Environment) {
    self.environment = environment
    session = RemoteDesktopClient(process: getppid()).session
    // The process that removes the cookies of an earlier connection may have been killed.
    CookieJar.removeForsaken(under: environment.connectionFolder) { name in
      RemoteDesktopClient(session: name.text).map { !$0.isRunning } ?? false
    }
  }

  /// Returns the cookies, or nil if there is no display: only a window has cookies.
  func open() throws(Failure) -> CookieJar? {
    guard jar == nil, environment.hasDisplay, let name = CookieJarName(session) else { return jar }
    let folder = environment.connectionFolder
    if let earlier = try CookieJar.existing(name, under: folder) {
      (jar, hasRemover) = (earlier, true)
    } else {
      jar = try CookieJar(name, under: folder)
      hasRemover = CookieRemover.start(session, environment)
    }
    return jar
  }

  /// Leaves the cookies to the next helper of the connection.
  func close() {
    if !hasRemover { try? jar?.remove() }
    jar = nil
  }
}

/// Removes the cookies at the end of a connection, in a process of its own, because no helper runs then.
enum CookieRemover {
  /// The argument that starts this mode. The name of the session follows.
  static let argument = "remove-cookies-of:"

  /// Returns true if the process was started.
  @GLibActor
  fileprivate static func start(_ session: String, _ environment: Environment) -> Bool {
    guard let executable = environment.executable else { return false }
    return (try? DetachedProcess([executable, argument, session])) != nil
  }

  /// Waits for the end of the connection. Returns the exit status.
  static func run(_ session: String) -> Int32 {
    guard let client = RemoteDesktopClient(session: session), let name = CookieJarName(session) else {
      return 1
    }
    // Otherwise the current folder's file system could not be unmounted.
    chdir("/")
    client.waitForEnd()
    // If FreeRDP was killed, its helper may end a little later.
    for _ in 0..<100 {
      do throws(Failure) {
        try CookieJar.existing(name, under: Environment().connectionFolder)?.remove()
        return 0
      } catch {
        if error.code != .alreadyInProgress { return 1 }
        usleep(100_000)
      }
    }
    return 1
  }
}

extension Environment {
  /// The parent of the folder with the cookies of connections. The runtime folder is removed at the end of the user's
  /// session.
  fileprivate var connectionFolder: String? { self["XDG_RUNTIME_DIR"] ?? stateFolder }
}
