import Glibc
import LoginCore

/// A file or a folder that is open for as long as this value lives, and the path by which people know it.
///
/// What is checked is what has been opened, so that nothing can be exchanged in between.
package struct OpenFile: ~Copyable, Sendable {
  package let descriptor: Int32
  let path: String

  /// Opens for reading what has this path, wherever links lead.
  package init(reading path: String, _ flags: Int32 = 0) throws(FileFault) {
    try self.init(path, in: AT_FDCWD, O_RDONLY | flags, shownAs: path)
  }

  /// Opens a folder, and follows no link in its place.
  init(folder path: String) throws(FileFault) {
    try self.init(path, in: AT_FDCWD, Self.folder, shownAs: path)
  }

  /// Opens what has this name in a folder, and follows no link in its place.
  init(_ name: String, in parent: borrowing OpenFile, _ flags: Int32) throws(FileFault) {
    try self.init(name, in: parent.descriptor, flags | O_NOFOLLOW, shownAs: "\(parent.path)/\(name)")
  }

  static let folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW

  private init(_ name: String, in parent: Int32, _ flags: Int32, shownAs path: String) throws(FileFault) {
    // Without O_NONBLOCK a named pipe would wait for its other end.
    let opened = openat(parent, name, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw Self.fault(named: name, in: parent, path) }
    (descriptor, self.path) = (opened, path)
  }

  deinit { close(descriptor) }

  /// The system calls a link where no link may be by several names, of which some say something else as well.
  private static func fault(named name: String, in parent: Int32, _ path: String) -> FileFault {
    let code = errno
    var status = stat()
    let isLink =
      (code == ELOOP || code == ENOTDIR) && fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
    return FileFault(path: path, reason: isLink ? .symbolicLink : .system(code))
  }

  /// Why the system refuses what was just asked of it, or of what has this name in it.
  package func refusal(_ name: String? = nil) -> FileFault {
    FileFault(path: name.map { "\(path)/\($0)" } ?? path, reason: .system(errno))
  }

  func status() throws(FileFault) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal() }
    return status
  }

  /// Refuses what is another user's, and what others may do something with that is `forbidden`.
  func checkOwn(forbidding forbidden: mode_t = 0o077) throws(FileFault) {
    let status = try status()
    guard status.st_uid == geteuid() else { throw FileFault(path: path, reason: .otherOwner) }
    if status.st_mode & forbidden == 0 { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let isShared = isFolder && !Self.isUsersOwn(status, path)
    throw FileFault(path: path, reason: isShared ? .shared : .open(isFolder: isFolder))
  }

  /// Refuses what is no regular file; else its size.
  @discardableResult
  func checkRegular() throws(FileFault) -> Int {
    let status = try status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFault(path: path, reason: .notRegular) }
    return status.st_size
  }

  /// Whether it still has a name.
  var isThere: Bool { (try? status()).map { $0.st_nlink > 0 } ?? false }

  /// Whether it is what has this name in `parent`.
  func isStill(_ name: String, in parent: borrowing OpenFile) -> Bool {
    var named = stat()
    guard let opened = try? status(), fstatat(parent.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
    else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}

/// What is in it.
extension OpenFile {
  package func contents(limit: Int) throws(FileFault) -> [UInt8] {
    let size = try checkRegular()
    guard size <= limit else { throw FileFault(path: path, reason: .tooLarge) }
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

  package func names() throws(FileFault) -> [String] {
    // The directory stream closes its descriptor, and shares the position of one that is only duplicated.
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

  /// Removes a folder in this one with everything in it, and nothing that a link in it leads to.
  func removeFolder(_ name: String) throws(FileFault) {
    try OpenFile(name, in: self, Self.folder).removeEntries()
    guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw refusal(name) }
  }

  private func removeEntries() throws(FileFault) {
    for entry in try names() {
      // What is not a folder is unlinked, and a link is not a folder.
      if unlinkat(descriptor, entry, 0) == 0 { continue }
      guard errno == EISDIR || errno == EPERM else { throw refusal(entry) }
      try removeFolder(entry)
    }
  }
}
