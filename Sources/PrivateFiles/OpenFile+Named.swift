import Glibc
import LoginCore

/// Files that the caller names.
extension OpenFile {
  /// Opens for reading what nobody but the user and root can read, change or replace: a file, or a named pipe, whose
  /// other end is not waited for. A link counts as what it leads to, and has to be the user's as well.
  package static func own(at path: String) throws(FileFault) -> OpenFile {
    let path = try withoutLinks(path)
    let file = try OpenFile(reading: path, O_NOFOLLOW)
    let status = try file.status()
    guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else {
      throw FileFault(path: path, reason: .notRegular)
    }
    try checkOwner(status, path)
    if status.st_mode & 0o077 != 0 { throw FileFault(path: path, reason: .open(isFolder: false)) }
    return file
  }

  /// Opens for writing behind its end a file that is, or becomes, the user's alone.
  package static func own(appendingTo path: String) throws(FileFault) -> OpenFile {
    let file = try OpenFile(reading: path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW)
    try file.checkRegular()
    try file.checkOwn()
    return file
  }

  /// Follows links for as long as nobody else could have made them.
  private static func withoutLinks(_ path: String) throws(FileFault) -> String {
    var path = path
    for _ in 0..<40 {  // so many does Linux follow
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { String(path[...$0]) } ?? "./"
      var status = stat()
      if stat(folder, &status) == 0 { try checkFolder(status, folder) }
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      try checkOwner(status, path)
      var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &target, target.count)
      guard count > 0 else { throw FileFault(path: path, reason: .system(errno)) }
      let text = String(decoding: target[..<count], as: UTF8.self)
      path = text.hasPrefix("/") ? text : folder + text
    }
    throw FileFault(path: path, reason: .system(ELOOP))
  }

  /// In a folder such as /tmp nobody can replace what is another's.
  private static func checkFolder(_ status: stat, _ path: String) throws(FileFault) {
    let name = path.utf8.count > 1 ? String(path.dropLast()) : path
    try checkOwner(status, name)
    if status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 { return }
    throw FileFault(path: name, reason: isUsersOwn(status, path) ? .writable : .shared)
  }

  private static func checkOwner(_ status: stat, _ path: String) throws(FileFault) {
    guard [geteuid(), 0].contains(status.st_uid) else { throw FileFault(path: path, reason: .otherOwner) }
  }

  /// Whether it is the user's own to change; much that is root's belongs to the system.
  package static func isUsersOwn(_ status: stat, _ path: String) -> Bool {
    guard status.st_uid == geteuid() else { return false }
    guard status.st_uid == 0, let real = realpath(path, nil) else { return true }
    defer { free(real) }
    let parts = String(cString: real).split(separator: "/")
    return parts.count > 1 && ["home", "mnt", "root", "tmp"].contains(parts[0])
  }
}
