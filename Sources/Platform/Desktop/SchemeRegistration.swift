import CGLib
import Glibc
import Synchronization

/// Makes our program the desktop's default for a scheme's addresses. When the last login that waits for one ends, the
/// user's own choice is restored.
///
/// The changes are recorded in a file first, so that a later login can undo them if this program crashes. Each waiting
/// login holds a lock on that file, which the system releases when a program dies.
package final class SchemeRegistration: Sendable {
  private let scheme: String
  private let folders: Folders
  private let record: Mutex<Int32?>

  /// The user's folders of the XDG Base Directory Specification.
  package struct Folders: Sendable {
    let data: String
    let configuration: String
    let state: String

    fileprivate var records: String { "\(state)/tokentry/schemes" }
    fileprivate var entries: String { "\(data)/applications" }
  }

  /// A file or folder that could not be written.
  package struct WriteError: Error {
    package let path: String
  }

  /// Registers a program with arguments. The desktop appends the address.
  package init(
    _ scheme: String, opening words: [String], comment: String, in folders: Folders
  ) throws(WriteError) {
    (self.scheme, self.folders) = (scheme, folders)
    for folder in [folders.records, folders.entries, folders.configuration] {
      guard g_mkdir_with_parents(folder, 0o700) == 0 else { throw WriteError(path: folder) }
    }
    guard let lock = Self.lock(folders) else { throw WriteError(path: folders.records) }
    defer { close(lock) }
    let path = "\(folders.records)/\(scheme)"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw WriteError(path: path) }
    record = Mutex(file)
    // Only the first login registers the program. If the file has contents, they are from a login that crashed, and still
    // tell the user's own choice.
    if flock(file, LOCK_EX | LOCK_NB) == 0,
      let error = Self.takeOver(
        file, scheme, DesktopEntry(opening: scheme, with: words, comment: comment), folders)
    {
      Self.giveBack(file, scheme, folders)
      close(file)
      throw error
    }
    flock(file, LOCK_SH)  // at once: only a holder of the other lock holds this one exclusively
    Self.endAtExit(self)
  }

  /// Ends this registration, and restores the user's choice if it was the last one.
  package func end() {
    guard let file = record.withLock({ $0.take() }) else { return }
    if let lock = Self.lock(folders) {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { Self.giveBack(file, scheme, folders) }
      close(lock)
    }
    close(file)
  }

  /// Undoes registrations that crashed logins have left.
  package static func endAbandoned(in folders: Folders) {
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

/// The changes. Only a holder of both locks makes them.
extension SchemeRegistration {
  private static let lockName = ".lock"

  /// Takes the lock that keeps other programs from making changes.
  private static func lock(_ folders: Folders) -> Int32? {
    let lock = open("\(folders.records)/\(lockName)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if lock >= 0, flock(lock, LOCK_EX) == 0 { return lock }
    if lock >= 0 { close(lock) }
    return nil
  }

  private static func entry(_ scheme: String) -> String { "tokentry-\(scheme).desktop" }

  private static func takeOver(
    _ file: Int32, _ scheme: String, _ entryFile: DesktopEntry, _ folders: Folders
  ) -> WriteError? {
    let applications = DefaultApplications(configuration: folders.configuration)
    let before = applications.handlers(of: scheme)
    if before != entry(scheme) || found(in: file) == nil {
      // The line feed shows that the line is complete.
      let line = Array((before == entry(scheme) ? "\n" : (before ?? "") + "\n").utf8)
      guard ftruncate(file, 0) == 0, pwrite(file, line, line.count, 0) == line.count,
        fsync(file) == 0  // the change of the list must not reach the disk before this
      else {
        return WriteError(path: "\(folders.records)/\(scheme)")
      }
    }
    let path = "\(folders.entries)/\(entry(scheme))"
    guard g_file_set_contents(path, entryFile.text, -1, nil) != 0 else {
      return WriteError(path: path)
    }
    guard applications.setHandlers(entry(scheme), of: scheme) else {
      return WriteError(path: "\(folders.configuration)/mimeapps.list")
    }
    return nil
  }

  /// Keeps a choice that the user has made in the meantime.
  private static func giveBack(_ file: Int32, _ scheme: String, _ folders: Folders) {
    let applications = DefaultApplications(configuration: folders.configuration)
    if let before = found(in: file), applications.handlers(of: scheme) == entry(scheme) {
      guard applications.setHandlers(before.isEmpty ? nil : before, of: scheme) else { return }
    }
    unlink("\(folders.entries)/\(entry(scheme))")
    unlink("\(folders.records)/\(scheme)")
  }

  /// Returns the handlers from before the change, or nil if they were not recorded completely.
  private static func found(in file: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(file, &bytes, bytes.count, 0)
    guard count > 0, bytes[count - 1] == UInt8(ascii: "\n") else { return nil }
    return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
  }
}

/// Ends all registrations when the program exits.
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

/// A desktop entry that opens the addresses of one scheme and appears in no menu (Desktop Entry Specification).
struct DesktopEntry {
  /// The contents of the file.
  let text: String

  /// An entry that runs a program with arguments. The desktop appends the address.
  init(opening scheme: String, with words: [String], comment: String) {
    text = """
      [Desktop Entry]
      Type=Application
      Name=Tokentry
      Comment=\(comment)
      Icon=\(ApplicationID.text)
      NoDisplay=true
      Terminal=false
      Exec=\(words.map(Self.quoted).joined(separator: " ")) %u
      MimeType=x-scheme-handler/\(scheme);

      """
  }

  /// Returns a word in quotes. The specification has one set of escapes for quoted words, and another on top for all
  /// values. Plain words stay as they are: xdg-open takes quotes for a part of the program's name.
  private static func quoted(_ word: String) -> String {
    if word.unicodeScalars.allSatisfy(isPlain) { return word }
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\\\\\"
      case "\"", "`", "$": text += "\\\\\(scalar)"
      case "%": text += "%%"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", ",", "-", "_", "+", ":", "@": true
    default: false
    }
  }
}
