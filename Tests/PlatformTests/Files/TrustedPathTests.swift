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
    "The group of the user's own name may write, and no other group",
    .enabled(if: geteuid() == 0))
  func groups() throws {
    for (group, isFine) in [(0, true), (1, false), (54_321, false)] as [(gid_t, Bool)] {
      chown(place.path + "/a", 0, group)
      chmod(place.path + "/a", 0o775)
      #expect(fault() == (isFine ? nil : .writable(place.path + "/a", group: group)))
    }
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

  @Test("In a user namespace, a user that it does not know is trusted, since root may be one")
  func namespaces() throws {
    var status = stat()
    (status.st_mode, status.st_uid) = (S_IFDIR | 0o755, 65_534)
    try TrustedUsers(inNamespace: true).check(status, "/usr")
    #expect(throws: FileError.otherOwner("/usr", 65_534)) {
      try TrustedUsers(inNamespace: false).check(status, "/usr")
    }
  }

  @Test("The owner of the program is trusted as root is")
  func ownerOfProgram() throws {
    var status = stat()
    (status.st_mode, status.st_uid) = (S_IFDIR | 0o755, 700)
    try TrustedUsers([1_000, 0, 700]).check(status, "/home/linuxbrew")
    #expect(throws: FileError.otherOwner("/home/linuxbrew", 700)) {
      try TrustedUsers([1_000, 0]).check(status, "/home/linuxbrew")
    }
  }
}
