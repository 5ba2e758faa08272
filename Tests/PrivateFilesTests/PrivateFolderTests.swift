import LoginCore
import Foundation
import Synchronization
import Testing

@testable import PrivateFiles

@Suite("A private folder")
struct PrivateFolderTests {
  @Test("It is made with those above it, and what is in it is the user's alone")
  func made() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path + "/a/b", making: true)
    try folder.replace("file", with: [1, 2], through: "draft")
    _ = try folder.folder("c", making: true)
    #expect(try Set(folder.names()) == ["file", "c"])
    #expect(try folder.read("file", limit: 2) == [1, 2])
    for path in ["a", "a/b", "a/b/c", "a/b/file"] {
      #expect(try place.mode(of: path) & 0o077 == 0, "\(path)")
    }
  }

  @Test("What is not there is missing, and is not made by looking")
  func missing() throws {
    let place = try Place()
    expect(place, "a", .system(ENOENT)) { () throws(FileFault) in
      _ = try PrivateFolder(place.path + "/a", making: false)
    }
    let folder = try PrivateFolder(place.path, making: false)
    expect(place, "b", .system(ENOENT)) { () throws(FileFault) in _ = try folder.folder("b", making: false) }
    expect(place, "c", .system(ENOENT)) { () throws(FileFault) in _ = try folder.read("c", limit: 1) }
    #expect(try folder.names().isEmpty)
  }

  @Test("A link, a file in a folder's place, a folder in a file's, and what is too large are told apart")
  func reasons() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    #expect(symlink("/tmp", place.path + "/link") == 0)
    try folder.replace("file", with: [1, 2], through: "draft")
    _ = try folder.folder("folder", making: true)
    expect(place, "link", .symbolicLink) { () throws(FileFault) in
      _ = try folder.folder("link", making: false)
    }
    expect(place, "link", .symbolicLink) { () throws(FileFault) in _ = try folder.read("link", limit: 1) }
    expect(place, "file", .system(ENOTDIR)) { () throws(FileFault) in
      _ = try folder.folder("file", making: false)
    }
    expect(place, "folder", .notRegular) { () throws(FileFault) in _ = try folder.read("folder", limit: 1) }
    expect(place, "file", .tooLarge) { () throws(FileFault) in _ = try folder.read("file", limit: 1) }
  }

  @Test("A lock, and what is written before it takes its place, is a file of the user's alone")
  func lockFiles() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    _ = try folder.openLock("lock")
    #expect(try place.mode(of: "lock") & 0o777 == 0o600)
    chmod(place.path + "/lock", 0o644)
    expect(place, "lock", .open(isFolder: false)) { () throws(FileFault) in _ = try folder.openLock("lock") }
    expect(place, "lock", .open(isFolder: false)) { () throws(FileFault) in
      try folder.replace("file", with: [1], through: "lock")
    }
    mkfifo(place.path + "/pipe", 0o600)
    expect(place, "pipe", .notRegular) { () throws(FileFault) in _ = try folder.openLock("pipe") }
    symlink("lock", place.path + "/link")
    expect(place, "link", .symbolicLink) { () throws(FileFault) in _ = try folder.openLock("link") }
  }

  @Test("What an interrupted program has left behind is not a part of what takes its place")
  func leftBehind() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    try folder.replace("draft", with: [1, 2, 3, 4], through: "other")
    try folder.replace("file", with: [9], through: "draft")
    #expect(try folder.read("file", limit: 9) == [9])
  }

  @Test(
    "Of two who write one file the second waits, and takes no draft that has become the file meanwhile",
    arguments: [false, true])
  func alone(isThirdThere: Bool) async throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    let other = open(place.path + "/draft", O_RDWR | O_CREAT, 0o600)
    defer { close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let isWritten = Mutex(false)
    async let writing: Void = Self.onThread {
      defer { isWritten.withLock { $0 = true } }
      try folder.replace("file", with: [1], through: "draft")
    }
    while !isWritten.withLock({ $0 }), !Self.isWaitedFor(other) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(!isWritten.withLock { $0 }, "somebody else has the draft")
    #expect(rename(place.path + "/draft", place.path + "/file") == 0)
    if isThirdThere { close(open(place.path + "/draft", O_RDWR | O_CREAT, 0o600)) }
    #expect(flock(other, LOCK_UN) == 0)
    try await writing
    #expect(try folder.read("file", limit: 1) == [1])
    #expect(try folder.names() == ["file"])
  }

  @Test("Room that was reserved is taken up, and what takes it has its own length")
  func room() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    try folder.reserve(100_000, in: "draft")
    var status = stat()
    #expect(stat(place.path + "/draft", &status) == 0)
    #expect(status.st_size == 100_000)
    try folder.replace("file", with: [1], through: "draft")
    #expect(try folder.read("file", limit: 1) == [1])
    try folder.reserve(100_000, in: "draft")
    folder.removeLeftover("draft")
    #expect(try folder.names() == ["file"])
  }

  /// Whether somebody waits for the lock of an open file (proc_locks(5)).
  private static func isWaitedFor(_ file: Int32) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0, let locks = fopen("/proc/locks", "re") else { return false }
    defer { fclose(locks) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), locks) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      let words = text.split(separator: " ")
      if words.contains("->"), words.contains(where: { $0.hasSuffix(":\(status.st_ino)") }) { return true }
    }
    return false
  }

  /// Runs what blocks on a thread of its own.
  private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  @Test("What others may do with a folder can be allowed in part")
  func forbidden() throws {
    let place = try Place()
    chmod(place.path, 0o755)
    _ = try PrivateFolder(place.path, making: false, forbidding: 0o022)
    expect(place, nil, .open(isFolder: true)) { () throws(FileFault) in
      _ = try PrivateFolder(place.path, making: false)
    }
    chmod(place.path, 0o775)
    expect(place, nil, .open(isFolder: true)) { () throws(FileFault) in
      _ = try PrivateFolder(place.path, making: false, forbidding: 0o022)
    }
  }

  @Test("A lock is held by one, for as long as the folder is open; one that was removed is known as such")
  func locks() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    var first: PrivateFolder? = try folder.folder("a", making: true)
    let second = try folder.folder("a", making: false)
    #expect(first?.lock() == true)
    #expect(!second.lock())
    first = nil
    #expect(second.lock())
    #expect(second.isThere)
    try folder.removeFolder("a")
    #expect(!second.isThere)
  }

  private func expect(
    _ place: Place, _ name: String?, _ reason: FileFault.Reason, _ body: () throws(FileFault) -> Void
  ) {
    let fault = #expect(throws: FileFault.self) { try body() }
    #expect(fault == FileFault(path: name.map { "\(place.path)/\($0)" } ?? place.path, reason: reason))
  }

  @Test("A folder within is the user's alone as well, and what is not there need not be removed")
  func within() throws {
    let place = try Place()
    let folder = try PrivateFolder(place.path, making: false)
    _ = try folder.folder("inner", making: true)
    chmod(place.path + "/inner", 0o755)
    expect(place, "inner", .open(isFolder: true)) { () throws(FileFault) in
      _ = try folder.folder("inner", making: false)
    }
    try folder.removeIfThere("nothing")
    expect(place, "nothing", .system(ENOENT)) { () throws(FileFault) in try folder.remove("nothing") }
  }
}
