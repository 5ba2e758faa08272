import LoginCore
import LoginWays
import PrivateFiles
import Wording

/// The private folder in which the cookies of one session are kept, locked for as long as this object lives: it
/// belongs to the user alone, and no link leads out of it.
///
/// It is state and not data in the sense of the XDG Base Directory Specification: losing it costs a sign-in, and
/// copying it to another machine would carry the sign-in along.
final class CookieJar: Sendable {
  private let folder: PrivateFolder
  /// The folder of all sessions, and the name of this one in it.
  private let sessions: PrivateFolder
  private let entry: String

  var path: String { folder.path }

  /// Opens the folder of a session, and makes it if it is not there. `state` is the user's folder for state.
  convenience init(_ name: CookieJarName, under state: String?) throws(Failure) {
    guard let found = try Self.find(name, under: state, making: true) else {
      throw .configuration(.session(.removedMeanwhile(name.text)))
    }
    self.init(found, name)
  }

  /// Opens the folder of a session if it is there.
  static func existing(_ name: CookieJarName, under state: String?) throws(Failure) -> CookieJar? {
    try find(name, under: state, making: false).map { CookieJar($0, name) }
  }

  /// The names under which cookies are kept, as far as they can be seen.
  static func names(under state: String?) -> [CookieJarName] {
    guard let state,
      let top = try? PrivateFolder("\(state)/tokentry", making: false, forbidding: 0o022),
      let names = try? top.folder("sessions", making: false).names()
    else { return [] }
    return names.compactMap(CookieJarName.init(folderName:)).sorted { $0.text < $1.text }
  }

  private init(_ found: Found, _ name: CookieJarName) {
    (folder, sessions) = found
    entry = name.folderName
  }

  /// Removes the folder with everything in it.
  func remove() throws(Failure) {
    try failing(sessions.removeFolder(entry)) { .configuration(.session(.stays($0))) }
  }
}

/// Finding it.
extension CookieJar {
  private typealias Found = (folder: PrivateFolder, sessions: PrivateFolder)

  /// Nothing if it is not there and is not to be made.
  private static func find(
    _ name: CookieJarName, under state: String?, making: Bool
  ) throws(Failure) -> Found? {
    guard let state else { throw .configuration(.session(.noHome)) }
    while let found = try open(name, under: state, making) {
      guard found.folder.lock() else {
        throw .run(.sessionInUse(name.text))
      }
      // Whoever had it before may have removed it, and the lock is on nothing then.
      if found.folder.isThere { return found }
    }
    return nil
  }

  private static func open(
    _ name: CookieJarName, under state: String, _ making: Bool
  ) throws(Failure) -> Found? {
    do throws(FileFault) {
      // Links on the way to the user's folder for state are the user's own business.
      let top = try PrivateFolder("\(state)/tokentry", making: making, forbidding: 0o022)
      let sessions = try top.folder("sessions", making: making)
      return (try sessions.folder(name.folderName, making: making), sessions)
    } catch {
      if error.isMissing, !making { return nil }
      throw .configuration(.session(.file(error)))
    }
  }
}
