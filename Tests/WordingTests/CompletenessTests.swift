import LoginCore
import LoginWays
import Testing

@testable import Wording

/// That nothing is left without words.
@Suite("All words")
struct CompletenessTests {
  private static let places = [
    "LoginCore/Failure", "LoginCore/JSON/JSONFault.swift", "LoginCore/URL/AddressFault.swift",
    "LoginWays/Fault", "Wording/Faults",
  ]

  private static var table: [Any] {
    WordTable.rows.map(\.failure) + FindingTests.rows.map(\.finding) + FindingTests.states
      + PageWordsTests.parents.map(\.0)
  }

  @Test("Every case of every fault is in a table", arguments: places)
  func cases(place: String) throws {
    let declared = try FaultCases.declared(in: place)
    let present = Self.table.reduce(into: Set<String>()) { $0.formUnion(FaultCases.present(in: $1)) }
    #expect(!declared.isEmpty)
    #expect(declared.map(\.name).filter { !present.contains($0) } == [])
  }

  @Test("Every case with a text in it has been tried with a hostile one", arguments: places)
  func texts(place: String) throws {
    let text = "hostile"
    let values: [Any] = HostileWords.failures(saying: text) + FindingTests.findings(saying: text)
    let present = values.reduce(into: Set<String>()) {
      $0.formUnion(FaultCases.present(in: $1, holding: text))
    }
    let declared = try FaultCases.declared(in: place).filter(\.holdsText)
    #expect(declared.map(\.name).filter { !present.contains($0) } == [])
  }

  @Test("A case that the table does not have is noticed")
  func noticed() throws {
    let declared = Set(try FaultCases.declared(in: "LoginCore/Failure").map(\.name))
    #expect(declared.contains("LoginCore.UserFault.cancelled"))
    #expect(declared.contains("LoginCore.UserFault.Cancellation.task"))
    #expect(declared.contains("LoginCore.CertificateFlaw.otherHost"))
    #expect(declared.contains("LoginCore.TemplateFault.Position.hostPart"))
    let present = FaultCases.present(in: Failure.user(.cancelled(.windowClosed)))
    #expect(
      present == [
        "LoginCore.Failure.user", "LoginCore.UserFault.cancelled",
        "LoginCore.UserFault.Cancellation.windowClosed",
      ])
    let paused = Failure.user(.signInPaused(account: "a", seconds: 1))
    #expect(FaultCases.present(in: paused, holding: "a") == ["LoginCore.UserFault.signInPaused"])
    #expect(FaultCases.present(in: paused, holding: "b") == [])
  }
}
