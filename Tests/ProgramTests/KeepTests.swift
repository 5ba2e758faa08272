import Foundation
import Synchronization
@testable import TestSupport
import Testing

@Suite("A token that is kept in a file", .blocking)
struct KeepTests {
  private let folder = TemporaryFolder()
  private var environment: [String: String] { ["TOKENTRY_STORE": "file:\(folder.path)/store"] }
  private var file: String { folder.path + "/files/token" }

  init() { mkdir(folder.path + "/files", 0o700) }

  /// A provider whose tokens live for `life` seconds. `isDead` makes it refuse to refresh them.
  private final class Provider: Sendable {
    let isDead = Mutex(false)
    private let number = Mutex(0)
    private let life: Int
    private let type: String

    init(life: Int, type: String = "Bearer") { (self.life, self.type) = (life, type) }

    func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
      if request.form["refresh_token"] != nil, isDead.withLock(\.self) {
        return .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
      let number = number.withLock {
        $0 += 1
        return $0
      }
      return .json(
        #"{"access_token":"T\#(number)","token_type":"\#(type)","expires_in":\#(life),"refresh_token":"R"}"#)
    }
  }

  private func logIn(
    _ provider: Provider, _ account: String = "work", _ options: [String] = []
  ) throws -> StandInServer {
    let server = try StandInServer { request, _ in provider.answer(request) }
    try logIn(at: server, account, options)
    return server
  }

  private func logIn(at server: StandInServer, _ account: String = "work", _ options: [String] = []) throws {
    let outcome = try Tokentry.run(
      ["login"] + server.endpoints() + Tokentry.pasted + ["--account", account] + options,
      input: Tokentry.callback, environment: environment)
    try #require(outcome.status == 0, "\(outcome)")
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
    let server = try logIn(Provider(life: 3_600))
    let expected = "{\"file\":\"\(file)\"}\n"
    try folder.write("old", to: "files/token", mode: 0o644)
    try folder.write("half", to: "files/.token.new")
    let reader = try #require(FileHandle(forReadingAtPath: file))
    #expect(try once([]).output == expected)
    #expect(text() == "T1")
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try once(["--output", "header"]).output == expected)
    #expect(text() == "Authorization: Bearer T1\n")
    #expect(try once(["--output", "json"]).output == expected)
    #expect(text().hasPrefix("{\"access_token\":\"T1\",") && text().hasSuffix("}\n"))
    #expect(!text().contains("refresh_token"))
    #expect(try once(["--min-valid", "7200"]).output == expected)
    #expect(text() == "T2" && server.requests.count == 2)
    #expect(try files() == ["token"])
  }

  @Test("A bound token is kept as json, without its key")
  func bound() throws {
    _ = try logIn(Provider(life: 3_600, type: "DPoP"), "bound", ["--dpop"])
    let refused = try once([], account: "bound")
    #expect(refused.status == 2 && refused.error == "invalid_configuration", "\(refused)")
    #expect(try once(["--output", "json"], account: "bound").status == 0)
    #expect(text().contains("\"token_type\":\"DPoP\"") && !text().contains("dpop_jwk"))
  }

  @Test("What cannot work is refused at the start, and leftovers are removed even then")
  func mistakes() throws {
    let server = try logIn(Provider(life: 3_600))
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
    #expect(try files() == [] && server.requests.count == 1)
  }

  @Test("A failure is the object, whatever the format of the file", arguments: ["json", "token", "env"])
  func failures(format: String) throws {
    let outcome = try once(["--output", format], account: "nobody")
    let error = format == "env" ? "invalid_option" : "unknown_account"
    #expect(outcome["error"] as? String == error, "\(outcome)")
  }

  @Test("It renews the token until a signal ends it, whose caller sees the end of the output at once")
  func renewed() throws {
    let server = try logIn(Provider(life: 2))
    defer { withExtendedLifetime(server) {} }
    let output = Pipe()
    let keep = try RunningTokentry(words(), environment: environment, output: output)
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: answer, as: UTF8.self) == "{\"file\":\"\(file)\"}\n")
    #expect(keep.isRunning)
    #expect(waitUntil { text() == "T4" })
    keep.end(SIGTERM)
    let outcome = keep.outcome()
    #expect(outcome.status == 0 && outcome.messages == "", "\(outcome)")
    #expect(text().hasPrefix("T"), "the file stays")
  }

  @Test("SIGINT and SIGHUP end it well", arguments: [SIGINT, SIGHUP])
  func ended(signal: Int32) throws {
    _ = try logIn(Provider(life: 3_600))
    let keep = try RunningTokentry(words(), environment: environment)
    #expect(waitUntil { text() == "T1" })
    keep.end(signal)
    let outcome = keep.outcome()
    #expect(outcome.status == 0 && outcome.messages == "", "\(outcome)")
    #expect(text() == "T1")
  }

  @Test("It goes on when its caller has ended")
  func outlivesCaller() throws {
    let server = try logIn(Provider(life: 2))
    defer { withExtendedLifetime(server) {} }
    // Python closes the socket by which Foundation notices the end of a program and of all that it has started.
    let script =
      "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], stdin=-3, stdout=-3, stderr=-3).pid)"
    let caller = try Command.run(
      ["/usr/bin/python3", "-I", "-S", "-c", script, Tokentry.path()] + words(),
      environment: Tokentry.environment.merging(environment) { $1 })
    let keep = try #require(pid_t(caller.output.trimmingCharacters(in: .newlines)))
    defer { kill(keep, SIGKILL) }
    #expect(waitUntil { text() == "T3" })
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
      try logIn(at: server, name)
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
