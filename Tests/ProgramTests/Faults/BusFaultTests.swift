import Foundation
@testable import TestSupport
import Testing

/// The message bus or the keyring ends, or stops answering, while a program is in the middle of its work.
@Suite("Faults of the message bus and the keyring", .blocking)
struct BusFaultTests {
  enum Fault: String, CaseIterable {
    case busKilled = "bus killed"
    case busStopped = "bus silent"
    case keyringKilled = "keyring killed"
    case keyringStopped = "keyring silent"

    /// True if the fault lasts until the program gives up.
    var isSilent: Bool { [.busStopped, .keyringStopped].contains(self) }
  }

  enum State: String, CaseIterable {
    case refresh = "token, refreshing"
    case login = "login, at the token"
    case request = "request, at the API"
    case logout = "logout, at the revocation"
    case start = "token, before anything"

    var path: String? {
      switch self {
      case .refresh, .login: "/t"
      case .request: "/api"
      case .logout: "/revoke"
      case .start: nil
      }
    }
  }

  struct Cell: CustomStringConvertible, Sendable {
    let fault: Fault
    let state: State
    var description: String { "\(fault.rawValue) | \(state.rawValue)" }
  }

  private static let cells = FaultTable.chosen(
    State.allCases.flatMap { state in Fault.allCases.map { Cell(fault: $0, state: state) } }, isTelling)

  private static func isTelling(_ cell: Cell) -> Bool {
    switch (cell.fault, cell.state) {
    case (.busKilled, .refresh), (.busKilled, .request), (.keyringKilled, .login), (.keyringStopped, .start):
      true
    default: false
    }
  }

  @Test(
    "A fault is an error of the store or a timeout, and a request without the store succeeds",
    arguments: cells)
  func fails(_ cell: Cell) throws {
    let (fixture, bus) = (try FaultFixture(), try PrivateBus(.unlocked))
    // The keyring is the store, and the user's folders are on the bus's side.
    let place = bus.environment.merging(["TOKENTRY_STORE": "keyring", "TMPDIR": fixture.folder + "/tmp"]) {
      $1
    }
    try #require(try fixture.run(fixture.login, place).status == 0)
    if let path = cell.state.path { fixture.hold(path) } else { try happen(cell.fault, bus) }
    let caller = try fixture.start(arguments(cell, fixture), place)
    if cell.state.path != nil {
      try #require(fixture.isReached(), "\(caller.messages)")
      try happen(cell.fault, bus)
      fixture.letGo()
    }
    let outcome = caller.outcome()
    let expected: Int32 = cell.state == .request ? 0 : cell.fault.isSilent ? 4 : 9
    #expect(outcome.status == expected, "\(outcome)")
    if cell.state == .request {
      #expect(outcome.output == "{}")
    } else {
      #expect(outcome.faultsOfAnswer == [])
      let error = cell.fault.isSilent ? "timeout" : "store_unavailable"
      #expect(outcome.error == error)
    }
    if cell.fault.isSilent {
      bus.signalAll(SIGCONT)
      let kept = try fixture.run(FaultFixture.kept, place)
      #expect(kept.accessToken == "T1", "\(kept.output)")
    }
    #expect(fixture.leftovers == [])
    FaultTable.note(cell, outcome)
  }

  private func happen(_ fault: Fault, _ bus: PrivateBus) throws {
    switch fault {
    case .busKilled: bus.signalBus(SIGKILL)
    case .busStopped: bus.signalBus(SIGSTOP)
    case .keyringKilled: bus.signalKeyring(SIGKILL)
    case .keyringStopped: bus.signalKeyring(SIGSTOP)
    }
  }

  private func arguments(_ cell: Cell, _ fixture: FaultFixture) -> [String] {
    let patience = ["--timeout", cell.fault.isSilent ? "3" : "60"]
    return switch cell.state {
    case .refresh: FaultFixture.refresh + patience
    case .login: fixture.login + patience
    case .request: ["request", "--account", "work", fixture.base + "/api"] + patience
    case .logout: ["logout", "--account", "work"] + patience
    case .start: FaultFixture.kept + patience
    }
  }
}
