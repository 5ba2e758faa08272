import CGLib
import Glibc
import Synchronization

/// Makes a program of ours the one that the desktop opens a scheme's addresses with, for as long as this object has
/// not ended and some login waits for one; then the user's own choice is back.
///
/// What it has changed is written down before, so that a later login can undo it if this one does not live to do so;
/// whether one still waits is told by a lock, which the system takes away from the dead.
public final class SchemeRegistration: Sendable {
  private let scheme: String
  private let folders: Folders
  private let record: Mutex<Int32?>

  /// The user's folders of the XDG Base Directory Specification.
  public struct Folders: Sendable {
    let data: String
    let configuration: String
    let state: String

    /// The folders for data, for configuration and for state.
    public init(data: String, configuration: String, state: String) {
      (self.data, self.configuration, self.state) = (data, configuration, state)
    }

    fileprivate var records: String { "\(state)/tokentry/schemes" }
    fileprivate var entries: String { "\(data)/applications" }
  }

  /// What could not be written.
  public struct Fault: Error {
    /// The file or folder.
    public let path: String
  }

  /// Registers the program with these arguments; the address comes behind them.
  public init(
    _ scheme: String, opening words: [String], comment: String, in folders: Folders
  ) throws(Fault) {
    (self.scheme, self.folders) = (scheme, folders)
    for folder in [folders.records, folders.entries, folders.configuration] {
      guard g_mkdir_with_parents(folder, 0o700) == 0 else { throw Fault(path: folder) }
    }
    guard let lock = Self.lock(folders) else { throw Fault(path: folders.records) }
    defer { close(lock) }
    let path = "\(folders.records)/\(scheme)"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Fault(path: path) }
    record = Mutex(file)
    // Whoever is alone writes; what is written already is what a dead one found.
    if flock(file, LOCK_EX | LOCK_NB) == 0,
      let fault = Self.takeOver(
        file, scheme, DesktopEntry(opening: scheme, with: words, comment: comment), folders)
    {
      Self.giveBack(file, scheme, folders)
      close(file)
      throw fault
    }
    flock(file, LOCK_SH)  // at once, since none has it alone but who has the other lock
    Self.endAtExit(self)
  }

  /// Leaves, and gives the scheme back if this was the last.
  public func end() {
    guard let file = record.withLock({ $0.take() }) else { return }
    if let lock = Self.lock(folders) {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { Self.giveBack(file, scheme, folders) }
      close(lock)
    }
    close(file)
  }

  /// Gives back what logins have left that did not live to do so.
  public static func endAbandoned(in folders: Folders) {
    guard let directory = g_dir_open(folders.records, 0, nil) else { return }
    defer { g_dir_close(directory) }
    guard let lock = lock(folders) else { return }
    defer { close(lock) }
    while let name = g_dir_read_name(directory) {
      let scheme = String(cString: name)
      let file = open("\(folders.records)/\(scheme)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      if file < 0 { continue }
      if scheme != lockName, flock(file, LOCK_EX | LOCK_NB) == 0 { giveBack(file, scheme, folders) }
      close(file)
    }
  }
}

/// What is changed, and changed back; only ever by the one that has both locks.
extension SchemeRegistration {
  private static let lockName = ".lock"

  /// The lock that keeps others from changing anything.
  private static func lock(_ folders: Folders) -> Int32? {
    let lock = open("\(folders.records)/\(lockName)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if lock >= 0, flock(lock, LOCK_EX) == 0 { return lock }
    if lock >= 0 { close(lock) }
    return nil
  }

  private static func entry(_ scheme: String) -> String { "tokentry-\(scheme).desktop" }

  private static func takeOver(
    _ file: Int32, _ scheme: String, _ entryFile: DesktopEntry, _ folders: Folders
  ) -> Fault? {
    let applications = DefaultApplications(configuration: folders.configuration)
    let before = applications.handlers(of: scheme)
    if before != entry(scheme) || found(in: file) == nil {
      // The line feed tells what was written as a whole from what was not.
      let line = Array((before == entry(scheme) ? "\n" : (before ?? "") + "\n").utf8)
      guard ftruncate(file, 0) == 0, pwrite(file, line, line.count, 0) == line.count,
        fsync(file) == 0  // the list, which is changed next, must not be on the disk before
      else {
        return Fault(path: "\(folders.records)/\(scheme)")
      }
    }
    let path = "\(folders.entries)/\(entry(scheme))"
    guard g_file_set_contents(path, entryFile.text, -1, nil) != 0 else {
      return Fault(path: path)
    }
    guard applications.setHandlers(entry(scheme), of: scheme) else {
      return Fault(path: "\(folders.configuration)/mimeapps.list")
    }
    return nil
  }

  /// What the user has chosen in the meantime stays.
  private static func giveBack(_ file: Int32, _ scheme: String, _ folders: Folders) {
    let applications = DefaultApplications(configuration: folders.configuration)
    if let before = found(in: file), applications.handlers(of: scheme) == entry(scheme) {
      guard applications.setHandlers(before.isEmpty ? nil : before, of: scheme) else { return }
    }
    unlink("\(folders.entries)/\(entry(scheme))")
    unlink("\(folders.records)/\(scheme)")
  }

  /// What was there before; nothing if that was not written down.
  private static func found(in file: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(file, &bytes, bytes.count, 0)
    guard count > 0, bytes[count - 1] == UInt8(ascii: "\n") else { return nil }
    return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
  }
}

/// The end of the program, which nothing that is interrupted waits for.
extension SchemeRegistration {
  private static let registered = Mutex<[SchemeRegistration]>([])

  private static func endAtExit(_ registration: SchemeRegistration) {
    let isFirst = registered.withLock { all in
      all.append(registration)
      return all.count == 1
    }
    if isFirst { atexit { SchemeRegistration.registered.withLock { $0 }.forEach { $0.end() } } }
  }
}
