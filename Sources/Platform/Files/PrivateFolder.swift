import GLibSupport
import Glibc
import LoginCore

/// An open folder that only this user can look into, and the private files in it.
package final class PrivateFolder: Sendable {
  private let folder: OpenFile

  package var path: String { folder.path }

  /// Opens the folder. With `making` it and its parents are created if they are missing. A folder that gives other
  /// users any of the `forbidden` permissions is refused, and so is one that they could replace.
  package init(_ path: String, making: Bool, forbidding forbidden: mode_t = 0o077) throws(FileError) {
    let (parent, name) = try TrustedPath.end(of: path, followingLast: false, making: making)
    folder = try OpenFile(name, in: parent, OpenFile.folder, shownAs: path)
    try folder.checkOwn(forbidding: forbidden)
  }

  private init(_ name: String, in parent: borrowing OpenFile) throws(FileError) {
    folder = try OpenFile(name, in: parent, OpenFile.folder)
    try folder.checkOwn()
  }

  package func names() throws(FileError) -> [String] { try folder.names() }

  package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = try OpenFile(name, in: folder, O_RDONLY)
    try file.checkOwn()
    return try file.contents(limit: limit)
  }

  /// Replaces `name` by a file with these bytes. At every instant, even if the machine stops, the file has the old
  /// bytes or the new ones.
  ///
  /// A file that `isPassing` need not outlive the machine, so this does not wait for the disk. One with a `mode` is not
  /// secret.
  package func replace(
    _ name: String, with bytes: [UInt8], through temporary: String, isPassing: Bool = false,
    mode: mode_t = 0o600
  ) throws(FileError) {
    let file = try openAlone(temporary)
    do throws(SystemError) {
      // This overwrites the space that was reserved, if any.
      try writeAll(bytes, to: file.descriptor)
      try checked(ftruncate(file.descriptor, bytes.count))
      // The rename must not reach the disk before the bytes do.
      if !isPassing { try checked(fsync(file.descriptor)) }
      if mode != 0o600 { try checked(fchmod(file.descriptor, mode)) }
      try checked(renameat(folder.descriptor, temporary, folder.descriptor, name))
    } catch {
      unlinkat(folder.descriptor, temporary, 0)
      throw FileError("\(path)/\(name)", systemCode: error.code)
    }
    guard isPassing || fsync(folder.descriptor) == 0 else { throw folder.refusal(name) }
  }

  /// Refuses to replace anything but a regular file of the user. Replacing a device would take it from all users.
  package func checkReplaceable(_ name: String) throws(FileError) {
    var status = stat()
    guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    let path = "\(path)/\(name)"
    switch status.st_mode & S_IFMT {
    case S_IFREG: if status.st_uid != geteuid() { throw .otherOwner(path, status.st_uid) }
    case S_IFLNK: throw .symbolicLink(path)
    default: throw .notRegular(path)
    }
  }

  /// Reserves disk space in a temporary file, for ``replace(_:with:through:isPassing:)`` to write to.
  package func reserve(_ size: Int, in temporary: String) throws(FileError) {
    let file = try openAlone(temporary)
    do throws(SystemError) {
      // Some file systems cannot reserve space. Writing a byte shows at least that they can be written to.
      try writeAll([0x0A], to: file.descriptor)
      var code = EINTR
      while code == EINTR { code = posix_fallocate(file.descriptor, 0, size) }
      if ![0, EOPNOTSUPP, ENOSYS, EINVAL].contains(code) { throw SystemError(code: code) }
    } catch {
      unlinkat(folder.descriptor, temporary, 0)
      throw FileError("\(path)/\(temporary)", systemCode: error.code)
    }
  }

  private func checked(_ result: Int32) throws(SystemError) { if result != 0 { throw SystemError() } }

  /// Removes a file, and waits until the disk knows.
  package func remove(_ name: String) throws(FileError) {
    guard unlinkat(folder.descriptor, name, 0) == 0, fsync(folder.descriptor) == 0 else {
      throw folder.refusal(name)
    }
  }

  package func removeIfThere(_ name: String) throws(FileError) {
    do throws(FileError) { try remove(name) } catch { if !error.isMissing { throw error } }
  }

  /// Removes a temporary file that was left by a crash or only reserved, unless another program is writing it.
  package func removeLeftover(_ temporary: String) {
    guard let file = try? OpenFile(temporary, in: folder, O_RDWR),
      flock(file.descriptor, LOCK_EX | LOCK_NB) == 0, file.isStill(temporary, in: folder)
    else { return }
    unlinkat(folder.descriptor, temporary, 0)
  }

  /// Opens a file that is used as a lock. It is created if it is missing.
  package func openLock(_ name: String) throws(FileError) -> OpenFile {
    let file = try OpenFile(name, in: folder, O_RDWR | O_CREAT)
    try file.checkOwn()
    try file.checkRegular()
    return file
  }

  /// Opens a temporary file that no other process is writing. A file that a crash has left is used again, so that
  /// secrets do not pile up.
  private func openAlone(_ name: String) throws(FileError) -> OpenFile {
    while true {
      let file = try openLock(name)
      guard flock(file.descriptor, LOCK_EX) == 0 else {
        if errno == EINTR { continue }
        throw folder.refusal(name)
      }
      // The program that held the lock has probably renamed the file by now.
      if file.isStill(name, in: folder) { return file }
    }
  }
}

/// Folders in the folder.
extension PrivateFolder {
  /// Opens a subfolder, after creating it if `making`. If it cannot be created, opening it fails.
  package func folder(_ name: String, making: Bool) throws(FileError) -> PrivateFolder {
    if making { mkdirat(folder.descriptor, name, 0o700) }
    return try PrivateFolder(name, in: folder)
  }

  /// Removes a subfolder with all of its contents. Links in it are removed, not followed.
  package func removeFolder(_ name: String) throws(FileError) { try folder.removeFolder(name) }

  /// Locks this folder for as long as it is open. Returns false if another program holds the lock.
  package func lock() -> Bool { flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// True until the folder has been removed.
  package var isThere: Bool { folder.isThere }
}
