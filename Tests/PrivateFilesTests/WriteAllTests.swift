import Foundation
import PrivateFiles
import Testing

@Suite("Writing all there is")
struct WriteAllTests {
  @Test("A pipe that is full and does not wait is waited for", arguments: [0, 1, 65_536, 1_000_000])
  func nonBlocking(count: Int) async throws {
    let pipe = try Ends()
    #expect(fcntl(pipe.writing, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let reading = pipe.reading
    // Swift's own threads are no more than there are processors, and those who write may block all of them.
    let (received, sender) = AsyncStream<[UInt8]>.makeStream()
    Thread.detachNewThread { sender.yield(bytesUntilEnd(of: reading)) }
    try writeAll(bytes, to: pipe.writing)
    close(pipe.writing)
    #expect(await received.first { _ in true } == bytes)
    close(pipe.reading)
  }

  @Test("Where nobody reads any more that is the fault")
  func noReader() throws {
    signal(SIGPIPE) { _ in }
    let pipe = try Ends()
    close(pipe.reading)
    let fault = #expect(throws: SystemFault.self) { try writeAll([1], to: pipe.writing) }
    #expect(fault?.code == EPIPE)
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
