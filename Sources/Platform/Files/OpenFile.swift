import Glibc
import LoginCore

/// An open file or folder. It is closed when this value goes out of scope.
///
/// All checks look at the descriptor, not at the path, so a file cannot be swapped between the check and its use.
package struct OpenFile: ~Copyable, Sendable {
  package let descriptor: Int32
  /// The path for messages.
  let path: String

  /// Opens a path for reading. Links are followed.
  package init(reading path: String, _ flags: Int32 = 0) throws(FileError) {
    try self.init(path, in: AT_FDCWD, O_RDONLY | flags, shownAs: path)
  }

  /// Opens a file in a folder, but not through a link.
  init(_ name: String, in parent: borrowing OpenFile, _ flags: Int32) throws(FileError) {
    try self.init(name, in: parent.descriptor, flags | O_NOFOLLOW, shownAs: "\(parent.path)/\(name)")
  }

  static let folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW

  /// Opens the file or folder at the end of a checked path. Fails if it is a link.
  init(
    _ name: TrustedPath.Name, in place: TrustedPath.Place, _ flags: Int32, shownAs path: String
  ) throws(FileError) {
    try self.init(name, in: place.descriptor, flags | O_NOFOLLOW, shownAs: path)
  }

  private init(
    _ name: UnsafePointer<CChar>, in parent: Int32, _ flags: Int32, shownAs path: String
  ) throws(FileError) {
    // Without O_NONBLOCK, opening a named pipe would wait for its other end.
    let opened = openat(parent, name, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw Self.error(named: name, in: parent, path) }
    (descriptor, self.path) = (opened, path)
  }

  deinit { close(descriptor) }

  /// Linux reports a link in a forbidden place as ELOOP or ENOTDIR, and both have other meanings as well.
  private static func error(
    named name: UnsafePointer<CChar>, in parent: Int32, _ path: String
  ) -> FileError {
    let code = errno
    var status = stat()
    let isLink =
      (code == ELOOP || code == ENOTDIR) && fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
    return isLink ? .symbolicLink(path) : FileError(path, systemCode: code)
  }

  /// The error of the system call that has just failed on this file, or on an entry of this folder.
  package func refusal(_ name: String? = nil) -> FileError {
    FileError(name.map { "\(path)/\($0)" } ?? path, systemCode: errno)
  }

  func status() throws(FileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal() }
    return status
  }

  /// Refuses a file of another user, and one that gives other users any of the `forbidden` permissions.
  package func checkOwn(forbidding forbidden: mode_t = 0o077) throws(FileError) {
    let status = try status()
    guard status.st_uid == geteuid() else { throw .otherOwner(path, status.st_uid) }
    if status.st_mode & forbidden == 0 { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    throw isFolder && !Self.isUsersOwn(status, path) ? .shared(path) : .open(path, isFolder: isFolder)
  }

  /// Refuses everything but a regular file. Returns its size.
  @discardableResult
  func checkRegular() throws(FileError) -> Int {
    let status = try status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path) }
    return status.st_size
  }

  /// True until the file has been deleted.
  var isThere: Bool { (try? status()).map { $0.st_nlink > 0 } ?? false }

  /// True if `name` in `parent` still refers to this file.
  func isStill(_ name: String, in parent: borrowing OpenFile) -> Bool {
    var named = stat()
    guard let opened = try? status(), fstatat(parent.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
    else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}

/// Contents.
extension OpenFile {
  package func contents(limit: Int) throws(FileError) -> [UInt8] {
    let size = try checkRegular()
    guard size <= limit else { throw .tooLarge(path) }
    var bytes = [UInt8](repeating: 0, count: size)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + length }, buffer.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw refusal() }
      if count == 0 { break }
      length += count
    }
    return Array(bytes[..<length])
  }

  package func names() throws(FileError) -> [String] {
    // closedir closes its descriptor, and a duplicate would share the read position with this one.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw refusal() }
    guard let stream = fdopendir(own) else {
      defer { close(own) }
      throw refusal()
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a folder in this one with all of its contents. Links in it are removed, not followed.
  func removeFolder(_ name: String) throws(FileError) {
    try OpenFile(name, in: self, Self.folder).removeEntries()
    guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw refusal(name) }
  }

  private func removeEntries() throws(FileError) {
    for entry in try names() {
      // This removes everything but folders; a link to a folder is not a folder.
      if unlinkat(descriptor, entry, 0) == 0 { continue }
      guard errno == EISDIR || errno == EPERM else { throw refusal(entry) }
      try removeFolder(entry)
    }
  }
}

/// Files that the caller names.
extension OpenFile {
  /// Opens a private file of the user for appending, and creates it if it is missing.
  package static func own(appendingTo path: String) throws(FileError) -> OpenFile {
    let file = try OpenFile(reading: path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW)
    try file.checkRegular()
    try file.checkOwn()
    return file
  }

  /// True if it is for the user to change the folder's permissions. For root that means folders in /home and the
  /// like; most of what root owns belongs to the system.
  static func isUsersOwn(_ status: stat, _ path: String) -> Bool {
    guard status.st_uid == geteuid() else { return false }
    guard status.st_uid == 0, let real = realpath(path, nil) else { return true }
    defer { free(real) }
    let parts = String(cString: real).split(separator: "/")
    return parts.count > 1 && ["home", "mnt", "root", "tmp"].contains(parts[0])
  }
}
