import Glibc
import LoginCore

/// The private folder in which the cookies of one session are kept, locked for as long as this object lives: it
/// belongs to the user alone, and no link leads out of it.
///
/// It is state and not data in the sense of the XDG Base Directory Specification: losing it costs a sign-in, and
/// copying it to another machine would carry the sign-in along.
final class SessionFolder: Sendable {
  /// The absolute path.
  let path: String
  private let descriptor: Int32
  /// The folder of all sessions, and the name of this one in it.
  private let sessions: Int32
  private let entry: String

  /// Opens the folder of a session, and makes it if it is not there. `state` is the user's folder for state.
  convenience init(_ name: SessionName, under state: String?) throws(Failure) {
    guard let found = try Self.find(name, under: state, making: true) else {
      throw Self.fault("\(name.text.forDisplay(limit: 60)) was removed at the same time")
    }
    self.init(found)
  }

  /// Opens the folder of a session if it is there.
  static func existing(_ name: SessionName, under state: String?) throws(Failure) -> SessionFolder? {
    try find(name, under: state, making: false).map(SessionFolder.init)
  }

  private init(_ found: Found) {
    (path, descriptor, sessions, entry) = (found.path, found.descriptor, found.sessions, found.entry)
  }

  deinit {
    close(descriptor)
    close(sessions)
  }

  /// Removes the folder with everything in it.
  func remove() throws(Failure) {
    guard FolderRemoval.remove(entry, in: sessions) else {
      throw Self.fault("\(path) cannot be removed: \(String(cString: strerror(errno)))")
    }
  }
}

/// Finding it.
extension SessionFolder {
  private struct Found {
    let path: String
    let descriptor: Int32
    let sessions: Int32
    let entry: String
  }

  /// Nothing if it is not there and is not to be made.
  private static func find(
    _ name: SessionName, under state: String?, making: Bool
  ) throws(Failure) -> Found? {
    guard let state else {
      throw fault("there is no place to keep it in", hint: "set HOME or XDG_STATE_HOME")
    }
    if making { makeParents(state + "/tokentry") }
    // Links on the way to the user's folder for state are the user's own business.
    guard let top = try open("tokentry", in: AT_FDCWD, under: state, making, forbidding: 0o022) else {
      return nil
    }
    defer { close(top) }
    guard let sessions = try open("sessions", in: top, under: state + "/tokentry", making) else { return nil }
    do throws(Failure) {
      let path = state + "/tokentry/sessions"
      guard let folder = try locked(name, in: sessions, under: path, making) else {
        close(sessions)
        return nil
      }
      let entry = name.folderName
      return Found(path: "\(path)/\(entry)", descriptor: folder, sessions: sessions, entry: entry)
    } catch {
      close(sessions)
      throw error
    }
  }

  /// Opens a session's folder and locks it.
  private static func locked(
    _ name: SessionName, in sessions: Int32, under path: String, _ making: Bool
  ) throws(Failure) -> Int32? {
    while let folder = try open(name.folderName, in: sessions, under: path, making) {
      guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
        close(folder)
        throw .user(
          .alreadyInProgress(
            "the session \"\(name.text.forDisplay(limit: 60))\" is in use by another login"))
      }
      var status = stat()
      // Whoever had it before may have removed it, and the lock is on nothing then.
      if fstat(folder, &status) == 0, status.st_nlink > 0 { return folder }
      close(folder)
    }
    return nil
  }

  /// Makes what is missing on the way to a folder, for the user alone. What cannot be made shows when it is opened.
  private static func makeParents(_ path: String) {
    for (index, byte) in path.utf8.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      mkdir(String(decoding: path.utf8.prefix(index), as: UTF8.self), 0o700)
    }
  }

  /// Opens a folder that belongs to the user and lets nobody else do what `forbidding` says.
  private static func open(
    _ name: String, in parent: Int32, under path: String, _ making: Bool, forbidding: mode_t = 0o077
  ) throws(Failure) -> Int32? {
    let shown = "\(path)/\(name)"
    let target = parent == AT_FDCWD ? shown : name
    if making { mkdirat(parent, target, 0o700) }
    let folder = openat(parent, target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if folder < 0 {
      if errno == ENOENT, !making { return nil }
      var status = stat()
      if fstatat(parent, target, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK {
        throw fault("\(shown) is a symbolic link")
      }
      throw fault("\(shown): \(String(cString: strerror(errno)))")
    }
    if let (reason, hint) = objection(to: folder, shown, forbidding) {
      close(folder)
      throw fault("\(shown) \(reason)", hint: hint)
    }
    return folder
  }

  private static func objection(
    to folder: Int32, _ path: String, _ forbidden: mode_t
  ) -> (reason: String, hint: String?)? {
    var status = stat()
    guard fstat(folder, &status) == 0 else { return ("cannot be looked at", nil) }
    if status.st_uid != geteuid() { return ("belongs to another user", nil) }
    if status.st_mode & forbidden != 0 { return ("is open to other users", "chmod 700 \(path)") }
    return nil
  }

  private static func fault(_ what: String, hint: String? = nil) -> Failure {
    .caller(.invalidConfiguration("\(Option.session.flag): \(what)", hint: hint))
  }
}
