import Foundation
@testable import TestSupport
import Testing

/// The disk fails at each of the calls that a program makes, one after the other (faulty.c).
@Suite("Faults of the disk", .blocking)
struct DiskFaultTests {
  /// The fault.
  enum Deed: String, CaseIterable {
    case full, eio, kill, torn
  }

  /// A fault at the call of this number.
  struct Cell: CustomStringConvertible, Sendable {
    let deed: Deed
    let command: String
    let call: Int

    var description: String { "disk: \(deed.rawValue) | \(command), call \(call)" }
  }

  /// The numbers are higher than the commands need. A fault after the last call never comes, which the table
  /// notes.
  private static let cells = FaultTable.chosen(
    Deed.allCases.flatMap { deed in
      ["login", "refresh", "logout"].flatMap { command in
        (1...(command == "login" ? 28 : 18)).map { Cell(deed: deed, command: command, call: $0) }
      }
    }, isTelling)

  private static func isTelling(_ cell: Cell) -> Bool {
    switch (cell.command, cell.deed) {
    case ("refresh", .full): [1, 5, 8, 12].contains(cell.call)
    case ("refresh", .torn): cell.call == 8
    case ("refresh", .kill): [10, 12].contains(cell.call)
    case ("login", .full): cell.call == 12
    case ("logout", .kill): cell.call == 2
    default: false
    }
  }

