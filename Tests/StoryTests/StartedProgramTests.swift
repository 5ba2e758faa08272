import CLinux
import Foundation
import Testing

@testable import TestSupport

@Suite("A program that a test starts")
struct StartedProgramTests {
  @Test("It has three descriptors, whatever else of the tests is open and would be handed on")
  func descriptors() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let errors = FileManager.default.temporaryDirectory.appending(path: "errors-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: errors) }
    let program = try Program("/bin/ls", ["/proc/self/fd"], environment: [:], errorPath: errors.path())
    #expect(await program.end() == 0)
    #expect(program.text == "0\n1\n2\n3\n", "the last is the one with which ls reads the folder")
  }
}
