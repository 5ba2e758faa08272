import Foundation
import Testing

/// The runner keeps the streams apart, keeps to its limit and leaves nothing behind.
@Suite("Shell")
struct ShellTests {
  @Test("streams and status arrive apart")
  func streams() throws {
    let run = try Self.run("echo out; echo err >&2; exit 7")
    #expect(run == CommandRun(output: Array("out\n".utf8), error: Array("err\n".utf8), end: .exited(7)))
  }

  @Test("a megabyte on each stream does not block the other")
  func large() throws {
    let run = try Self.run("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2")
    #expect(run.output.count == 1_000_000)
    #expect(run.error.count == 1_000_000)
    #expect(run.end == .exited(0))
  }

  @Test(
    "what does not end is ended, and what it had printed is kept",
    arguments: [
      "echo out; sleep 60", "echo out; sleep 60 & exit 0", "trap '' TERM; echo out; exec >&- 2>&-; sleep 60",
    ])
  func limit(_ command: String) throws {
    let start = ContinuousClock.now
    let run = try Self.run(command, limit: 0.5)
    #expect(run.end == .overdue(seconds: 0.5))
    #expect(run.output == Array("out\n".utf8))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("a shell that a signal ended is no exit status")
  func signal() throws {
    #expect(try Self.run("kill -KILL $$").end == .signalled(9))
  }

  @Test("a command that closes its streams is waited for")
  func closedStreams() throws {
    #expect(try Self.run("exec >&- 2>&-; sleep 0.2; exit 5").end == .exited(5))
  }

  @Test("no signal is ignored, standard input is empty, and only the story's environment is there")
  func inheritance() throws {
    let run = try Self.run(
      #"""
      sed -nE 's/^Sig(Ign|Blk):.*(.{7})$/\1 \2/p' /proc/self/status
      cat; env | sort; ls /proc/self/fd | wc -l
      """#)
    let lines = PrintedText(run.output).lines.filter { !$0.hasPrefix("_=") && !$0.hasPrefix("PWD=") }
    // The seven digits are the signals up to 28: glibc has its own use for 32 and 33, which it ignores in
    // children.
    // The descriptors are the three streams and the one with which ls reads the directory.
    #expect(lines == ["Blk 0000000", "Ign 0000000", "PATH=/usr/bin:/bin", "4"])
  }

  @Test("a story starts in an empty home that is gone afterwards")
  func sandbox() throws {
    let sandbox = try Sandbox(executable: "/bin/true")
    let run = try sandbox.run(#"ls -A; [ "$PWD" = "$HOME" ] && command -v tokentry && tokentry; pwd"#)
    let lines = PrintedText(run.output).lines
    #expect(run.end == .exited(0))
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("/bin/tokentry") == true)
    sandbox.remove()
    #expect(try !FileManager.default.fileExists(atPath: #require(lines.last)))
  }

  private static func run(_ command: String, limit: Double = 20) throws -> CommandRun {
    let pipes = FileManager.default.temporaryDirectory.appending(path: "tokentry-shell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: pipes, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: pipes) }
    let shell = Shell(
      directory: "/", pipes: pipes.path(percentEncoded: false), environment: ["PATH": "/usr/bin:/bin"])
    return try shell.run(command, limit: limit)
  }
}
