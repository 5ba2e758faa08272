import Foundation
@testable import TestSupport
import Testing

/// What the disk may contain after a power failure while the real program changes an account, and what the program
/// makes of it.
@Suite("Accounts in a folder after a power failure", .blocking)
struct PowerLossTests {
  /// A command that changes the account. The old tokens may be there until it has ended.
  struct Row: CustomStringConvertible, Sendable {
    let command: String
    let old: String?
    let new: String?
    var description: String { command }
  }

  private static let rows = [
    Row(command: "first login", old: nil, new: "T1"), Row(command: "login", old: "T1", new: "T2"),
    Row(command: "refresh", old: "T1", new: "T2"), Row(command: "logout", old: "T1", new: nil),
  ]

  /// The calls of a command, after the account was prepared.
  private func journal(_ row: Row, _ fixture: FaultFixture) throws -> Journal {
    let tool = try Faulty(in: fixture.folder)
    // The login makes the folder above the store too.
    let place = ["TOKENTRY_STORE": "file:\(fixture.folder)/kept/store"]
    if row.old != nil { try #require(try fixture.run(fixture.login, place).status == 0) }
    let before = try Journal.files(in: fixture.folder + "/kept")
    let arguments =
      switch row.command {
      case "refresh": FaultFixture.refresh
      case "logout": ["logout", "--account", "work"]
      default: fixture.login
      }
    let outcome = try fixture.run(arguments, place.merging(tool.recording(fixture.folder + "/kept")) { $1 })
    try #require(outcome.status == 0, "\(outcome.messages)")
    return Journal(of: tool.lines, under: fixture.folder + "/kept", before)
  }

  @Test(
    "At every instant there is the old or the new account, and after the end the new one", arguments: rows
  )
  func whole(_ row: Row) throws {
    let fixture = try FaultFixture()
    let journal = try journal(row, fixture)
    #expect(journal.count > 1, "the calls of \(row.command) were logged")
    let states = journal.states(everyByte: Rows.areAll)
    let tried = Rows.areAll ? states : Self.some(of: states)
    for (number, state) in tried.enumerated() {
      let folder = fixture.folder + "/tool-loss-\(number)"
      try state.write(to: folder)
      let place = ["TOKENTRY_STORE": "file:\(folder)/store"]
      let outcome = try fixture.run(FaultFixture.kept, place)
      let token = outcome.accessToken
      let mayBe = state.isAtEnd ? [row.new] : [row.old, row.new]
      #expect(mayBe.contains(token), "\(state): \(outcome.output)")
      #expect(token != nil || outcome.error == "unknown_account", "\(state): \(outcome.output)")
      if state.hasDraft {
        let again = try fixture.run(fixture.login, place)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/store")
        #expect(again.status == 0 && !names.contains(".work.new"), "\(state): \(names)\(again.messages)")
      }
      try FileManager.default.removeItem(atPath: folder)
    }
    FaultTable.note(
      "power: gone | \(row)",
      "\(tried.count) of \(states.count) states of the disk after \(journal.count) calls: old or new in each")
  }

  /// The states at the end, which matter most, and some others.
  private static func some(of states: [Journal.State]) -> [Journal.State] {
    let ends = states.filter(\.isAtEnd)
    let others = states.filter { !$0.isAtEnd }
    let step = max(1, others.count / 6)
    return ends.prefix(4) + stride(from: 0, to: others.count, by: step).map { others[$0] }
  }

  @Test("The test would notice a missing flush, of the file or of a folder", arguments: rows)
  func flushes(_ row: Row) throws {
    let journal = try journal(row, FaultFixture())
    let isWrong = { (state: Journal.State) -> Bool in
      let text = state.text(of: "store/work.json")
      let token = row.new.map { "\"access_token\":\"\($0)\"" }
      let isNew = token.map { text?.contains($0) == true && text?.hasSuffix("}") == true } ?? (text == nil)
      let isOld = row.old.map { text?.contains("\"access_token\":\"\($0)\"") == true } ?? (text == nil)
      return state.isAtEnd ? !isNew : !isNew && !(isOld && (text == nil || text?.hasSuffix("}") == true))
    }
    #expect(!journal.states(everyByte: false).contains(where: isWrong))
    var needed = 0
    for number in journal.flushes {
      let lacks = journal.without(number).states(everyByte: false).contains(where: isWrong)
      if lacks { needed += 1 }
    }
    // Of the account's file and its folder. A first login makes a folder too, and a logout has no file.
    let wanted = ["first login": 3, "login": 2, "refresh": 2, "logout": 1][row.command]
    #expect(needed == wanted, "\(journal.flushes)")
  }
}
