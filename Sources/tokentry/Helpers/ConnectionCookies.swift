import CLinux
import GLibSupport
import Glibc
import LoginCore
import LoginKit
import LoginWays

/// The process of FreeRDP that started this helper. It is the connection: it starts a helper for the gateway's token, and
/// another one for the host's, and ends when the user disconnects.
struct RemoteDesktopClient: Equatable {
  private let process: pid_t
  /// Tells it from a later process with the same number. 0 if the system does not show it.
  private let startTime: UInt64

  private static let prefix = "freerdp-"

  init(process: pid_t) {
    self.process = process
    startTime = CallerProcesses.startTime(of: process) ?? 0
  }

  /// Reads the name of a session.
  init?(session: String) {
    guard session.hasPrefix(Self.prefix) else { return nil }
    let numbers = session.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = pid_t(numbers[0]), process > 0, let startTime = UInt64(numbers[1])
    else { return nil }
    (self.process, self.startTime) = (process, startTime)
  }

  /// The name of the session with its cookies.
  var session: String { "\(Self.prefix)\(process)-\(startTime)" }

  var isRunning: Bool {
    (kill(process, 0) == 0 || errno == EPERM) && CallerProcesses.startTime(of: process) ?? 0 == startTime
  }

  /// Waits until the process has ended.
  func waitForEnd() {
    let descriptor = linux_pidfd_open(process)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // The number may already be that of another process.
    guard isRunning else { return }
    var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&end, 1, -1) == -1, errno == EINTR {}
  }
}

/// The cookies of all pages of one connection. They are locked while a helper runs, and removed when FreeRDP has ended.
@GLibActor
final class ConnectionCookies {
  /// The name of their session.
  let session: String
  private let environment: Environment
  private var jar: CookieJar?
  /// True if a process will remove them.
  private var hasRemover = false

  init(_ environment: Environment) {
    self.environment = environment
    session = RemoteDesktopClient(process: getppid()).session
    // The process that removes them can be killed, too.
    CookieJar.removeForsaken(under: environment.connectionFolder) { name in
      RemoteDesktopClient(session: name.text).map { !$0.isRunning } ?? false
    }
  }

  /// Returns nil if there is no display for a window that could have cookies.
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

/// Removes the cookies of a connection at its end. No helper runs then, so this is a process of its own.
enum CookieRemover {
  /// The argument that selects this mode. The name of the session follows it.
  static let argument = "remove-cookies-of:"

  /// Returns true if the process runs.
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
    // It must not keep a file system in use.
    chdir("/")
    client.waitForEnd()
    // FreeRDP may have been killed, and its helper ends after it.
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
