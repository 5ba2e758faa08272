import GLibSupport
import Foundation
import LoginCore
import Platform
import Testing

@Suite("FileError")
struct FileErrorTests {
  @Test(
    "A full disk is called that, and other errors are in the system's words",
    arguments: [
      (ENOSPC, "the disk with /a is full", true), (EDQUOT, "your quota on the disk with /a is used up", true),
      (EACCES, "/a: Permission denied", false),
    ])
  func systemError(code: Int32, words: String, hasHint: Bool) {
    let error = FileError("/a", systemCode: code)
    #expect(error.message.description == words && (error.hint != nil) == hasHint)
    #expect(error.systemCode == code)
  }
}

@Suite("Writing to a descriptor")
struct WriteAllTests {
  @Test("Everything is written to a full non-blocking pipe", arguments: [0, 1, 65_536, 1_000_000])
  func nonBlocking(count: Int) async throws {
    let pipe = try Ends()
    #expect(fcntl(pipe.writing, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let reading = pipe.reading
    // Swift's pool has only one thread per processor, and the writers may block all of them.
    let (received, sender) = AsyncStream<[UInt8]>.makeStream()
    Thread.detachNewThread { sender.yield(bytesUntilEnd(of: reading)) }
    try writeAll(bytes, to: pipe.writing)
    close(pipe.writing)
    #expect(await received.first { _ in true } == bytes)
    close(pipe.reading)
  }

  @Test("Writing to a pipe without a reader fails with EPIPE")
  func noReader() throws {
    signal(SIGPIPE) { _ in }
    let pipe = try Ends()
    close(pipe.reading)
    let error = #expect(throws: SystemError.self) { try writeAll([1], to: pipe.writing) }
    #expect(error?.code == EPIPE)
    close(pipe.writing)
  }

  private struct Ends {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }
  }
}

private func bytesUntilEnd(of descriptor: Int32) -> [UInt8] {
  var (all, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4_096))
  while case let count = read(descriptor, &chunk, chunk.count), count > 0 { all += chunk[..<count] }
  return all
}
