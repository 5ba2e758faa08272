import LoginCore
import Platform
import WindowProtocol

/// The private folder with the cookies of one session. It is locked for as long as this object lives.
///
/// It is in the user's state folder and not among the data (XDG Base Directory Specification): losing it only costs a
/// sign-in, and copying it to another machine would copy the sign-in.
package final class CookieJar: Sendable {
  private let folder: PrivateFolder
  /// The folder of all sessions.
  private let sessions: PrivateFolder
  private let name: CookieJarName

  package var path: String { folder.path }

  private init(_ found: Found, _ name: CookieJarName) {
    (folder, sessions) = found
    self.name = name
  }

  /// Opens the folder of a session, and creates it if it is missing. `state` is the user's state folder.
  package convenience init(_ name: CookieJarName, under state: String?) throws(Failure) {
    guard let found = try Self.find(name, under: state, making: true) else {
      throw .session("\(name.text, upTo: 60) was removed at the same time")
    }
    self.init(found, name)
  }

  /// Opens the folder of a session, or returns nil if it does not exist.
  package static func existing(_ name: CookieJarName, under state: String?) throws(Failure) -> CookieJar? {
    try find(name, under: state, making: false).map { CookieJar($0, name) }
  }

  /// Returns the names of all sessions. Returns an empty list if they cannot be read.
  package static func names(under state: String?) -> [CookieJarName] {
    guard let state,
      let top = try? PrivateFolder("\(state)/tokentry", making: false, forbidding: 0o022),
      let names = try? top.folder("sessions", making: false).names()
    else { return [] }
    return names.compactMap(CookieJarName.init(folderName:)).sorted { $0.text < $1.text }
  }

  /// Removes the folders of the sessions that satisfy the condition, but not those that another program has locked.
  package static func removeForsaken(under state: String?, where isMeant: (CookieJarName) -> Bool) {
    for name in names(under: state) where isMeant(name) { try? existing(name, under: state)?.remove() }
  }

  /// Removes the folder with all of its contents.
  package func remove() throws(Failure) {
    try failing(sessions.removeFolder(name.folderName)) { (error: FileError) in
      .session("it cannot be removed: \(error.message)")
    }
  }
}

extension CookieJar {
  private typealias Found = (folder: PrivateFolder, sessions: PrivateFolder)

  /// Returns nil if the folder does not exist and is not to be created.
  private static func find(
    _ name: CookieJarName, under state: String?, making: Bool
  ) throws(Failure) -> Found? {
    guard let state else {
      throw .session("there is no folder for it", hint: "set HOME or XDG_STATE_HOME")
    }
    while let found = try open(name, under: state, making) {
      guard found.folder.lock() else {
        throw Failure(.alreadyInProgress, "the session \"\(name.text, upTo: 60)\" is in use by another login")
      }
      // The last holder of the lock may have removed the folder.
      if found.folder.isThere { return found }
    }
    return nil
  }

  private static func open(
    _ name: CookieJarName, under state: String, _ making: Bool
  ) throws(Failure) -> Found? {
    do throws(FileError) {
      // The path of the state folder may contain links, which are up to the user.
      let top = try PrivateFolder("\(state)/tokentry", making: making, forbidding: 0o022)
      let sessions = try top.folder("sessions", making: making)
      return (try sessions.folder(name.folderName, making: making), sessions)
    } catch {
      if error.isMissing, !making { return nil }
      throw .session(error.message, hint: error.hint)
    }
  }
}

extension Failure {
  /// The cookies of a session cannot be kept, or not be forgotten.
  fileprivate static func session(_ reason: Message, hint: Hint? = nil) -> Failure {
    Failure(.invalidConfiguration, "the kept cookies: \(reason)", hint: hint)
  }
}
