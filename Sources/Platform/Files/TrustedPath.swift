import CLinux
import Glibc
import LoginCore

/// The way from `/` to a file that holds secrets or decides where they go.
///
/// A user who can replace a folder on the way can replace the file. So at each step only ``TrustedUsers`` may own the
/// folder or be able to write to it, and symbolic links are followed one by one.
struct TrustedPath {
  /// A name in a folder, as bytes with a zero at the end: it need not be UTF-8.
  typealias Name = [CChar]

  /// A folder or a link on the way. It need not be readable.
  final class Place {
    let descriptor: Int32
    let path: String

    fileprivate init?(_ name: Name, in folder: Place?) {
      descriptor = openat(folder?.descriptor ?? AT_FDCWD, name, CLINUX_O_PATH | O_NOFOLLOW | O_CLOEXEC)
      path = folder?.path(of: name) ?? "/"
      if descriptor < 0 { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The path of an entry, for messages.
    func path(of name: Name) -> String {
      if name == TrustedPath.here { return path }
      return (path == "/" ? "/" : path + "/")
        + String(decoding: name.dropLast().map(UInt8.init), as: UTF8.self)
    }
  }

  /// The path that was asked for, for messages.
  private let path: String
  private let followsLast: Bool
  private let makesFolders: Bool
  /// From `/` to the folder that has been reached.
  private var folders: [Place]
  /// The names that are still ahead, the next one last.
  private var names: [Name] = []
  private var links = 0

  private static let here: Name = [0x2E, 0]
  private static let up: Name = [0x2E, 0x2E, 0]
  private static let maximumLinks = 40  // as in Linux

  /// Walks to a file. Returns the folder that it is in and its name, or a folder and the name `.`; the file may be
  /// missing. With `making`, missing folders are created, and so is the last one.
  static func end(
    of path: String, followingLast: Bool, making: Bool = false
  ) throws(FileError) -> (folder: Place, name: Name) {
    guard let root = Place([0x2F, 0], in: nil) else { throw FileError("/", systemCode: errno) }
    var walk = TrustedPath(
      path: path, followsLast: followingLast, makesFolders: making, folders: [root])
    try TrustedUsers.own.check(walk.status(of: root), root.path)
    walk.add(path.utf8.map { CChar(bitPattern: $0) })
    if !path.utf8.starts(with: "/".utf8) {
      guard let current = getcwd(nil, 0) else { throw FileError(path, systemCode: errno) }
      defer { free(current) }
      walk.add(Array(UnsafeBufferPointer(start: current, count: strlen(current))))
    }
    return try walk.end()
  }

  private mutating func add(_ path: [CChar]) {
    names += path.split(separator: 0x2F).map { $0 + [0] }.filter { $0 != Self.here }.reversed()
  }

  private mutating func end() throws(FileError) -> (folder: Place, name: Name) {
    while let name = names.popLast(), let folder = folders.last {
      if name == Self.up {
        if folders.count > 1 { folders.removeLast() }
        continue
      }
      if names.isEmpty, !followsLast {
        if makesFolders { try make(name, in: folder) }
        return (folder, name)
      }
      let place = try step(to: name, from: folder)
      let status = try status(of: place)
      let users = TrustedUsers.own
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        try users.check(status, place.path)
        folders.append(place)
      case S_IFLNK:
        try users.checkOwner(status, place.path)
        try follow(place)
      case _ where names.isEmpty: return (folder, name)
      default: throw FileError(path, systemCode: ENOTDIR)
      }
    }
    guard let folder = folders.last else { throw FileError(path, systemCode: ENOENT) }
    return (folder, Self.here)
  }

  private func step(to name: Name, from folder: Place) throws(FileError) -> Place {
    if let place = Place(name, in: folder) { return place }
    let code = errno
    if code == ENOENT, makesFolders {
      try make(name, in: folder)
      if let place = Place(name, in: folder) { return place }
    }
    throw FileError(path, systemCode: code)
  }

  private func make(_ name: Name, in folder: Place) throws(FileError) {
    var status = stat()
    if fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return }
    if mkdirat(folder.descriptor, name, 0o700) != 0 {
      if errno == EEXIST { return }
      throw FileError(folder.path(of: name), systemCode: errno)
    }
    // Files flushed into a folder that is not on the disk itself are lost with it. A folder that cannot be read cannot
    // be flushed either.
    let readable = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if readable >= 0 {
      fsync(readable)
      close(readable)
    }
  }

  private mutating func follow(_ link: Place) throws(FileError) {
    links += 1
    guard links <= Self.maximumLinks else { throw FileError(path, systemCode: ELOOP) }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(link.descriptor, "", &target, target.count)
    guard count > 0 else { throw FileError(link.path, systemCode: errno) }
    if target[0] == 0x2F { folders.removeSubrange(1...) }
    add(Array(target[..<count]))
  }

  private func status(of place: Place) throws(FileError) -> stat {
    var status = stat()
    guard fstat(place.descriptor, &status) == 0 else { throw FileError(place.path, systemCode: errno) }
    return status
  }
}

extension OpenFile {
  /// Opens a file for reading that only trusted users can change or replace, and only the user can read unless
  /// `othersMayRead`. Links are followed. A named pipe is fine; opening it does not wait for the other end.
  package static func own(at path: String, othersMayRead: Bool = false) throws(FileError) -> OpenFile {
    let (folder, name) = try TrustedPath.end(of: path, followingLast: true)
    let file = try OpenFile(name, in: folder, O_RDONLY, shownAs: folder.path(of: name))
    let status = try file.status()
    guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else { throw .notRegular(file.path) }
    let users = TrustedUsers.own
    try users.checkOwner(status, file.path)
    if !othersMayRead, status.st_mode & 0o077 != 0 { throw .open(file.path, isFolder: false) }
    try users.check(status, file.path)
    return file
  }

  /// Returns the path of the file that a path leads to. The file may be missing, unless a link leads there.
  package static func target(of path: String) throws(FileError) -> String {
    var status = stat()
    let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    do throws(FileError) {
      let (folder, name) = try TrustedPath.end(of: path, followingLast: isLink)
      return folder.path(of: name)
    } catch {
      throw isLink && [ENOENT, ELOOP].contains(error.systemCode) ? .leadsNowhere(path) : error
    }
  }

  /// Returns the reason why an existing folder, or the path to it, cannot be trusted.
  package static func fault(ofFolder path: String) -> FileError? {
    do throws(FileError) {
      _ = try TrustedPath.end(of: path, followingLast: true)
      return nil
    } catch {
      return error
    }
  }
}
