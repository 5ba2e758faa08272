import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite("Reading a descriptor")
struct DescriptorReaderTests {
  @Test(
    "Lines come without their line feeds",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]),
    ] as [(String, [String])])
  func lines(text: String, expected: [String]) async {
    let lines = await read(text, limit: 100)
    #expect(lines == expected)
  }

  @Test("Of a long line only the beginning is kept, and the next line is whole")
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

  @Test("Everything is read up to the limit, and nothing is returned beyond it")
  func all() async {
    #expect(await readAll("12345", limit: 5) == Array("12345".utf8))
    #expect(await readAll("123456", limit: 5) == nil)
    #expect(await readAll("", limit: 5) == [])
  }

  @Test("A descriptor that cannot be read is an error with a text")
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

  @Test("Cancelling the task ends the wait for a descriptor that stays silent")
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

  @Test("One that always has more keeps nobody else waiting")
  func endless() async {
    let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    let line = await onMainLoop { () async -> [UInt8]? in
      let reading = GLibActor.task { try? await DescriptorReader(descriptor: zeros).line(keeping: 1) }
      let timer = Source.timer(every: .milliseconds(20)) { reading.cancel() }
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
