import CLinux
import Foundation
import LoginCore
import Testing

@testable import Platform

@Suite("The path to a file with secrets")
struct TrustedPathTests {
  private let place: TemporaryFolder
  private var folder: String { place.path + "/a/b/c" }

  init() throws {
    place = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: place.path + "/a/b/c", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
    )
    try write("a/b/c/file")
  }

  private func write(_ name: String, mode: mode_t = 0o600) throws {
    let path = "\(place.path)/\(name)"
    try "text".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, mode)
  }

  /// The error for a secret file, a public file, an existing folder and a new one, which must be the same.
  private func fault(_ base: String = "a/b/c") -> FileError? {
    let path = "\(place.path)/\(base)"
    func caught(_ body: () throws(FileError) -> Void) -> FileError? {
      do throws(FileError) {
        try body()
        return nil
      } catch {
        return error
      }
    }
    let faults = [
      caught { () throws(FileError) in _ = try OpenFile.own(at: path + "/file") },
      caught { () throws(FileError) in _ = try OpenFile.own(at: path + "/file", othersMayRead: true) },
      caught { () throws(FileError) in _ = try PrivateFolder(path + "/.", making: false) },
      caught { () throws(FileError) in _ = try PrivateFolder(path + "/new/deep", making: true) },
      OpenFile.fault(ofFolder: path),
    ]
    #expect(faults.allSatisfy { $0 == faults[0] }, "\(faults)")
    #expect(!FileManager.default.fileExists(atPath: path + "/new") || faults[0] == nil)
    try? FileManager.default.removeItem(atPath: path + "/new")
    return faults[0]
  }

  @Test("A folder far above that others can write to is refused, with the command that mends it")
  func writable() {
    #expect(fault() == nil)
    for mode in [0o707, 0o777, 0o703] as [mode_t] {
      chmod(place.path + "/a", mode)
      #expect(fault() == .writable(place.path + "/a"))
      #expect(fault()?.hint?.text?.description == "chmod go-w \(place.path)/a")
    }
    for mode in [0o1777, 0o755, 0o711] as [mode_t] {
      chmod(place.path + "/a", mode)
      #expect(fault() == nil)
    }
  }

  @Test("The path behind a link is checked, too, and so is the folder of the link")
  func links() {
    mkdir(place.path + "/open", 0o700)
    chmod(place.path + "/open", 0o777)
    symlink("../a/b", place.path + "/open/link")
    #expect(fault("open/link/c") == .writable(place.path + "/open"))
    symlink("open", place.path + "/way")
    symlink(place.path + "/a/b", place.path + "/straight")
    #expect(fault("way/link/c") == .writable(place.path + "/open"))
    #expect(fault("straight/c") == nil)
    #expect(fault("straight/../b/c") == nil, ".. is the folder above the link's target")
    chmod(place.path + "/a", 0o777)
    #expect(fault("straight/c") == .writable(place.path + "/a"))
  }

  @Test("A folder or a link of another user is refused anywhere on the way", .enabled(if: geteuid() == 0))
  func owners() throws {
    chown(place.path + "/a", 12_345, 0)
    #expect(fault() == .otherOwner(place.path + "/a", 12_345))
    #expect(fault()?.hint?.text?.description.hasSuffix("chown root \(place.path)/a") == true)
    chown(place.path + "/a", 0, 0)
    symlink("a/b", place.path + "/link")
    lchown(place.path + "/link", 12_345, 0)
    #expect(fault("link/c") == .otherOwner(place.path + "/link", 12_345))
  }

  @Test(
    "A group may write if it has no other members, as the group of a user's own has",
    .enabled(if: geteuid() == 0))
  func groups() throws {
    // The user daemon is in the group 1 on all systems.
    for (group, isFine) in [(0, true), (1, false), (54_321, false)] as [(gid_t, Bool)] {
      chown(place.path + "/a", 0, group)
      chmod(place.path + "/a", 0o775)
      #expect(fault() == (isFine ? nil : .writable(place.path + "/a", group: group)))
    }
  }

  @Test("An access list gives others no more than the permissions may", .enabled(if: geteuid() == 0))
  func accessLists() throws {
    func give(_ user: uid_t, mask: UInt8) -> Bool {
      func entry(_ tag: UInt8, _ permissions: UInt8, _ id: uid_t = .max) -> [UInt8] {
        [tag, 0, permissions, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> ($0 * 8)) }
      }
      let list =
        [2, 0, 0, 0] + entry(1, 7) + entry(2, 7, user) + entry(4, 5) + entry(0x10, mask) + entry(0x20, 0)
      return setxattr(place.path + "/a", "system.posix_acl_access", list, list.count, 0) == 0
    }
    guard give(12_345, mask: 7) else {
      #expect(errno == EOPNOTSUPP)
      return
    }
    #expect(fault() == .writable(place.path + "/a", listed: 12_345))
    #expect(give(12_345, mask: 5))
    #expect(fault() == nil, "the mask takes the permission away")
    #expect(give(0, mask: 7))
    #expect(fault() == nil)
  }

  @Test("A public file must not be writable for others")
  func publicFile() throws {
    for (mode, isFine) in [(0o644, true), (0o444, true), (0o666, false), (0o602, false)] as [(mode_t, Bool)] {
      try write("public", mode: mode)
      let path = place.path + "/public"
      var isOpen = true
      do { _ = try OpenFile.own(at: path, othersMayRead: true) } catch { isOpen = false }
      #expect(isOpen == isFine, "\(mode)")
    }
  }

  @Test(
    "In a user namespace, an owner that it does not know is fine on a read-only file system and in the system's folders",
    arguments: [
      (nil, true, "/usr", false), (65_534, true, "/home/me/x", true), (65_534, false, "/home/me/x", false),
      (65_534, false, "/", true), (65_534, false, "/home", true), (65_534, false, "/home/other", false),
      (65_534, false, "/usr/share/tokentry/providers/vk.json", true), (65_534, false, "/run/user", true),
      (65_534, false, "/run/user/1000", false), (65_534, false, "/tmp/x", false),
    ] as [(uid_t?, Bool, String, Bool)])
  func namespaces(unknown: uid_t?, isReadOnly: Bool, path: String, isFine: Bool) {
    var status = stat()
    (status.st_mode, status.st_uid) = (S_IFDIR | 0o755, 65_534)
    let users = TrustedUsers([1_000, 0], unknown: unknown) { _ in isReadOnly }
    var fault: FileError?
    do throws(FileError) { try users.check(status, of: -1, path) } catch { fault = error }
    #expect(fault == (isFine ? nil : .otherOwner(path, 65_534)))
  }

  @Test("The owner of the program is trusted as root is")
  func ownerOfProgram() throws {
    var status = stat()
    (status.st_mode, status.st_uid) = (S_IFDIR | 0o755, 700)
    try TrustedUsers([1_000, 0, 700], unknown: nil).check(status, of: -1, "/home/linuxbrew")
    #expect(throws: FileError.otherOwner("/home/linuxbrew", 700)) {
      try TrustedUsers([1_000, 0], unknown: nil).check(status, of: -1, "/home/linuxbrew")
    }
  }
}
