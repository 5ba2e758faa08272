import Foundation
import LoginCore
import Testing

@testable import PrivateFiles

@Suite("A file that the caller names")
struct NamedFileTests {
  private let place: Place

  init() throws { place = try Place() }

  private func write(_ name: String, mode: mode_t = 0o600) throws {
    let path = "\(place.path)/\(name)"
    try "text".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, mode)
  }

  private func contents(_ name: String) throws(FileFault) -> [UInt8] {
    let file = try OpenFile.own(at: "\(place.path)/\(name)")
    return try file.contents(limit: 9)
  }

  private func expect(_ name: String, at culprit: String, _ reason: FileFault.Reason) {
    let fault = #expect(throws: FileFault.self) { try contents(name) }
    #expect(fault == FileFault(path: place.path + culprit, reason: reason))
  }

  @Test("What is the user's alone is read, by itself and through links of the user's")
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

  @Test("What is started does not inherit it, and a pipe that nobody writes to is not waited for")
  func descriptor() throws {
    try write("file")
    mkfifo(place.path + "/pipe", 0o600)
    for name in ["file", "pipe"] {
      let file = try OpenFile.own(at: "\(place.path)/\(name)")
      #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(name)")
    }
  }

  @Test(
    "A file that others can read or write is refused, itself and at the end of a link",
    arguments: [0o604, 0o602, 0o640, 0o620, 0o644, 0o666] as [mode_t])
  func open(mode: mode_t) throws {
    try write("file", mode: mode)
    symlink("file", place.path + "/link")
    expect("file", at: "/file", .open(isFolder: false))
    expect("link", at: "/file", .open(isFolder: false))
  }

  @Test("A folder in which others can put something else in its place is refused, that of a link as well")
  func folder() throws {
    mkdir(place.path + "/open", 0o700)
    try write("file")
    try write("open/file")
    symlink("../file", place.path + "/open/link")
    symlink("open/file", place.path + "/link")
    for mode in [0o720, 0o702, 0o777] as [mode_t] {
      chmod(place.path + "/open", mode)
      for name in ["open/file", "open/link", "link"] { expect(name, at: "/open", .writable) }
    }
    for mode in [0o755, 0o1777] as [mode_t] {
      chmod(place.path + "/open", mode)
      for name in ["open/file", "open/link", "link"] {
        #expect(try contents(name).count == 4)
      }
    }
  }

  @Test("What is another's is refused: a file, a link, a folder", .enabled(if: geteuid() == 0))
  func others() throws {
    try write("file")
    mkdir(place.path + "/folder", 0o700)
    try write("folder/file")
    symlink("file", place.path + "/link")
    for name in ["file", "folder", "link"] { lchown("\(place.path)/\(name)", 65_534, 65_534) }
    expect("file", at: "/file", .otherOwner)
    expect("folder/file", at: "/folder", .otherOwner)
    expect("link", at: "/link", .otherOwner)
  }

  @Test("A folder is no file, a circle of links has no end, and what is not there is not there")
  func reasons() throws {
    mkdir(place.path + "/folder", 0o700)
    symlink("circle", place.path + "/circle")
    expect("folder", at: "/folder", .notRegular)
    expect("circle", at: "/circle", .system(ELOOP))
    expect("none", at: "/none", .system(ENOENT))
    expect("none/file", at: "/none/file", .system(ENOENT))
  }

  @Test("A named pipe is opened without a wait for its other end")
  func pipe() throws {
    let path = place.path + "/pipe"
    mkfifo(path, 0o600)
    let opened = try OpenFile.own(at: path)
    _ = consume opened
    chmod(path, 0o622)
    expect("pipe", at: "/pipe", .open(isFolder: false))
  }

  @Test(
    "What belongs to the system is nobody's own",
    arguments: ["/", "/etc", "/tmp", "/usr", "/usr/local", "/var/tmp"])
  func system(path: String) throws {
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(!OpenFile.isUsersOwn(status, path))
    #expect(!OpenFile.isUsersOwn(status, path + "/."))
  }

  @Test("A file that is added to is made for the user alone, and is no link and nothing that others can read")
  func appending() throws {
    func fault(_ name: String) -> FileFault? {
      #expect(throws: FileFault.self) { _ = try OpenFile.own(appendingTo: "\(place.path)/\(name)") }
    }
    let file = try OpenFile.own(appendingTo: "\(place.path)/new")
    try writeAll("a".utf8, to: file.descriptor)
    #expect(try place.mode(of: "new") & 0o777 == 0o600)
    try write("open", mode: 0o644)
    #expect(fault("open")?.reason == .open(isFolder: false))
    symlink("new", place.path + "/link")
    #expect(fault("link")?.reason == .symbolicLink)
    mkfifo(place.path + "/pipe", 0o600)
    #expect(fault("pipe")?.reason == .notRegular)
  }

  @Test("A folder is no file, and links are followed for as long as they lead anywhere")
  func links() throws {
    mkdir(place.path + "/inside", 0o700)
    let fault = #expect(throws: FileFault.self) { _ = try OpenFile.own(at: place.path + "/inside") }
    #expect(fault?.reason == .notRegular)
    try write("0")
    for number in 1...20 { symlink("\(number - 1)", place.path + "/\(number)") }
    #expect(try contents("20") == Array("text".utf8))
    symlink("round", place.path + "/round")
    expect("round", at: "/round", .system(ELOOP))
  }
}
