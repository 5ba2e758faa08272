import Glibc
import LoginCore
import Testing
import Wording

@testable import tokentry

@Suite("Payload")
struct PayloadTests {
  @Test(
    "Behind the sign of a file is its name, byte for byte",
    arguments: [("@file", "file"), ("@\u{301}file", "\u{301}file"), ("@-", "-"), ("@", "")])
  func file(text: String, name: String) {
    guard case .file(let file) = Payload.Source(text) else {
      Issue.record("\(text) is a text")
      return
    }
    #expect(Array(file.path.utf8) == Array(name.utf8))
  }

  @Test("A folder is no body")
  func folder() {
    let fault = FileFault(path: "/tmp", reason: .system(EISDIR))
    #expect(throws: Failure.commandLine(.file("--data", .unusable(fault)))) {
      _ = try Payload(.init("@/tmp"))
    }
  }

  @Test("Without the sign it is a text", arguments: ["", "a@b", " @a"])
  func text(text: String) {
    guard case .text(text) = Payload.Source(text) else {
      Issue.record("\(text) is a file")
      return
    }
  }
}
