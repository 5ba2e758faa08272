import Foundation
import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite("Reading a descriptor")
struct DescriptorReaderTests {
  @Test(
    "Lines do not include their line feeds",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]),
    ] as [(String, [String])])
  func lines(text: String, expected: [String]) async {
    let lines = await read(text, limit: 100)
    #expect(lines == expected)
  }

  @Test("A long line is cut, and the next line is complete")
  func longLines() async {
    let long = String(repeating: "x", count: 300_000)
    #expect(await read("\(long)\nnext\n", limit: 10) == [String(repeating: "x", count: 10), "next"])
  }

  @Test("A line that arrives in parts is put together")
  func parts() async {
    let pipe = FilledPipe()
    let line = await onMainLoop { () async -> [UInt8]? in
      GLibActor.task {
        pipe.write("first half, ")
        await Task.yield()
        pipe.write("second half\n")
        pipe.closeWriting()
      }
      return try? await DescriptorReader(descriptor: pipe.reading).line(keeping: 100)
    }
    #expect(line == Array("first half, second half".utf8))
    pipe.closeReading()
  }

  @Test("all(upTo:) returns nil if there is more than the limit")
  func all() async {
    #expect(await readAll("12345", limit: 5) == Array("12345".utf8))
    #expect(await readAll("123456", limit: 5) == nil)
    #expect(await readAll("", limit: 5) == [])
  }

  @Test("A descriptor that cannot be read is an error with a message")
  func unreadable() async {
    let message = await onMainLoop { () async -> String? in
      do throws(SystemError) {
        _ = try await DescriptorReader(descriptor: 9_999).line(keeping: 1)
        return nil
      } catch {
        return error.message
      }
    }
    #expect(message?.isEmpty == false)
  }

  @Test("Cancelling the task ends the wait for a silent descriptor")
  func cancellation() async {
    let pipe = FilledPipe()
    let ended = await onMainLoop { () async -> Bool in
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let reading = GLibActor.task {
          let line = try? await DescriptorReader(descriptor: pipe.reading).line(keeping: 1)
          continuation.resume(returning: line == nil)
        }
        GLibActor.task { reading.cancel() }
      }
    }
    #expect(ended)
    pipe.closeWriting()
    pipe.closeReading()
  }

  @Test("An endless descriptor does not block the main loop")
  func endless() async {
    let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    let line = await onMainLoop { () async -> [UInt8]? in
      let reading = GLibActor.task { try? await DescriptorReader(descriptor: zeros).line(keeping: 1) }
      let timer = Source.every(.milliseconds(20)) { reading.cancel() }
      defer { withExtendedLifetime(timer) {} }
      return await reading.value
    }
    #expect(line == nil)
    close(zeros)
  }

  private func read(_ text: String, limit: Int) async -> [String] {
    let pipe = FilledPipe(text)
    let lines = await onMainLoop { () async -> [String] in
      let reader = DescriptorReader(descriptor: pipe.reading)
      var lines: [String] = []
      while let line = try? await reader.line(keeping: limit) {
        lines.append(String(decoding: line, as: UTF8.self))
      }
      return lines
    }
    pipe.closeReading()
    return lines
  }

  private func readAll(_ text: String, limit: Int) async -> [UInt8]? {
    let pipe = FilledPipe(text)
    let bytes = await onMainLoop { () async -> [UInt8]? in
      try? await DescriptorReader(descriptor: pipe.reading).all(upTo: limit)
    }
    pipe.closeReading()
    return bytes
  }
}

@Suite("Writing to a descriptor")
struct DescriptorWriterTests {
  @Test("A slow reader gets everything, and the main loop goes on meanwhile")
  func slowReader() async {
    let text = String(repeating: "0123456789", count: 100_000)
    let (read, hasGoneOn) = await onMainLoop { () async -> (Int, Bool) in
      let pipe = UnreadPipe()
      var ticks = 0
      let timer = Source.every(.milliseconds(1)) {
        ticks += 1
        if ticks == 10 { pipe.beginReading() }
      }
      pipe.readLater()
      try? await DescriptorWriter(descriptor: pipe.writing).write(Array(text.utf8))
      withExtendedLifetime(timer) {}
      return (pipe.end(), pipe.wasBegun)
    }
    #expect(read == text.utf8.count)
    #expect(hasGoneOn, "the main loop was blocked before the reader began")
  }

  @Test("A closed reading end is an error")
  func gone() async {
    let code = await onMainLoop { () async -> Int32? in
      let pipe = UnreadPipe()
      pipe.closeReading()
      do throws(SystemError) {
        try await DescriptorWriter(descriptor: pipe.writing).write([1])
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code == EPIPE)
  }
}

/// A pipe that is read only once the test says so.
private final class UnreadPipe: @unchecked Sendable {  // one thread at a time
  let writing: Int32
  private let reading: Int32
  private var count = 0
  private(set) var wasBegun = false
  private let begun = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { preconditionFailure("no pipe can be made") }
    (reading, writing) = (ends[0], ends[1])
    signal(SIGPIPE) { _ in }
  }

  func beginReading() { begun.signal() }

  /// Waits for ``beginReading()`` on another thread, but not for ever, then reads to the end.
  func readLater() {
    Thread.detachNewThread { [self] in
      wasBegun = begun.wait(timeout: .now() + .seconds(10 * slowness)) == .success
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let read = Foundation.read(reading, &buffer, buffer.count), read > 0 { count += read }
      close(reading)
      done.signal()
    }
  }

  func closeReading() { close(reading) }

  /// Closes the writing end and returns the number of bytes read.
  func end() -> Int {
    close(writing)
    done.wait()
    return count
  }
}
