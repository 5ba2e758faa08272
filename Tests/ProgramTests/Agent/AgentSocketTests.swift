import CLinux
import Foundation
import TestSupport
import Testing

@Suite("The agent's socket", .blocking)
struct AgentSocketTests {
  private let folder = TemporaryFolder()
  private var home: [String: String] {
    ["TOKENTRY_STORE": "file:\(folder.path)/store", "XDG_RUNTIME_DIR": folder.path]
  }

  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Outcome {
    try Tokentry.run(["agent"] + arguments, environment: home.merging(environment) { $1 })
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test("The socket is private, and goes with the agent", arguments: [SIGTERM, SIGINT])
  func life(signal: Int32) throws {
    let program = try RunningTokentry(["agent"], environment: home)
    let path = folder.path + "/tokentry-agent/agent.sock"
    waitUntil { !program.output.isEmpty || !program.isRunning }
    #expect(mode(path) == S_IFSOCK | 0o600)
    #expect(mode(folder.path + "/tokentry-agent") == S_IFDIR | 0o700)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tokentry-agent") == ["agent.sock"])
    #expect(try Tokentry.run(["accounts", "--store", "agent:"], environment: home).status == 0)
    // Forgets the permissions, and nothing else.
    program.end(SIGHUP)
    #expect(try Tokentry.run(["accounts", "--store", "agent:"], environment: home).status == 0)
    program.end(signal)
    let outcome = program.outcome()
    #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(outcome)")
    #expect(outcome.output == "{\"socket\":\"\(path)\"}\n")
    #expect(mode(path) == nil)
  }

  @Test("A socket that a killed agent has left is replaced, and that of a running one is not")
  func stale() throws {
    let path = folder.path + "/s"
    let first = try RunningTokentry(["agent", "--socket", path], environment: home)
    waitUntil { !first.output.isEmpty || !first.isRunning }
    let second = try run(["--socket", path])
    #expect(second.status == 2 && second.error == "invalid_configuration", "\(second)")
    #expect(second.messages.contains("another agent"))
    first.end(SIGKILL)
    _ = first.outcome()
    #expect(mode(path) != nil)
    let third = try RunningTokentry(["agent", "--socket", path], environment: home)
    waitUntil { !third.output.isEmpty || !third.isRunning }
    #expect(third.isRunning, "\(third.messages)")
    // A socket that has taken its place is not the agent's to remove.
    unlink(path)
    try folder.write("mine", to: "s")
    third.end(SIGTERM)
    #expect(third.outcome().status == 0 && folder.text(of: "s") == "mine")
  }

  @Test("A place where others could replace the socket, or that holds something else, is refused")
  func places() throws {
    mkdir(folder.path + "/open", 0o777)
    chmod(folder.path + "/open", 0o777)
    try folder.write("", to: "file")
    symlink(folder.path + "/nowhere", folder.path + "/link")
    for path in ["open/s", "file", "link", "missing/s", String(repeating: "x", count: 108)] {
      let outcome = try run(["--socket", folder.path + "/" + path])
      #expect(outcome.status == 2 && outcome.error == "invalid_configuration", "\(path) \(outcome)")
    }
    let homeless = try run([], ["XDG_RUNTIME_DIR": ""])
    #expect(homeless.status == 2 && homeless.messages.contains("--socket"), "\(homeless)")
  }

  @Test("Programs that say nothing do not keep others out")
  func silent() throws {
    let path = folder.path + "/s"
    let program = try RunningTokentry(["agent", "--socket", path], environment: home)
    waitUntil { !program.output.isEmpty || !program.isRunning }
    let first = try AgentConversation(path)
    #expect(first.line() != nil)
    var others: [AgentConversation] = []
    for _ in 0..<210 { others.append(try AgentConversation(path)) }
    let last = try AgentConversation(path)
    #expect(last.line() != nil)
    #expect(try last.ok(#"{"accounts":{}}"#)["accounts"] != nil)
    #expect(first.line() == nil, "the one that was silent for longest has to go")
    withExtendedLifetime(others) {}
    program.end(SIGTERM)
    _ = program.outcome()
  }

  @Test("A program with many requests in progress shuts out neither itself nor another program")
  func crowd() throws {
    // The provider does not answer before the test ends.
    let isOver = TemporaryFolder()
    let provider = try StandInServer { request, _ in
      if request.path == "/a" {
        return .redirect("https://app.example/done?code=C&state=\(request.query["state"] ?? "")")
      }
      if request.form["refresh_token"] != nil { waitUntil { isOver.contains("go") } }
      return .json(#"{"access_token":"T","token_type":"Bearer","expires_in":30,"refresh_token":"R"}"#)
    }
    try Self.signIn(at: provider, home)
    let agent = try RunningAgent(home)
    let script =
      "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
      + "print(s.recv(1000) != b'', flush=True); print(s.recv(1000), flush=True)"
    let other = try RunningTokentry([], wrapper: ["/usr/bin/python3", "-c", script, agent.socket])
    waitUntil { other.output == "True\n" }
    var busy: [AgentConversation] = []
    for _ in 0..<210 {
      let connection = try agent.connection()
      try connection.send("{\"token\":{\"account\":\"work\"}}\n")
      busy.append(connection)
    }
    let last = try agent.connection()
    #expect(last.line() != nil)
    #expect(try last.ok(#"{"accounts":{}}"#)["accounts"] != nil)
    #expect(other.output == "True\n" && other.isRunning)
    try isOver.write("", to: "go")
    other.end(SIGKILL)
    withExtendedLifetime(busy) {}
  }

  @Test("A program that becomes another one while it waits gets no answer")
  func change() throws {
    let agent = try RunningAgent(home)
    let script = """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      s.recv(1000)
      os.dup2(s.fileno(), 5)
      request = '{"accounts":{}}'
      there = "open S, '+<&=5'; syswrite S, q(%s) . chr(10); print sysread S, $_, 1000" % request
      if sys.argv[2] == "other": os.execv("/usr/bin/perl", ["perl", "-e", there])
      s.sendall((request + chr(10)).encode())
      print(s.recv(1000))
      """
    let same = try Command.run(["/usr/bin/python3", "-c", script, agent.socket, "same"])
    #expect(same.output.contains("ok"), "\(same)")
    let other = try Command.run(["/usr/bin/python3", "-c", script, agent.socket, "other"])
    #expect(other.output == "0", "\(other)")
  }

  @Test(
    "A sandbox whose root has a pipe in place of Flatpak's file does not keep the agent waiting",
    .enabled(if: geteuid() == 0, "only root can choose a root"))
  func pipe() throws {
    let agent = try RunningAgent(home)
    defer { agent.end(SIGKILL) }
    let root = String(agent.socket.dropLast("/agent.sock".count))
    try #require(mkfifo(root + "/.flatpak-info", 0o600) == 0)
    let script =
      "import os, socket, sys; os.chroot(sys.argv[1]); s = socket.socket(socket.AF_UNIX); s.settimeout(20); "
      + "s.connect('/agent.sock'); print(s.recv(1000) != b'')"
    let outcome = try Command.run(["/usr/bin/python3", "-c", script, root])
    #expect(outcome.output == "True\n", "\(outcome)")
  }

  @Test("A program that locks the agent's folder does not keep the agent from starting")
  func locked() throws {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let program = try RunningTokentry(["agent", "--socket", folder.path + "/s"], environment: home)
    waitUntil { !program.output.isEmpty || !program.isRunning }
    #expect(program.isRunning, "\(program.messages)")
    let second = try run(["--socket", folder.path + "/s"])
    #expect(second.messages.contains("another agent listens"), "\(second)")
    program.end(SIGTERM)
    _ = program.outcome()
  }

  @Test(
    "Another user's program gets no greeting",
    .enabled(if: geteuid() == 0, "only root can become another user"))
  func otherUser() throws {
    let folder = TemporaryFolder(forOthers: true)
    let path = folder.path + "/s"
    let program = try RunningTokentry(["agent", "--socket", path], environment: home)
    waitUntil { !program.output.isEmpty || !program.isRunning }
    chmod(path, 0o666)
    let script =
      "import os, socket, sys; os.setuid(65534); s = socket.socket(socket.AF_UNIX); "
      + "s.connect(sys.argv[1]); print(s.recv(100))"
    let outcome = try Command.run(["/usr/bin/python3", "-c", script, path])
    #expect(outcome.output == "b''\n", "\(outcome)")
    program.end(SIGTERM)
    _ = program.outcome()
  }

  @Test("An agent that is told to end answers the request in progress")
  func ending() throws {
    let isHeld = TemporaryFolder()
    let provider = try StandInServer { request, _ in
      if request.path == "/a" {
        return .redirect("https://app.example/done?code=C&state=\(request.query["state"] ?? "")")
      }
      if request.form["refresh_token"] != nil {
        _ = try? isHeld.write("", to: "began")
        waitUntil { isHeld.contains("go") }
      }
      return .json(#"{"access_token":"T","token_type":"Bearer","expires_in":30,"refresh_token":"R"}"#)
    }
    try Self.signIn(at: provider, home)
    let agent = try RunningAgent(home)
    // One that has closed before does not count.
    try #require(try agent.run(["accounts"]).status == 0)
    let program = try agent.connection()
    _ = program.line()
    try program.send("{\"token\":{\"account\":\"work\"}}\n")
    waitUntil { isHeld.contains("began") }
    agent.signal(SIGTERM)
    try isHeld.write("", to: "go")
    let answer = program.object()?["ok"] as? [String: Any]
    #expect(answer?["access_token"] as? String == "T")
    #expect(program.line() == nil)
    #expect(agent.end().status == 0)
  }

  /// Signs in to the account `work` at `provider`.
  private static func signIn(at provider: StandInServer, _ home: [String: String]) throws {
    let login = try Tokentry.run(
      ["login"] + provider.endpoints("/a", "/t")
        + ["--redirect-uri", "https://app.example/done", "--headless-test", "--account", "work"],
      environment: home)
    try #require(login.status == 0, "\(login)")
  }
}
