import Foundation
@testable import TestSupport
import Testing

/// What the disk may hold when the power goes at any instant while the real program changes an account, and what the
/// program makes of that afterwards.
@Suite("Accounts in a folder, when the power goes", .blocking)
struct PowerLossTests {
  /// A command that changes the account, and what it has to leave behind: the old tokens until it has ended.
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

  /// The calls of a command on its disk, and what was there before.
  private func journal(_ row: Row, _ desk: FaultDesk) throws -> Journal {
    let tool = try Faulty(in: desk.folder)
    // The folder above the store is made by the login, too.
    let place = ["TOKENTRY_STORE": "file:\(desk.folder)/kept/store"]
    if row.old != nil { try #require(try desk.run(desk.login, place).status == 0) }
    let before = try Journal.files(in: desk.folder + "/kept")
    let arguments =
      switch row.command {
      case "refresh": FaultDesk.refresh
      case "logout": ["logout", "--account", "work"]
      default: desk.login
      }
    let outcome = try desk.run(arguments, place.merging(tool.recording(desk.folder + "/kept")) { $1 })
    try #require(outcome.status == 0, "\(outcome.messages)")
    return Journal(of: tool.lines, under: desk.folder + "/kept", before)
  }

  @Test(
    "At every instant there is the old account or the new one, and after the end the new one", arguments: rows
  )
  func whole(_ row: Row) throws {
    let desk = try FaultDesk()
    let journal = try journal(row, desk)
    #expect(journal.count > 1, "the calls of \(row.command) were written down")
    let states = journal.states(everyByte: Rows.areAll)
    let tried = Rows.areAll ? states : Self.some(of: states)
    for (number, state) in tried.enumerated() {
      let folder = desk.folder + "/tool-loss-\(number)"
      try state.write(to: folder)
      let place = ["TOKENTRY_STORE": "file:\(folder)/store"]
      let outcome = try desk.run(FaultDesk.kept, place)
      let token = outcome["access_token"] as? String
      let mayBe = state.isAtEnd ? [row.new] : [row.old, row.new]
      #expect(mayBe.contains(token), "\(state): \(outcome.output)")
      #expect(token != nil || outcome["error"] as? String == "unknown_account", "\(state): \(outcome.output)")
      if state.hasDraft {
        let again = try desk.run(desk.login, place)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/store")
        #expect(again.status == 0 && !names.contains(".work.new"), "\(state): \(names)\(again.messages)")
      }
      try FileManager.default.removeItem(atPath: folder)
    }
    FaultTable.note(
      "power: gone | \(row)",
      "\(tried.count) of \(states.count) states of the disk after \(journal.count) calls: old or new in each")
  }

  /// Those at the end, which promise most, and others evenly.
  private static func some(of states: [Journal.State]) -> [Journal.State] {
    let ends = states.filter(\.isAtEnd)
    let others = states.filter { !$0.isAtEnd }
    let step = max(1, others.count / 6)
    return ends.prefix(4) + stride(from: 0, to: others.count, by: step).map { others[$0] }
  }

  @Test("A flush that was missing would be seen, of the file and of each folder", arguments: rows)
  func flushes(_ row: Row) throws {
    let journal = try journal(row, FaultDesk())
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
    // Of the account's file and its folder; a first login makes a folder as well, and a logout has no file.
    let wanted = ["first login": 3, "login": 2, "refresh": 2, "logout": 1][row.command]
    #expect(needed == wanted, "\(journal.flushes)")
  }
}
