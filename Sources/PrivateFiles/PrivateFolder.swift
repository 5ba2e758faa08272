import Glibc
import LoginCore

/// An open folder that nobody but this user can look into, and the private files in it.
package final class PrivateFolder: Sendable {
  private let folder: OpenFile

  package var path: String { folder.path }

  /// Opens the folder; makes it, and those above it, if that is allowed. Others may do with it what is not
  /// `forbidden`.
  package init(_ path: String, making: Bool, forbidding forbidden: mode_t = 0o077) throws(FileFault) {
    if making { try Self.make(path) }
    folder = try OpenFile(folder: path)
    try folder.checkOwn(forbidding: forbidden)
  }

  private init(_ name: String, in parent: borrowing OpenFile) throws(FileFault) {
    folder = try OpenFile(name, in: parent, OpenFile.folder)
    try folder.checkOwn()
  }

  private static func make(_ path: String) throws(FileFault) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var isMade = mkdir(path, 0o700) == 0
    if !isMade, errno == ENOENT, parent != "/", parent != "." {
      try make(parent)
      isMade = mkdir(path, 0o700) == 0
    }
    // What is flushed into a folder of which the disk does not know is lost with it.
    if isMade { return flush(parent) }
    if errno != EEXIST { throw FileFault(path: path, reason: .system(errno)) }
  }

  /// A folder that cannot be read cannot be flushed either.
  private static func flush(_ path: String) {
    if let folder = try? OpenFile(reading: path, O_DIRECTORY) { fsync(folder.descriptor) }
  }

  package func names() throws(FileFault) -> [String] { try folder.names() }

  package func read(_ name: String, limit: Int) throws(FileFault) -> [UInt8] {
    let file = try OpenFile(name, in: folder, O_RDONLY)
    try file.checkOwn()
    return try file.contents(limit: limit)
  }

  /// Puts a file with these bytes in the place of `name`: at every instant, also when the machine stops, the old
  /// bytes or the new ones are there. What is passing need not outlive the machine, and costs no wait for the disk.
  package func replace(
    _ name: String, with bytes: [UInt8], through temporary: String, isPassing: Bool = false
  ) throws(FileFault) {
    let file = try openAlone(temporary)
    do throws(SystemFault) {
      // Written over what is there, which may have been reserved for it.
      try writeAll(bytes, to: file.descriptor)
      try checked(ftruncate(file.descriptor, bytes.count))
      // The rename must not be on the disk before the bytes are.
      if !isPassing { try checked(fsync(file.descriptor)) }
      try checked(renameat(folder.descriptor, temporary, folder.descriptor, name))
    } catch {
      unlinkat(folder.descriptor, temporary, 0)
      throw FileFault(path: "\(path)/\(name)", reason: .system(error.code))
    }
    guard isPassing || fsync(folder.descriptor) == 0 else { throw folder.refusal(name) }
  }

  /// Refuses to put a file in the place of what is none: a device would be gone for everybody.
  package func checkReplaceable(_ name: String) throws(FileFault) {
    var status = stat()
    if fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT != S_IFREG
    {
      throw FileFault(path: "\(path)/\(name)", reason: .notRegular)
    }
  }

  /// Takes up room on the disk for so many bytes, which ``replace(_:with:through:isPassing:)`` writes there.
  package func reserve(_ size: Int, in temporary: String) throws(FileFault) {
    let file = try openAlone(temporary)
    do throws(SystemFault) {
      // Some file systems reserve nothing; of these it is known at least that they write.
      try writeAll([0x0A], to: file.descriptor)
      var code = EINTR
      while code == EINTR { code = posix_fallocate(file.descriptor, 0, size) }
      if ![0, EOPNOTSUPP, ENOSYS, EINVAL].contains(code) { throw SystemFault(code: code) }
    } catch {
      unlinkat(folder.descriptor, temporary, 0)
      throw FileFault(path: "\(path)/\(temporary)", reason: .system(error.code))
    }
  }

  private func checked(_ result: Int32) throws(SystemFault) { if result != 0 { throw SystemFault() } }

  /// Removes a file for good.
  package func remove(_ name: String) throws(FileFault) {
    guard unlinkat(folder.descriptor, name, 0) == 0, fsync(folder.descriptor) == 0 else {
      throw folder.refusal(name)
    }
  }

  /// The same where a file that is not there is gone already.
  package func removeIfThere(_ name: String) throws(FileFault) {
    do throws(FileFault) { try remove(name) } catch { if !error.isMissing { throw error } }
  }

  /// Removes a temporary file that a crash has left behind, or that was only reserved; another program that is writing
  /// it keeps it.
  package func removeLeftover(_ temporary: String) {
    guard let file = try? OpenFile(temporary, in: folder, O_RDWR),
      flock(file.descriptor, LOCK_EX | LOCK_NB) == 0, file.isStill(temporary, in: folder)
    else { return }
    unlinkat(folder.descriptor, temporary, 0)
  }

  /// Opens, and makes, a file that is for locking alone.
  package func openLock(_ name: String) throws(FileFault) -> OpenFile {
    let file = try OpenFile(name, in: folder, O_RDWR | O_CREAT)
    try file.checkOwn()
    try file.checkRegular()
    return file
  }

  /// The temporary file of this name, which no other process is writing. One that a crash has left behind is used
  /// again, so that secrets do not pile up.
  private func openAlone(_ name: String) throws(FileFault) -> OpenFile {
    while true {
      let file = try openLock(name)
      guard flock(file.descriptor, LOCK_EX) == 0 else {
        if errno == EINTR { continue }
        throw folder.refusal(name)
      }
      // Whoever had it locked has probably renamed it by now.
      if file.isStill(name, in: folder) { return file }
    }
  }
}

/// Folders in a folder.
extension PrivateFolder {
  /// Opens one; makes it if that is allowed. What cannot be made shows when it is opened.
  package func folder(_ name: String, making: Bool) throws(FileFault) -> PrivateFolder {
    if making { mkdirat(folder.descriptor, name, 0o700) }
    return try PrivateFolder(name, in: folder)
  }

  /// Removes one with everything in it, and nothing that a link in it leads to.
  package func removeFolder(_ name: String) throws(FileFault) { try folder.removeFolder(name) }

  /// Locks this folder itself for as long as it is open; false if somebody else has done so.
  package func lock() -> Bool { flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Whether nobody has removed it since it was opened.
  package var isThere: Bool { folder.isThere }
}

extension FileFault {
  /// Whether there is no such folder or file.
  package var isMissing: Bool { reason == .system(ENOENT) }
}