  @Test("No account is half written or lost, and the answer tells the failure", arguments: cells)
  func fails(_ cell: Cell) throws {
    let fixture = try FaultFixture()
    let tool = try Faulty(in: fixture.folder)
    if cell.command != "login" || cell.call % 2 == 0 { try fixture.logIn() }
    let isFirst = fixture.issued == 0
    let arguments =
      switch cell.command {
      case "login": fixture.login
      case "refresh": FaultFixture.refresh
      default: ["logout", "--account", "work"]
      }
    let outcome = try fixture.run(
      arguments, tool.at(cell.call, cell.deed.rawValue, under: fixture.folder + "/store"))
    let isReached = tool.calls >= cell.call
    let isKilled = outcome.status == -SIGKILL
    #expect(isKilled == (isReached && [.kill, .torn].contains(cell.deed)) || cell.deed == .torn)
    if !isKilled {
      #expect(outcome.faultsOfAnswer == [])
      #expect([0, 9].contains(outcome.status), "\(outcome.output)")
    }
    let kept = try fixture.run(FaultFixture.kept)
    // Only a failed login or a logout may leave no account.
    let mayBeMissing = isFirst && outcome.status != 0 || cell.command == "logout"
    if kept.status != 0 {
      #expect(kept.error == "unknown_account" && mayBeMissing, "\(kept.output)")
    } else {
      #expect(kept["refresh_token"] as? String == "R\((kept.accessToken ?? "").dropFirst())")
      let again = try fixture.run(FaultFixture.refresh)
      // The new token is lost if the program is killed, or the disk breaks, between the provider's answer and the
      // write.
      let mayBeLost = cell.command != "logout" && (isKilled || cell.deed == .eio)
      #expect(again.status == 0 || mayBeLost && again.status == 8, "\(again.output)")
      if again.status == 0 {
        // The next login removes what the check of the store has left.
        if cell.command == "login" { #expect(try fixture.run(fixture.login).status == 0) }
        #expect(fixture.leftovers == [])
      }
    }
    FaultTable.note(cell, outcome, "\(isReached ? "" : " (no such call)"), then status \(kept.status)")
  }

  @Test("A disk that is really full refuses a refresh before the old token is dead")
  func really() throws {
    let fixture = try FaultFixture()
    let script = """
      "$0" "${@:2}" >/dev/null && head -c 1000000 /dev/zero >"$1/store/fill" 2>/dev/null
      "$0" token --account work --silent --min-valid 7200; echo "status $?"
      rm "$1/store/fill"; "$0" token --account work --silent --min-valid 7200 --output token; ls -A "$1/store"
      """
    try FileManager.default.createDirectory(
      atPath: fixture.folder + "/store", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let outcome = try Command.run(
      ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--size", "65536", "--perms", "0700", "--tmpfs"] + [
        fixture.folder + "/store", "bash", "-c", script, Tokentry.path(), fixture.folder,
      ] + fixture.login, environment: Tokentry.environment.merging(fixture.environment) { $1 })
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix(#"{"error":"store_unavailable""#) == true, "\(lines)")
    #expect(lines.dropFirst() == ["status 9", "T2", ".work.attempts", ".work.lock", "work.json"], "\(lines)")
    FaultTable.note("disk: full tmpfs | refresh", lines.dropFirst().joined(separator: ", "))
  }

  @Test("The user does not sign in for a token that the disk has no room for")
  func signIn() throws {
    let fixture = try FaultFixture()
    // Without a refresh token no room is reserved in advance.
    fixture.answer("/t", with: .json(#"{"access_token":"T1","token_type":"Bearer","expires_in":10}"#))
    try fixture.logIn()
    fixture.answer("/auth", with: .hangUp)
    let again = ["token", "--account", "work", "--headless-test"]
    #expect(try fixture.run(again).error == "network_error", "the user has to sign in")
    let full = try Faulty(in: fixture.folder).at(1, "full", under: fixture.folder + "/store")
    #expect(try fixture.run(again, full).error == "store_unavailable")
  }

  @Test("A file that may not grow is an error, and the program does not crash", arguments: [0, 1])
  func limited(blocks: Int) throws {
    let fixture = try FaultFixture()
    try fixture.logIn()
    let limit = ["/bin/bash", "-c", "ulimit -f \(blocks); exec \"$0\" \"$@\""]
    let outcome = try fixture.run(FaultFixture.refresh, wrapper: limit)
    #expect(outcome.status == 9 && outcome.error == "store_unavailable", "\(outcome.output)")
    // The messages go into a file here, so the limit applies to them too.
    #expect(outcome.faultsOfAnswer.filter { !$0.hasPrefix("no message") } == [])
    #expect(fixture.issued == 1, "no token was requested that could not be kept")
    #expect(try fixture.faultsOfAccount() == [])
    FaultTable.note("disk: files of \(blocks) KiB at most | refresh", outcome)
  }

  @Test("A folder that cannot be written is an error, and the account stays", .enabled(if: geteuid() == 0))
  func readOnly() throws {
    let fixture = try FaultFixture()
    try fixture.logIn()
    let bind = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", fixture.folder, fixture.folder]
    for (name, arguments) in [
      ("refresh", FaultFixture.refresh), ("login", fixture.login),
      ("logout", ["logout", "--account", "work"]),
    ] {
      let outcome = try fixture.run(arguments, wrapper: bind)
      #expect(outcome.status == 9 && outcome.error == "store_unavailable", "\(outcome.output)")
      FaultTable.note("disk: read-only | \(name)", outcome)
    }
    let kept = try fixture.run(FaultFixture.kept, wrapper: bind)
    #expect(kept.accessToken == "T1")
    #expect(fixture.issued == 1)
    #expect(try fixture.faultsOfAccount() == [])
  }
}

/// The library faulty.c, which stands between a program and its disk.
struct Faulty {
  private let library: String
  private let log: String

  private static let lock = NSLock()

  init(in folder: String) throws {
    (library, log) = (folder + "/tool.so", folder + "/tool-log")
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "faulty.c").path()
    // Compiled once and copied, because the compiler takes a quarter of a second.
    let made = FileManager.default.temporaryDirectory.appending(path: "faulty-\(getpid()).so").path()
    try Self.lock.withLock {
      if FileManager.default.fileExists(atPath: made) { return }
      _ = try Command.run(["/usr/bin/gcc", "-shared", "-fPIC", "-o", made, source, "-ldl"])
      atexit {
        unlink(FileManager.default.temporaryDirectory.appending(path: "faulty-\(getpid()).so").path())
      }
    }
    try FileManager.default.copyItem(atPath: made, toPath: library)
  }

  /// Variables for a fault at a call.
  func at(_ call: Int, _ deed: String, under folder: String) -> [String: String] {
    recording(folder).merging(["FAULTY_AT": "\(call)", "FAULTY_DEED": deed]) { $1 }
  }

  /// Variables that log every call.
  func recording(_ folder: String) -> [String: String] {
    ["LD_PRELOAD": library, "FAULTY_UNDER": folder, "FAULTY_LOG": log]
  }

  /// Variables that set the clock wrong by some seconds.
  func clock(_ seconds: Int) -> [String: String] { ["LD_PRELOAD": library, "FAULTY_CLOCK": "\(seconds)"] }

  /// Variables that make the close of a file fail.
  func closing(_ path: String) -> [String: String] { ["LD_PRELOAD": library, "FAULTY_CLOSE": path] }

  /// The logged calls.
  var lines: [String] {
    ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  var calls: Int { lines.count }

  func forget() { unlink(log) }
}
