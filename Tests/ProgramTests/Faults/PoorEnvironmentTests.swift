import Foundation
@testable import TestSupport
import Testing

/// An environment that is incomplete, wrong or too small.
@Suite("Faults of the environment", .blocking)
struct PoorEnvironmentTests {
  /// Shell commands that run before the program, and the possible exit statuses.
  struct Row: CustomStringConvertible, Sendable {
    let name: String
    let script: String
    var statuses: Set<Int32> = [0]
    var description: String { "environment: \(name)" }
  }

  private static let rows = [
    Row(name: "no HOME", script: "unset HOME"), Row(name: "HOME is a file", script: "HOME=/etc/passwd"),
    Row(name: "HOME in wrong bytes", script: #"HOME=$'/\xff\xfe'"#),
    Row(name: "no PATH", script: "unset PATH"),
    Row(name: "TMPDIR is missing", script: "TMPDIR=/nonexistent/tmp"),
    Row(name: "XDG_RUNTIME_DIR is missing", script: "XDG_RUNTIME_DIR=/nonexistent/run"),
    Row(name: "XDG_RUNTIME_DIR is a file", script: "XDG_RUNTIME_DIR=/etc/passwd"),
    Row(
      name: "a keyring without a bus",
      script: "TOKENTRY_STORE=keyring XDG_RUNTIME_DIR=/etc/passwd", statuses: [9]),
    Row(
      name: "languages in wrong bytes",
      script: #"export LANG=$'\xff\xfe' LC_ALL=$'\xff' LANGUAGE=$'\xff:\xfe'"#),
    Row(name: "an unknown language", script: "export LANG=xx_YY.none LC_ALL=tlh LANGUAGE=::"),
    Row(
      name: "variables of 100 kB",
      script: #"export HUGE=$(printf %100000s) LANGUAGE=$(printf 'de:%.0s' {1..30000})"#),
    Row(
      name: "proxies that are not there",
      script: "export http_proxy=http://127.0.0.1:1 all_proxy=socks://127.0.0.1:1"),
    Row(name: "proxies that are nonsense", script: #"export http_proxy=$'\x01:::' all_proxy=%%%"#),
    Row(name: "3 descriptors", script: "ulimit -n 3", statuses: [127]),
    Row(name: "4 descriptors", script: "ulimit -n 4", statuses: [70]),
    Row(name: "5 descriptors", script: "ulimit -n 5", statuses: [9]),
    Row(name: "8 descriptors", script: "ulimit -n 8", statuses: [9]),
    Row(name: "12 descriptors", script: "ulimit -n 12", statuses: [0, 5, 9]),
    Row(name: "24 MB of addresses", script: "ulimit -v 24000", statuses: [0, 70, 127]),
    Row(name: "42 MB of addresses", script: "ulimit -v 42000", statuses: [0, 70]),
    Row(name: "52 MB of addresses", script: "ulimit -v 52000", statuses: [0, 70]),
    Row(name: "no data", script: "ulimit -d 4000", statuses: [0, 70]),
    Row(name: "a stack of 128 kB", script: "ulimit -s 128"),
    Row(name: "every signal ignored", script: "trap '' $(seq 1 31)"),
  ]

  private static let cells = rows.flatMap { row in ["login", "token"].map { Cell(row: row, command: $0) } }
  private static let chosen = FaultTable.chosen(cells, isTelling)

  private static func isTelling(_ cell: Cell) -> Bool {
    if cell.command == "token" { return cell.row.statuses != [0] && !cell.row.name.contains("8 desc") }
    return cell.row.name.hasPrefix("languages in wrong bytes")
  }

  struct Cell: CustomStringConvertible, Sendable {
    let row: Row
    let command: String
    var description: String { "\(row) | \(command)" }
  }

  @Test("There is one answer, and the account stays", arguments: chosen)
  func poor(_ cell: Cell) throws {
    let fixture = try FaultFixture()
    try fixture.logIn()
    let outcome = try fixture.run(
      cell.command == "login" ? fixture.login : FaultFixture.refresh,
      wrapper: ["/bin/bash", "-c", cell.row.script + #"; exec "$0" "$@""#])
    #expect(cell.row.statuses.contains(outcome.status), "\(outcome)")
    // Without its libraries the program cannot print an error.
    if outcome.status != 127 { #expect(outcome.faultsOfAnswer == []) }
    #expect(try fixture.faultsOfAccount() == [])
    FaultTable.note(cell, outcome)
  }

  @Test(
    "A wrong clock neither keeps a token for too long nor loses the account",
    arguments: [1_000_000, -1_000_000, 1_000_000_000, -1_790_000_000, 100_000_000_000])
  func clock(_ seconds: Int) throws {
    let fixture = try FaultFixture()
    let wrong = try Faulty(in: fixture.folder).clock(seconds)
    #expect(try fixture.run(fixture.login, wrong).status == 0)
    // A token that was kept with the wrong clock comes from the future or the past.
    let right = try fixture.run(FaultFixture.kept)
    #expect(right.status == 0 && (right["expires_in"] as? Int ?? 0) <= 3_600, "\(right.output)")
    #expect(right.accessToken == "T2", "the rest of its lifetime cannot be known")
    let again = try fixture.run(FaultFixture.kept, wrong)
    #expect(again.status == 0 && (again["expires_in"] as? Int ?? 0) <= 3_600, "\(again.output)")
    #expect(try fixture.faultsOfAccount() == [])
    FaultTable.note("clock: wrong by \(seconds) s | login, token", again)
  }
}
