import Foundation
@testable import TestSupport
import Testing

/// The message bus and the keyring end, or fall silent, while a program is in the middle of something.
@Suite("A message bus and a keyring that fail", .blocking)
struct BusFaultTests {
  enum Fault: String, CaseIterable {
    case busKilled = "bus killed"
    case busStopped = "bus silent"
    case keyringKilled = "keyring killed"
    case keyringStopped = "keyring silent"

    /// Whether it lasts until somebody gives up.
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
    "It is an error of the store, or of the time, and no signal; who needs neither goes on", arguments: cells)
  func fails(_ cell: Cell) throws {
    let (desk, bus) = (try FaultDesk(), try PrivateBus(.unlocked))
    // The keyring is the store, and the bus is where the user's folders are.
    let place = bus.environment.merging(["TOKENTRY_STORE": "keyring", "TMPDIR": desk.folder + "/tmp"]) { $1 }
    try #require(try desk.run(desk.login, place).status == 0)
    if let path = cell.state.path { desk.hold(path) } else { try happen(cell.fault, bus) }
    let caller = try desk.start(arguments(cell, desk), place)
    if cell.state.path != nil {
      try #require(desk.isReached(), "\(caller.messages)")
      try happen(cell.fault, bus)
      desk.letGo()
    }
    let outcome = caller.outcome()
    let expected: Int32 = cell.state == .request ? 0 : cell.fault.isSilent ? 4 : 9
    #expect(outcome.status == expected, "\(outcome.output)\(outcome.messages)")
    if cell.state == .request {
      #expect(outcome.output == "{}")
    } else {
      #expect(outcome.faultsOfAnswer == [])
      let error = cell.fault.isSilent ? "timeout" : "store_unavailable"
      #expect(outcome["error"] as? String == error)
    }
    if cell.fault.isSilent {
      bus.signalAll(SIGCONT)
      let kept = try desk.run(FaultDesk.kept, place)
      #expect(kept["access_token"] as? String == "T1", "\(kept.output)")
    }
    #expect(desk.leftovers == [])
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

  private func arguments(_ cell: Cell, _ desk: FaultDesk) -> [String] {
    let patience = ["--timeout", cell.fault.isSilent ? "3" : "60"]
    return switch cell.state {
    case .refresh: FaultDesk.refresh + patience
    case .login: desk.login + patience
    case .request: ["request", "--account", "work", desk.base + "/api"] + patience
    case .logout: ["logout", "--account", "work"] + patience
    case .start: FaultDesk.kept + patience
    }
  }
}
