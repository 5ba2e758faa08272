import Foundation
import LoginCore
import Testing

@testable import Platform

@Suite("Files that the caller names")
struct NamedFileTests {
  private let place: TemporaryFolder

  init() throws { place = try TemporaryFolder() }

  private func write(_ name: String, mode: mode_t = 0o600) throws {
    let path = "\(place.path)/\(name)"
    try "text".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, mode)
  }

  private func contents(_ name: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile.own(at: "\(place.path)/\(name)")
    return try file.contents(limit: 9)
  }

  private func expect(_ name: String, at culprit: String, _ error: (String) -> FileError) {
    let thrown = #expect(throws: FileError.self) { try contents(name) }
    #expect(thrown == error(place.path + culprit))
  }

  @Test("A private file is read, directly and through the user's links")
  func own() throws {
    try write("file")
    mkdir(place.path + "/inside", 0o700)
    symlink("file", place.path + "/link")
    symlink("../link", place.path + "/inside/link")
    symlink(place.path + "/inside/link", place.path + "/absolute")
    for name in ["file", "link", "inside/link", "absolute", "inside/../file"] {
      #expect(try contents(name) == Array("text".utf8))
    }
    chmod(place.path + "/file", 0o400)
    #expect(try contents("file").count == 4)
  }

  @Test("Child processes do not inherit the descriptor, and a pipe without a writer does not block")
  func descriptor() throws {
    try write("file")
    mkfifo(place.path + "/pipe", 0o600)
    for name in ["file", "pipe"] {
      let file = try OpenFile.own(at: "\(place.path)/\(name)")
      #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(name)")
    }
  }

  @Test(
    "A file that others can read or write is refused, directly and through a link",
    arguments: [0o604, 0o602, 0o640, 0o620, 0o644, 0o666] as [mode_t])
  func open(mode: mode_t) throws {
    try write("file", mode: mode)
    symlink("file", place.path + "/link")
    expect("file", at: "/file", { .open($0, isFolder: false) })
    expect("link", at: "/file", { .open($0, isFolder: false) })
  }

  @Test("A file or link in a folder in which others can replace it is refused")
  func folder() throws {
    mkdir(place.path + "/open", 0o700)
    try write("file")
    try write("open/file")
    symlink("../file", place.path + "/open/link")
    symlink("open/file", place.path + "/link")
    for mode in [0o702, 0o777] as [mode_t] {
      chmod(place.path + "/open", mode)
      for name in ["open/file", "open/link", "link"] { expect(name, at: "/open", { .writable($0) }) }
    }
    for mode in [0o755, 0o1777] as [mode_t] {
      chmod(place.path + "/open", mode)
      for name in ["open/file", "open/link", "link"] {
        #expect(try contents(name).count == 4)
      }
    }
  }

  @Test("A file, a link and a folder of another user are refused", .enabled(if: geteuid() == 0))
  func others() throws {
    try write("file")
    mkdir(place.path + "/folder", 0o700)
    try write("folder/file")
    symlink("file", place.path + "/link")
    for name in ["file", "folder", "link"] { lchown("\(place.path)/\(name)", 65_534, 65_534) }
    expect("file", at: "/file", { .otherOwner($0, 65_534) })
    expect("folder/file", at: "/folder", { .otherOwner($0, 65_534) })
    expect("link", at: "/link", { .otherOwner($0, 65_534) })
  }

  @Test("A folder, a circle of links and a missing file have different errors")
  func reasons() throws {
    mkdir(place.path + "/folder", 0o700)
    symlink("circle", place.path + "/circle")
    expect("folder", at: "/folder", FileError.notRegular)
    expect("circle", at: "/circle", { FileError($0, systemCode: ELOOP) })
    expect("none", at: "/none", { FileError($0, systemCode: ENOENT) })
    expect("none/file", at: "/none/file", { FileError($0, systemCode: ENOENT) })
  }

  @Test("A private named pipe is opened, and one that others can write is refused")
  func pipe() throws {
    let path = place.path + "/pipe"
    mkfifo(path, 0o600)
    let opened = try OpenFile.own(at: path)
    _ = consume opened
    chmod(path, 0o622)
    expect("pipe", at: "/pipe", { .open($0, isFolder: false) })
  }

  @Test(
    "The system's folders do not count as the user's own",
    arguments: ["/", "/etc", "/tmp", "/usr", "/usr/local", "/var/tmp"])
  func system(path: String) throws {
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(!OpenFile.isUsersOwn(status, path))
    #expect(!OpenFile.isUsersOwn(status, path + "/."))
  }

  @Test("A file to append to is made private; a link, a pipe and a file that others can read are refused")
  func appending() throws {
    func error(_ name: String) -> FileError? {
      #expect(throws: FileError.self) { _ = try OpenFile.own(appendingTo: "\(place.path)/\(name)") }
    }
    let file = try OpenFile.own(appendingTo: "\(place.path)/new")
    try writeAll("a".utf8, to: file.descriptor)
    #expect(try place.mode(of: "new") & 0o777 == 0o600)
    try write("open", mode: 0o644)
    #expect(error("open") == .open(place.path + "/open", isFolder: false))
    symlink("new", place.path + "/link")
    #expect(error("link") == .symbolicLink(place.path + "/link"))
    mkfifo(place.path + "/pipe", 0o600)
    #expect(error("pipe") == .notRegular(place.path + "/pipe"))
  }

  @Test("A chain of twenty links is followed")
  func links() throws {
    try write("0")
    for number in 1...20 { symlink("\(number - 1)", place.path + "/\(number)") }
    #expect(try contents("20") == Array("text".utf8))
  }
}
