import Foundation
@testable import TestSupport
import Testing

/// The order of the calls by which an account gets to the disk. A power failure may lose all that was not flushed, and may
/// keep it in any order.
@Suite("Accounts in a folder before a power failure", .blocking)
struct PowerLossTests {
  /// A command that changes the account.
  enum Row: String, CaseIterable {
    case firstLogin = "first login"
    case login, refresh, logout
  }

  /// The calls of a command on files below the folder `kept`, in words: the call, its path and what follows.
  private func calls(_ row: Row) throws -> [[String]] {
    let fixture = try FaultFixture()
    let tool = try Faulty(in: fixture.folder)
    // The login makes the folder above the store too.
    let place = ["TOKENTRY_STORE": "file:\(fixture.folder)/kept/store"]
    if row != .firstLogin { try #require(try fixture.run(fixture.login, place).status == 0) }
    let arguments =
      switch row {
      case .refresh: FaultFixture.refresh
      case .logout: ["logout", "--account", "work"]
      case .firstLogin, .login: fixture.login
      }
    let outcome = try fixture.run(arguments, place.merging(tool.recording(fixture.folder + "/kept")) { $1 })
    try #require(outcome.status == 0, "\(outcome.messages)")
    return tool.lines.map {
      $0.replacing(fixture.folder + "/kept/", with: "").split(separator: " ").map(String.init)
    }
  }

  @Test(
    "A complete file is flushed before it replaces the account, and every change of a name after it",
    arguments: Row.allCases)
  func order(_ row: Row) throws {
    let calls = try calls(row)
    let account = "store/work.json"
    var changes = 0
    for (index, call) in calls.enumerated() {
      switch call[0] {
      case "rename" where call[2] == account:
        changes += 1
        let before = calls[..<index].filter { $0[1] == call[1] }
        #expect(before.last?[0] == "flush", "the new file is flushed after the last write: \(before)")
        #expect(calls[index...].contains { $0 == ["flush", "store"] }, "the folder is flushed: \(calls)")
      case "unlink" where call[1] == account:
        changes += 1
        #expect(calls[index...].contains { $0 == ["flush", "store"] }, "the folder is flushed: \(calls)")
      case "folder" where call[1] == "store":
        let above = calls[index...].contains { $0[0] == "flush" && $0[1].hasSuffix("/kept") }
        #expect(above, "the folder above a new one is flushed: \(calls)")
      case "create", "write", "truncate", "allocate":
        #expect(call[1] != account, "the account itself is never written to")
      default: break
      }
    }
    #expect(changes == 1, "\(calls)")
  }
}
