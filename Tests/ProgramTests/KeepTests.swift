import Foundation
import Synchronization
@testable import TestSupport
import Testing

@Suite("A token that is kept in a file", .blocking)
struct KeepTests {
  private let folder = TemporaryFolder()
  private let demo: RunningDemo
  private var environment: [String: String] { demo.environment }
  private var file: String { folder.path + "/files/token" }

  init() throws {
    mkdir(folder.path + "/files", 0o700)
    demo = try RunningDemo(in: folder)
  }

  /// Makes an account, and returns its token.
  private func logIn(_ account: String = "work", _ options: [String] = []) throws -> String {
    let outcome = try demo.login(["--account", account] + options, scope: "profile")
    return try #require(outcome.accessToken, "\(outcome)")
  }

  private func words(_ options: [String] = [], account: String = "work", file: String? = nil) -> [String] {
    ["keep", "--account", account, "--file", file ?? self.file] + options
  }

  private func once(_ options: [String], account: String = "work", file: String? = nil) throws -> Outcome {
    try Tokentry.run(words(["--once"] + options, account: account, file: file), environment: environment)
  }

  private func text() -> String { folder.text(of: "files/token") }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/files")
  }

  @Test("The file has the chosen format, only its owner can read it, and a reader keeps the old one open")
  func formats() throws {
    let token = try logIn()
    let expected = "{\"file\":\"\(file)\"}\n"
    try folder.write("old", to: "files/token", mode: 0o644)
    try folder.write("half", to: "files/.token.new")
    let reader = try #require(FileHandle(forReadingAtPath: file))
    #expect(try once([]).output == expected)
    #expect(text() == token)
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try once(["--output", "header"]).output == expected)
    #expect(text() == "Authorization: Bearer \(token)\n")
    #expect(try once(["--output", "json"]).output == expected)
    #expect(text().hasPrefix("{\"access_token\":\"\(token)\",") && text().hasSuffix("}\n"))
    #expect(!text().contains("refresh_token"))
    #expect(try once(["--min-valid", "7200"]).output == expected)
    #expect(try text() != token && demo.count("refreshes") == 1)
    #expect(try files() == ["token"])
  }

  @Test("A bound token is kept as json, without its key")
  func bound() throws {
    _ = try logIn("bound", ["--dpop"])
    let refused = try once([], account: "bound")
    #expect(refused.status == 2 && refused.error == "invalid_configuration", "\(refused)")
    #expect(try once(["--output", "json"], account: "bound").status == 0)
    #expect(text().contains("\"token_type\":\"DPoP\"") && !text().contains("dpop_jwk"))
  }

  @Test("What cannot work is refused at the start, and leftovers are removed even then")
  func mistakes() throws {
    _ = try logIn()
    let requests = try demo.requests().count
    symlink("target", folder.path + "/link")
    mkdir(folder.path + "/folder", 0o700)
    mkdir(folder.path + "/shared", 0o777)
    chmod(folder.path + "/shared", 0o777)
    try folder.write("", to: "theirs")
    let isRoot = geteuid() == 0 && chown(folder.path + "/theirs", 65_534, 65_534) == 0
    let rows: [(name: String, status: Int32, error: String)] = [
      ("link", 2, "invalid_configuration"), ("folder", 2, "invalid_configuration"),
      ("folder/", 2, "invalid_configuration"), ("shared/token", 2, "invalid_configuration"),
      ("missing/token", 9, "output_failed"),
    ]
    for (name, status, error) in rows + (isRoot ? [("theirs", 2, "invalid_configuration")] : []) {
      for options in [[], ["--once"]] {
        let outcome = try Tokentry.run(
          words(options, file: "\(folder.path)/\(name)"), environment: environment)
        #expect(outcome.status == status && outcome.error == error, "\(name): \(outcome)")
      }
    }
    try folder.write("half", to: "files/.token.new")
    let unknown = try Tokentry.run(words(account: "none"), environment: environment)
    #expect(unknown.status == 8 && unknown.error == "unknown_account", "\(unknown)")
    #expect(try once(["--output", "id_token"]).status == 6)
    #expect(try once(["--output", "env"]).status == 2)
    #expect(try files() == [] && demo.requests().count == requests)
  }

  @Test("A failure is the object, whatever the format of the file", arguments: ["json", "token", "env"])
  func failures(format: String) throws {
    let outcome = try once(["--output", format], account: "nobody")
    let error = format == "env" ? "invalid_option" : "unknown_account"
    #expect(outcome["error"] as? String == error, "\(outcome)")
  }

  @Test("It renews the token until a signal ends it, whose caller sees the end of the output at once")
  func renewed() throws {
    try demo.faults("short-life=2")
    _ = try logIn()
    let output = Pipe()
    let keep = try RunningTokentry(words(), environment: environment, output: output)
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: answer, as: UTF8.self) == "{\"file\":\"\(file)\"}\n")
    #expect(keep.isRunning)
    var seen: Set<String> = []
    #expect(waitUntil { seen.insert(text()).inserted && seen.count == 4 })
    keep.end(SIGTERM)
    let outcome = keep.outcome()
    #expect(outcome.status == 0 && outcome.messages == "", "\(outcome)")
    #expect(!text().isEmpty, "the file stays")
  }

  @Test("SIGINT and SIGHUP end it well", arguments: [SIGINT, SIGHUP])
  func ended(signal: Int32) throws {
    let token = try logIn()
    let keep = try RunningTokentry(words(), environment: environment)
    #expect(waitUntil { text() == token })
    keep.end(signal)
    let outcome = keep.outcome()
    #expect(outcome.status == 0 && outcome.messages == "", "\(outcome)")
    #expect(text() == token)
  }

  @Test("It goes on when its caller has ended")
  func outlivesCaller() throws {
    try demo.faults("short-life=2")
    _ = try logIn()
    // Python closes the socket by which Foundation notices the end of a program and of all that it has started.
    let script =
      "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], stdin=-3, stdout=-3, stderr=-3).pid)"
    let caller = try Command.run(
      ["/usr/bin/python3", "-I", "-S", "-c", script, Tokentry.path()] + words(),
      environment: Tokentry.environment.merging(environment) { $1 })
    let keep = try #require(pid_t(caller.output.trimmingCharacters(in: .newlines)))
    defer { kill(keep, SIGKILL) }
    var seen: Set<String> = [""]
    #expect(waitUntil { seen.insert(text()).inserted && seen.count == 4 })
    kill(keep, SIGTERM)
    #expect(waitUntil { kill(keep, 0) != 0 || isZombie(keep) })
  }

  private func isZombie(_ process: pid_t) -> Bool {
    systemFile("/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self).contains(") Z ") } ?? true
  }

  @Test("However often it is killed, a reader sees the old token or the new one, never a part")
  func killed() throws {
    let length = 60_000
    for name in ["a", "b"] {
      let token = String(repeating: name, count: length)
      let server = try StandInServer { _, _ in .json(#"{"access_token":"\#(token)","token_type":"Bearer"}"#) }
      let login = ["login"] + server.endpoints() + Tokentry.pasted + ["--account", name]
      #expect(try Tokentry.run(login, input: Tokentry.callback, environment: environment).status == 0)
    }
    let start = ContinuousClock.now
    #expect(try once([], account: "a").status == 0)
    var pause = (ContinuousClock.now - start) / .microseconds(1)
    let tokens = ["a", "b"].map { Data(String(repeating: $0, count: length).utf8) }
    let reader = Reader(file, expecting: tokens)
    let rounds = Rows.areAll ? 1_000 : 100
    var (isB, changes) = (true, 0)
    for _ in 0..<rounds {
      let process = Command.process(
        try [Tokentry.path()] + words(account: isB ? "b" : "a"),
        environment: Tokentry.environment.merging(environment) { $1 })
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(pause * .random(in: 0.5...1.5)))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // Half of the kills come before the change, whatever the machine does besides.
      let isChanged = FileManager.default.contents(atPath: file) == tokens[isB ? 1 : 0]
      if isChanged { (isB, changes) = (!isB, changes + 1) }
      pause *= isChanged ? 0.9 : 1.1
    }
    let seen = reader.end()
    #expect(seen.parts == 0)
    #expect(changes > rounds / 5 && changes < rounds, "it was killed before and after the change")
    print("\(rounds) kills of keep: \(seen.reads) reads, \(changes) changes, \(seen.parts) parts")
    #expect(try once([], account: "a").status == 0)
    #expect(try files() == ["token"])
  }

  /// Reads a file again and again on a thread of its own.
  private final class Reader: Sendable {
    struct Seen {
      var (reads, parts) = (0, 0)
    }

    private let state = Mutex((seen: Seen(), isEnding: false, hasEnded: false))

    init(_ path: String, expecting tokens: [Data]) {
      Thread.detachNewThread { [self] in
        while !state.withLock(\.isEnding) {
          let bytes = FileManager.default.contents(atPath: path) ?? Data()
          state.withLock { state in
            state.seen.reads += 1
            if !tokens.contains(bytes) { state.seen.parts += 1 }
          }
          usleep(500)
        }
        state.withLock { $0.hasEnded = true }
      }
    }

    /// Ends the thread, and returns its counts.
    func end() -> Seen {
      state.withLock { $0.isEnding = true }
      waitUntil { state.withLock(\.hasEnded) }
      return state.withLock(\.seen)
    }
  }
}
