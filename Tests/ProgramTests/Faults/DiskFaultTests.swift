import Foundation
@testable import TestSupport
import Testing

/// The disk fails at every one of the calls that a program makes of it, one after the other (faulty.c).
@Suite("A disk that fails", .blocking)
struct DiskFaultTests {
  /// What happens to the disk, or to the program, at a call.
  enum Deed: String, CaseIterable {
    case full, eio, kill, torn
  }

  /// A fault at the call of this number, of those that a command makes.
  struct Cell: CustomStringConvertible, Sendable {
    let deed: Deed
    let command: String
    let call: Int

    var description: String { "disk: \(deed.rawValue) | \(command), call \(call)" }
  }

  /// More calls than these commands make; a fault behind the last one never comes, which is noted.
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

  @Test("Nothing is half, nothing is lost, and the answer says so", arguments: cells)
  func fails(_ cell: Cell) throws {
    let desk = try FaultDesk()
    let tool = try Faulty(in: desk.folder)
    if cell.command != "login" || cell.call % 2 == 0 { try desk.logIn() }
    let isFirst = desk.issued == 0
    let arguments =
      switch cell.command {
      case "login": desk.login
      case "refresh": FaultDesk.refresh
      default: ["logout", "--account", "work"]
      }
    let outcome = try desk.run(
      arguments, tool.at(cell.call, cell.deed.rawValue, under: desk.folder + "/store"))
    let isReached = tool.calls >= cell.call
    let isKilled = outcome.status == -SIGKILL
    #expect(isKilled == (isReached && [.kill, .torn].contains(cell.deed)) || cell.deed == .torn)
    if !isKilled {
      #expect(outcome.faultsOfAnswer == [])
      #expect([0, 9].contains(outcome.status), "\(outcome.output)")
    }
    let kept = try desk.run(FaultDesk.kept)
    // A login that has failed, or a logout that has not, leaves what was there before.
    let mayBeMissing = isFirst && outcome.status != 0 || cell.command == "logout"
    if kept.status != 0 {
      #expect(kept["error"] as? String == "unknown_account" && mayBeMissing, "\(kept.output)")
    } else {
      #expect(kept["refresh_token"] as? String == "R\((kept["access_token"] as? String ?? "").dropFirst())")
      let again = try desk.run(FaultDesk.refresh)
      // Between the provider's answer and the disk nobody can help: a program that is killed, or a disk that is broken.
      let mayBeLost = cell.command != "logout" && (isKilled || cell.deed == .eio)
      #expect(again.status == 0 || mayBeLost && again.status == 8, "\(again.output)")
      if again.status == 0 {
        // What finding out whether a login can be kept has left goes with the next login.
        if cell.command == "login" { #expect(try desk.run(desk.login).status == 0) }
        #expect(desk.leftovers == [])
      }
    }
    FaultTable.note(cell, outcome, "\(isReached ? "" : " (no such call)"), then status \(kept.status)")
  }

  @Test("A disk that is really full refuses a refresh before the old token is dead")
  func really() throws {
    let desk = try FaultDesk()
    let script = """
      "$0" "${@:2}" >/dev/null && head -c 1000000 /dev/zero >"$1/store/fill" 2>/dev/null
      "$0" token --account work --silent --min-valid 7200; echo "status $?"
      rm "$1/store/fill"; "$0" token --account work --silent --min-valid 7200 --output token; ls -A "$1/store"
      """
    try FileManager.default.createDirectory(
      atPath: desk.folder + "/store", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let outcome = try Program.output(
      of: "/usr/bin/env",
      desk.environment.map { "\($0.key)=\($0.value)" } + [
        "bwrap", "--dev-bind", "/", "/", "--size", "65536", "--perms", "0700", "--tmpfs",
        desk.folder + "/store",
        "bash", "-c",
        script, Program.executable().path(), desk.folder,
      ] + desk.login)
    let lines = String(decoding: outcome, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix(#"{"error":"store_unavailable""#) == true, "\(lines)")
    #expect(lines.dropFirst() == ["status 9", "T2", ".work.attempts", ".work.lock", "work.json"], "\(lines)")
    FaultTable.note("disk: full tmpfs | refresh", lines.dropFirst().joined(separator: ", "))
  }

  @Test("Nobody signs in again for a token that the disk has no room for")
  func signIn() throws {
    let desk = try FaultDesk()
    // Without a refresh token nothing is reserved before.
    desk.answer("/t", with: .json(#"{"access_token":"T1","token_type":"Bearer","expires_in":10}"#))
    try desk.logIn()
    desk.answer("/auth", with: .hangUp)
    let again = ["token", "--account", "work", "--headless-test"]
    #expect(try desk.run(again)["error"] as? String == "network_error", "somebody has to sign in")
    let full = try Faulty(in: desk.folder).at(1, "full", under: desk.folder + "/store")
    #expect(try desk.run(again, full)["error"] as? String == "store_unavailable")
  }

  @Test("A file that may not grow is an error and no end of the program", arguments: [0, 1])
  func limited(blocks: Int) throws {
    let desk = try FaultDesk()
    try desk.logIn()
    let limit = ["/bin/bash", "-c", "ulimit -f \(blocks); exec \"$0\" \"$@\""]
    let outcome = try desk.run(FaultDesk.refresh, wrapper: limit)
    #expect(outcome.status == 9 && outcome["error"] as? String == "store_unavailable", "\(outcome.output)")
    // What it says goes into a file here, for which the limit holds as well.
    #expect(outcome.faultsOfAnswer.filter { !$0.hasPrefix("no message") } == [])
    #expect(desk.issued == 1, "nothing was asked for that could not be kept")
    #expect(try desk.faultsOfAccount() == [])
    FaultTable.note("disk: files of \(blocks) KiB at most | refresh", outcome)
  }

  @Test(
    "A folder that cannot be written is said to be so, and the account stays", .enabled(if: geteuid() == 0))
  func readOnly() throws {
    let desk = try FaultDesk()
    try desk.logIn()
    let bind = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", desk.folder, desk.folder]
    for (name, arguments) in [
      ("refresh", FaultDesk.refresh), ("login", desk.login), ("logout", ["logout", "--account", "work"]),
    ] {
      let outcome = try desk.run(arguments, wrapper: bind)
      #expect(outcome.status == 9 && outcome["error"] as? String == "store_unavailable", "\(outcome.output)")
      FaultTable.note("disk: read-only | \(name)", outcome)
    }
    let kept = try desk.run(FaultDesk.kept, wrapper: bind)
    #expect(kept["access_token"] as? String == "T1")
    #expect(desk.issued == 1)
    #expect(try desk.faultsOfAccount() == [])
  }
}

/// What stands between a program and its disk, and what it has written down.
struct Faulty {
  private let library: String
  private let log: String

  private static let lock = NSLock()

  init(in folder: String) throws {
    (library, log) = (folder + "/tool.so", folder + "/tool-log")
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "faulty.c").path()
    // Made once, and copied: the compiler takes a quarter of a second.
    let made = FileManager.default.temporaryDirectory.appending(path: "faulty-\(getpid()).so").path()
    try Self.lock.withLock {
      if FileManager.default.fileExists(atPath: made) { return }
      _ = try Program.output(of: "/usr/bin/gcc", ["-shared", "-fPIC", "-o", made, source, "-ldl"])
      atexit {
        unlink(FileManager.default.temporaryDirectory.appending(path: "faulty-\(getpid()).so").path())
      }
    }
    try FileManager.default.copyItem(atPath: made, toPath: library)
  }

  /// The variables that make something happen at a call.
  func at(_ call: Int, _ deed: String, under folder: String) -> [String: String] {
    recording(folder).merging(["FAULTY_AT": "\(call)", "FAULTY_DEED": deed]) { $1 }
  }

  /// The variables that have everything written down.
  func recording(_ folder: String) -> [String: String] {
    ["LD_PRELOAD": library, "FAULTY_UNDER": folder, "FAULTY_LOG": log]
  }

  /// The variables that set the clock wrong by so many seconds.
  func clock(_ seconds: Int) -> [String: String] { ["LD_PRELOAD": library, "FAULTY_CLOCK": "\(seconds)"] }

  /// The variables that have a file fail when it is closed.
  func closing(_ path: String) -> [String: String] { ["LD_PRELOAD": library, "FAULTY_CLOSE": path] }

  /// What was written down.
  var lines: [String] {
    ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  var calls: Int { lines.count }

  func forget() { unlink(log) }
}
