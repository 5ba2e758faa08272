import Foundation
import LoginCore
import TestSupport
import Testing

@testable import SecretStore

@Suite("Crashes while an account is saved", .blocking)
struct CrashTests {
  @Test("A program that is killed while it saves leaves a complete account and at most one unfinished file")
  func killed() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path)
    let name = try Sample.name("crash")
    let executable = try #require(Self.products?.appending(path: "save-repeatedly"))
    var tokens: Set<String> = []
    for round in 0..<(Rows.areAll ? 200 : 30) {
      let process = Process()
      process.executableURL = executable
      process.arguments = [folder.path]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      // Wait until the program has saved a few times; it continues to save.
      var lines = 0
      while lines <= round % 10 {
        let printed = output.fileHandleForReading.availableData
        try #require(!printed.isEmpty)
        lines += printed.count { $0 == 0x0A }
      }
      usleep(UInt32.random(in: 0...5_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let token = try await store.load(name).token.accessToken?.revealed() ?? ""
      let parts = Set(token.split(separator: "."))
      #expect(parts.count == 1, "round \(round): the token is a mixture")
      tokens.formUnion(parts.map(String.init))
    }
    #expect(tokens.count > 5, "it was killed at different moments")
    #expect(try folder.names("").count <= 2, "the account and one unfinished file")
  }

  @Test("A full disk makes saving fail and leaves the old account")
  func fullDisk() async throws {
    let folder = TemporaryFolder()
    let script = """
      ulimit -f 4; trap '' XFSZ
      exec "$1" "$2"
      """
    let executable = try #require(Self.products?.appending(path: "save-repeatedly"))
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, "sh", executable.path(percentEncoded: false), folder.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 3, "saving failed in the end")
    let token = try await FileStore(folder: folder.path).load(Sample.name("crash")).token
    #expect(Set((token.accessToken?.revealed() ?? "").split(separator: ".")).count == 1)
  }

  private static var products: URL? {
    CommandLine.arguments.map { URL(filePath: $0) }.first { $0.pathExtension == "xctest" }?
      .deletingLastPathComponent()
  }
}
