import Glibc
import LoginCore
import Platform
import Testing

@testable import tokentry

@Suite("The body of tokentry request")
struct RequestCommandTests {
  @Test(
    "The bytes after @ are the path of a file",
    arguments: [("@file", "file"), ("@\u{301}file", "\u{301}file"), ("@-", "-"), ("@", "")])
  func file(text: String, path: String) {
    guard case .file(let file) = Payload.Source(text) else {
      Issue.record("\(text) is a text")
      return
    }
    #expect(Array(file.path.utf8) == Array(path.utf8))
  }

  @Test("Data that does not begin with @ is a text", arguments: ["", "a@b", " @a"])
  func text(text: String) {
    guard case .text(text) = Payload.Source(text) else {
      Issue.record("\(text) is a file")
      return
    }
  }

  @Test("A folder is refused")
  func folder() {
    #expect(throws: Failure.file("--data", FileError("/tmp", systemCode: EISDIR))) {
      _ = try Payload(.init("@/tmp"))
    }
  }
}
