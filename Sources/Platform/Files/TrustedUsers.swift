import Glibc
import LoginCore

/// The users who may change the folders on the path to a private file: the user, root, and the owner of this program, who
/// could as well change the program.
///
/// Only the owner and the permissions count. If there is an access list, the permissions of the group are its limit.
package struct TrustedUsers: Sendable {
  /// The users whom this process trusts.
  static let own = TrustedUsers(inNamespace: isInNamespace)

  private let ids: [uid_t]

  init(_ ids: [uid_t]) { self.ids = ids }

  /// The number that a user namespace shows for every user that it does not know, such as root in a Flatpak.
  private static let unknown: uid_t = 65_534

  init(inNamespace: Bool) {
    var program = stat()
    let owner = stat("/proc/self/exe", &program) == 0 ? [program.st_uid] : []
    self.init([geteuid(), 0] + owner + (inNamespace ? [Self.unknown] : []))
  }

  /// True if a program of that user may answer this one: the user's own or root's.
  package static func mayAnswer(_ user: uid_t) -> Bool {
    [geteuid(), 0].contains(user) || user == unknown && isInNamespace
  }

  /// True in a user namespace. The first one of a machine has a row for all numbers.
  private static var isInNamespace: Bool {
    guard let row = KernelFile.text("/proc/self/uid_map")?.split(separator: "\n").first else { return false }
    return row.split(separator: " ") != ["0", "0", "4294967295"]
  }

  /// Refuses a file or folder that others own or can write to. A folder that others can write to is fine if it has the
  /// sticky bit, as /tmp does: they cannot replace the user's files there.
  func check(_ status: stat, _ path: String) throws(FileError) {
    try checkOwner(status, path)
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if isFolder, status.st_mode & S_ISVTX != 0 { return }
    if status.st_mode & 0o002 != 0 {
      throw isFolder && !OpenFile.isUsersOwn(status, path) ? .shared(path) : .writable(path)
    }
    if status.st_mode & 0o020 != 0, !isUsersOwn(group: status.st_gid) {
      throw .writable(path, group: status.st_gid)
    }
  }

  func checkOwner(_ status: stat, _ path: String) throws(FileError) {
    guard ids.contains(status.st_uid) else { throw .otherOwner(path, status.st_uid) }
  }

  /// True for root's group, and for the group that Debian and others give each user: it has the user's name.
  private func isUsersOwn(group: gid_t) -> Bool {
    group == 0 || SystemNames.group(group).isIdentical(to: SystemNames.user(geteuid()))
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
