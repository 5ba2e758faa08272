import Foundation
import LoginCore
import Synchronization
import Testing

@testable import Platform

@Suite("A private folder")
struct PrivateFolderTests {
  @Test("A new folder, its parents and its files are private")
  func made() throws {
    let place = try TemporaryFolder()
    let folder = try PrivateFolder(place.path + "/a/b", making: true)
    try folder.replace("file", with: [1, 2], through: "draft")
    _ = try folder.folder("c", making: true)
    #expect(try Set(folder.names()) == ["file", "c"])
    #expect(try folder.read("file", limit: 2) == [1, 2])
    for path in ["a", "a/b", "a/b/c", "a/b/file"] {
      #expect(try place.mode(of: path) & 0o077 == 0, "\(path)")
    }
  }

  @Test("Only a regular file of the user may be replaced")
  func replaceable() throws {
    let place = try TemporaryFolder()
    let folder = try PrivateFolder(place.path, making: false)
    try folder.replace("file", with: [1], through: "draft")
    _ = try folder.folder("folder", making: true)
    #expect(symlink("file", place.path + "/link") == 0)
    try folder.checkReplaceable("file")
    try folder.checkReplaceable("missing")
    expect(place, "link", FileError.symbolicLink) { () throws(FileError) in
      try folder.checkReplaceable("link")
    }
    expect(place, "folder", FileError.notRegular) { () throws(FileError) in
      try folder.checkReplaceable("folder")
    }
    guard geteuid() == 0 else { return }
    chown(place.path + "/file", 65_534, 65_534)
    expect(place, "file", { .otherOwner($0, 65_534) }) { () throws(FileError) in
      try folder.checkReplaceable("file")
    }
  }

  @Test("Reading a missing folder or file fails and does not make it")
  func missing() throws {
    let place = try TemporaryFolder()
    expect(place, "a", { FileError($0, systemCode: ENOENT) }) { () throws(FileError) in
      _ = try PrivateFolder(place.path + "/a", making: false)
    }
    let folder = try PrivateFolder(place.path, making: false)
    expect(place, "b", { FileError($0, systemCode: ENOENT) }) { () throws(FileError) in
      _ = try folder.folder("b", making: false)
    }
    expect(place, "c", { FileError($0, systemCode: ENOENT) }) { () throws(FileError) in
      _ = try folder.read("c", limit: 1)
    }
    #expect(try folder.names().isEmpty)
  }

  @Test(
    "A link, a file instead of a folder, a folder instead of a file and a large file have different errors")
  func reasons() throws {
    let place = try TemporaryFolder()
    let folder = try PrivateFolder(place.path, making: false)
    #expect(symlink("/tmp", place.path + "/link") == 0)
    try folder.replace("file", with: [1, 2], through: "draft")
    _ = try folder.folder("folder", making: true)
    expect(place, "link", FileError.symbolicLink) { () throws(FileError) in
      _ = try folder.folder("link", making: false)
    }
    expect(place, "link", FileError.symbolicLink) { () throws(FileError) in
      _ = try folder.read("link", limit: 1)
    }
    expect(place, "file", { FileError($0, systemCode: ENOTDIR) }) { () throws(FileError) in
      _ = try folder.folder("file", making: false)
    }
    expect(place, "folder", FileError.notRegular) { () throws(FileError) in
      _ = try folder.read("folder", limit: 1)
    }
    expect(place, "file", FileError.tooLarge) { () throws(FileError) in _ = try folder.read("file", limit: 1)
    }
  }

