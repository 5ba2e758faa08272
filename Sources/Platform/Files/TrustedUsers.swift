import CLinux
import Glibc
import LoginCore
import Synchronization

/// The users who may change the folders on the path to a private file: the user, root, and the owner of this program, who
/// could as well change the program.
struct TrustedUsers: Sendable {
  /// The users whom this process trusts.
  static let own = TrustedUsers()

  private let ids: [uid_t]
  /// The number that a user namespace shows for every user that it does not know, such as root in a Flatpak. nil
  /// outside of one, where this number is a user like others.
  private let unknown: uid_t?
  private let isReadOnly: @Sendable (_ descriptor: Int32) -> Bool
  private static let groups = Mutex<[gid_t: Bool]>([:])

  private init() {
    var program = stat()
    let unknown: uid_t? = Self.isInNamespace ? 65_534 : nil
    let isKnown = stat("/proc/self/exe", &program) == 0 && program.st_uid != unknown
    self.init([geteuid(), 0] + (isKnown ? [program.st_uid] : []), unknown: unknown)
  }

  init(
    _ ids: [uid_t], unknown: uid_t?,
    isReadOnly: @escaping @Sendable (_ descriptor: Int32) -> Bool = Self.isOnReadOnlySystem
  ) {
    (self.ids, self.unknown, self.isReadOnly) = (ids, unknown, isReadOnly)
  }

  /// True in a user namespace. The first one of a machine has a row for all numbers.
  private static var isInNamespace: Bool {
    guard let table = fopen("/proc/self/uid_map", "re") else { return false }
    defer { fclose(table) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), table) != nil else { return false }
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self).split(
      whereSeparator: { " \n".contains($0) })
    return words != ["0", "0", "4294967295"]
  }

  /// Refuses a file or folder that others own or can write to. A folder that others can write to is fine if it has the
  /// sticky bit, as /tmp does: they cannot replace the user's files there.
  func check(_ status: stat, of descriptor: Int32, _ path: String) throws(FileError) {
    try checkOwner(status, of: descriptor, path)
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if isFolder, status.st_mode & S_ISVTX != 0 { return }
    if status.st_mode & 0o022 == 0 { return }
    if isFolder, status.st_mode & 0o002 != 0, !OpenFile.isUsersOwn(status, path) { throw .shared(path) }
    if status.st_mode & 0o002 != 0 { throw .writable(path) }
    // If there is an access list, the bits for the group are its mask.
    guard let list = try AccessList(of: descriptor, path) else {
      if isShared(status.st_gid) { throw .writable(path, group: status.st_gid) }
      return
    }
    for entry in list.writers(group: status.st_gid) {
      switch entry {
      case .user(let user): if !ids.contains(user) { throw .writable(path, listed: user) }
      case .group(let group): if isShared(group) { throw .writable(path, group: group) }
      }
    }
  }

  /// An owner whom the user namespace does not know is probably root, and is trusted on a read-only file system, which the
  /// sandbox's maker has chosen, and where only root has folders. Elsewhere it may be any other user.
  func checkOwner(_ status: stat, of descriptor: Int32, _ path: String) throws(FileError) {
    if ids.contains(status.st_uid) { return }
    if status.st_uid == unknown, Self.isSystems(path) || isReadOnly(descriptor) { return }
    throw .otherOwner(path, status.st_uid)
  }

  /// True for `/` and the folders in it, for everything below the system's folders, and for two that have users' folders.
  private static func isSystems(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return parts.count <= 1 || ["app", "etc", "gnu", "nix", "opt", "usr"].contains(parts[0])
      || ["/run/user", "/var/home"].contains(path)
  }

  private static func isOnReadOnlySystem(_ descriptor: Int32) -> Bool {
    var system = statvfs()
    return fstatvfs(descriptor, &system) == 0 && Int(system.f_flag) & ST_RDONLY != 0
  }

  /// True if the group may have a member who is not trusted. Debian and others give each user a group of their own.
  private func isShared(_ group: gid_t) -> Bool {
    // These functions of the C library use memory of their own, so one thread at a time may call them.
    Self.groups.withLock { known in
      if let answer = known[group] { return answer }
      let answer = hasStranger(group)
      known[group] = answer
      return answer
    }
  }

  private func hasStranger(_ group: gid_t) -> Bool {
    guard let entry = getgrgid(group) else { return true }
    var members: [String] = []
    var member = entry.pointee.gr_mem
    while let name = member?.pointee {
      members.append(String(cString: name))
      member = member?.successor()
    }
    let trusted = ids.map { SystemNames.user($0) }
    if members.contains(where: { !trusted.contains($0) }) { return true }
    setpwent()
    defer { endpwent() }
    while let user = getpwent() {
      if user.pointee.pw_gid == group, !ids.contains(user.pointee.pw_uid) { return true }
    }
    return false
  }
}

/// The access list of a file (acl(5)), as Linux stores it.
private struct AccessList {
  enum Writer { case user(uid_t), group(gid_t) }

  private let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)]

  /// Returns nil if the file has no access list, or its file system does not support them.
  init?(of descriptor: Int32, _ path: String) throws(FileError) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // Extended attributes cannot be read from a descriptor with O_PATH.
    let count = getxattr("/proc/self/fd/\(descriptor)", "system.posix_acl_access", &bytes, bytes.count)
    guard count >= 4 else {
      if [ENODATA, EOPNOTSUPP].contains(errno) { return nil }
      throw FileError(path, systemCode: errno)
    }
    func number(_ start: Int, _ length: Int) -> UInt32 {
      bytes[start..<start + length].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    entries = stride(from: 4, to: count - 7, by: 8).map {
      (UInt16(number($0, 2)), UInt16(number($0 + 2, 2)), number($0 + 4, 4))
    }
  }

  /// The users and groups, other than the owner, who can write. `group` is that of the file.
  func writers(group: gid_t) -> [Writer] {
    entries.compactMap { entry in
      guard entry.permissions & 2 != 0 else { return nil }
      return switch entry.tag {
      case 0x02: .user(entry.id)
      case 0x04: .group(group)
      case 0x08: .group(entry.id)
      default: nil
      }
    }
  }
}

/// Names of users and groups, for messages.
enum SystemNames {
  /// Returns the name, or the number of a user without one.
  static func user(_ id: uid_t) -> String {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "\(id)" }
    return String(cString: entry.pw_name)
  }

  static func group(_ id: gid_t) -> String {
    var (entry, found) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
    var buffer = [CChar](repeating: 0, count: 65_536)
    guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "\(id)" }
    return String(cString: entry.gr_name)
  }
}
