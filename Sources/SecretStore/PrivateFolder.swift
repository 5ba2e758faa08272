import CGLib
import Glibc

/// An open folder that nobody but this user can look into, and the private files in it.
///
/// What is checked is what has been opened, so that nothing can be exchanged in between.
final class PrivateFolder {
  private let path: String
  private let descriptor: Int32

  /// Why a folder or a file is not used.
  struct Fault: Error {
    enum Reason: Equatable {
      /// The system refuses.
      case system(Int32)
      case notRegular
      case otherOwner
      /// Others can read or write it.
      case open(isFolder: Bool)
      case tooLarge
    }

    /// Which folder, or which file.
    let path: String
    let reason: Reason

    /// Whether there is no such folder or file.
    var isMissing: Bool { reason == .system(ENOENT) }
  }

  /// Opens the folder; makes it, and those above it, if that is allowed.
  init(_ path: String, making: Bool) throws(Fault) {
    self.path = path
    if making { try Self.make(path) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Fault(path: path, reason: .system(errno)) }
    // From here on the descriptor is closed by deinit.
    _ = try checkPrivate(descriptor)
  }

  deinit { close(descriptor) }

  private static func make(_ path: String) throws(Fault) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    guard code == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
    else { throw Fault(path: path, reason: .system(code)) }
    try make(String(path[..<slash]))
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Fault(path: path, reason: .system(errno)) }
  }

  /// The names in the folder.
  func names() throws(Fault) -> [String] {
    // The directory stream closes its descriptor, and shares the position of one that is only duplicated.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw fault(nil, .system(errno)) }
    guard let stream = fdopendir(own) else {
      let code = errno
      close(own)
      throw fault(nil, .system(code))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  /// All bytes of a file.
  func read(_ name: String, limit: Int) throws(Fault) -> [UInt8] {
    // Without O_NONBLOCK a named pipe would wait for a writer.
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw fault(name, .system(errno)) }
    defer { close(file) }
    let size = try checkRegular(file, name)
    guard size <= limit else { throw fault(name, .tooLarge) }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress.map { $0 + length }, buffer.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault(name, .system(errno)) }
      if count == 0 { break }
      length += count
    }
    return Array(bytes[..<length])
  }

  /// Puts a file with these bytes in the place of `name`: at every instant, also when the machine stops, the old
  /// bytes or the new ones are there. What is passing need not outlive the machine, and costs no wait for the disk.
  func replace(
    _ name: String, with bytes: [UInt8], through temporary: String, isPassing: Bool = false
  ) throws(Fault) {
    let file = try openAlone(temporary)
    defer { close(file) }
    guard ftruncate(file, 0) == 0 else { throw fault(name, .system(errno)) }
    try write(bytes, to: file, name)
    // The rename must not be on the disk before the bytes are.
    guard isPassing || fsync(file) == 0, renameat(descriptor, temporary, descriptor, name) == 0,
      isPassing || fsync(descriptor) == 0
    else { throw fault(name, .system(errno)) }
  }

  /// Removes a file for good.
  func remove(_ name: String) throws(Fault) {
    guard unlinkat(descriptor, name, 0) == 0, fsync(descriptor) == 0 else {
      throw fault(name, .system(errno))
    }
  }

  /// Opens, and makes, a file that is for locking alone.
  func openLock(_ name: String) throws(Fault) -> Int32 { try openForWriting(name) }
}

extension PrivateFolder {
  /// The temporary file of this name, which no other process is writing. One that a crash has left behind is used
  /// again, so that secrets do not pile up.
  private func openAlone(_ name: String) throws(Fault) -> Int32 {
    while true {
      let file = try openForWriting(name)
      guard flock(file, LOCK_EX) == 0 else {
        let code = errno
        close(file)
        if code == EINTR { continue }
        throw fault(name, .system(code))
      }
      // Whoever had it locked has probably renamed it by now.
      if isStill(file, name) { return file }
      close(file)
    }
  }

  private func isStill(_ file: Int32, _ name: String) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(file, &opened) == 0 && fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  private func openForWriting(_ name: String) throws(Fault) -> Int32 {
    let file = openat(descriptor, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw fault(name, .system(errno)) }
    do throws(Fault) {
      _ = try checkRegular(file, name)
      return file
    } catch {
      close(file)
      throw error
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32, _ name: String) throws(Fault) {
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(file, buffer.baseAddress.map { $0 + length }, buffer.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault(name, .system(errno)) }
      length += count
    }
  }

  private func checkRegular(_ file: Int32, _ name: String) throws(Fault) -> Int {
    let status = try checkPrivate(file, name)
    guard status.st_mode & S_IFMT == S_IFREG else { throw fault(name, .notRegular) }
    return status.st_size
  }

  private func checkPrivate(_ file: Int32, _ name: String? = nil) throws(Fault) -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw fault(name, .system(errno)) }
    guard status.st_uid == geteuid() else { throw fault(name, .otherOwner) }
    guard status.st_mode & 0o077 == 0 else {
      throw fault(name, .open(isFolder: status.st_mode & S_IFMT == S_IFDIR))
    }
    return status
  }

  private func fault(_ name: String?, _ reason: Fault.Reason) -> Fault {
    Fault(path: name.map { "\(path)/\($0)" } ?? path, reason: reason)
  }
}

extension PrivateFolder.Fault {
  /// What is wrong, for a person.
  var message: String {
    switch reason {
    case .system(ELOOP), .system(ENOTDIR): "\(path) is a symbolic link, or no folder"
    case .system(let code): "\(path): \(String(cString: strerror(code)))"
    case .notRegular: "\(path) is not a regular file"
    case .otherOwner: "\(path) belongs to another user"
    case .open: "\(path) can be read or written by other users"
    case .tooLarge: "\(path) is too large to be an account"
    }
  }

  /// What can be done about it.
  var hint: String? {
    guard case .open(let isFolder) = reason else { return nil }
    return "chmod \(isFolder ? "700" : "600") \(path)"
  }
}