  @Test("A lock file and a draft must be private regular files")
  func lockFiles() throws {
    let place = try TemporaryFolder()
    let folder = try PrivateFolder(place.path, making: false)
    _ = try folder.openLock("lock")
    #expect(try place.mode(of: "lock") & 0o777 == 0o600)
    chmod(place.path + "/lock", 0o644)
    expect(place, "lock", { .open($0, isFolder: false) }) { () throws(FileError) in
      _ = try folder.openLock("lock")
    }
    expect(place, "lock", { .open($0, isFolder: false) }) { () throws(FileError) in
      try folder.replace("file", with: [1], through: "lock")
    }
    mkfifo(place.path + "/pipe", 0o600)
    expect(place, "pipe", FileError.notRegular) { () throws(FileError) in _ = try folder.openLock("pipe") }
    symlink("lock", place.path + "/link")
    expect(place, "link", FileError.symbolicLink) { () throws(FileError) in _ = try folder.openLock("link") }
  }

  @Test("The draft of an interrupted program does not become part of the new file")
  func leftBehind() throws {
    let place = try TemporaryFolder()
    let folder = try PrivateFolder(place.path, making: false)
    try folder.replace("draft", with: [1, 2, 3, 4], through: "other")
    try folder.replace("file", with: [9], through: "draft")
    #expect(try folder.read("file", limit: 9) == [9])
  }

  @Test(
    "A second writer waits for the draft, and makes a new one if the first has become the file",
    arguments: [false, true])
  func alone(isThirdThere: Bool) async throws {
    let place = try TemporaryFolder()
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
    #expect(!isWritten.withLock { $0 }, "another writer has the draft")
    #expect(rename(place.path + "/draft", place.path + "/file") == 0)
    if isThirdThere { close(open(place.path + "/draft", O_RDWR | O_CREAT, 0o600)) }
    #expect(flock(other, LOCK_UN) == 0)
    try await writing
    #expect(try folder.read("file", limit: 1) == [1])
    #expect(try folder.names() == ["file"])
  }

  @Test("A file that takes reserved space has its own length")
  func reservedSpace() throws {
    let place = try TemporaryFolder()
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

  /// True if a process waits for the lock of an open file (proc_locks(5)).
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

  /// Runs `body`, which may block, on a thread of its own.
  private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  @Test("The caller says which permissions of others are forbidden")
  func forbidden() throws {
    let place = try TemporaryFolder()
    chmod(place.path, 0o755)
    _ = try PrivateFolder(place.path, making: false, forbidding: 0o022)
    expect(place, nil, { .open($0, isFolder: true) }) { () throws(FileError) in
      _ = try PrivateFolder(place.path, making: false)
    }
    chmod(place.path, 0o775)
    expect(place, nil, { .open($0, isFolder: true) }) { () throws(FileError) in
      _ = try PrivateFolder(place.path, making: false, forbidding: 0o022)
    }
  }

  @Test("A folder has one lock until it is closed, and knows if it was removed")
  func locks() throws {
    let place = try TemporaryFolder()
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
    _ place: TemporaryFolder, _ name: String?, _ error: (String) -> FileError,
    _ body: () throws(FileError) -> Void
  ) {
    let thrown = #expect(throws: FileError.self) { try body() }
    #expect(thrown == error(name.map { "\(place.path)/\($0)" } ?? place.path))
  }

  @Test("A subfolder that others can read is refused, and a missing file is no error for removeIfThere")
  func within() throws {
    let place = try TemporaryFolder()
    let folder = try PrivateFolder(place.path, making: false)
    _ = try folder.folder("inner", making: true)
    chmod(place.path + "/inner", 0o755)
    expect(place, "inner", { .open($0, isFolder: true) }) { () throws(FileError) in
      _ = try folder.folder("inner", making: false)
    }
    try folder.removeIfThere("nothing")
    expect(place, "nothing", { FileError($0, systemCode: ENOENT) }) { () throws(FileError) in
      try folder.remove("nothing")
    }
  }
}

/// A private folder that is removed with this object.
final class TemporaryFolder {
  let path = FileManager.default.temporaryDirectory.appending(path: "private-\(UUID().uuidString)").path()

  init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func mode(of name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat("\(path)/\(name)", &status) == 0)
    return status.st_mode
  }
}
