import Foundation
import TestSupport
import Testing

/// systemd's protocol: sd_listen_fds(3).
@Suite("An agent that systemd starts", .blocking)
struct SocketActivationTests {
  private let folder = TemporaryFolder()

  /// Makes descriptor 3 what the first argument says, listening at the second one, sets LISTEN_PID and LISTEN_FDS to the
  /// third and fourth, and becomes the program.
  private static let manager = """
    import os, socket, sys
    kind, path, process, count = sys.argv[1:5]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    if kind != "silent socket":
        listener.listen()
    os.dup2(os.open(path + ".txt", os.O_CREAT) if kind == "file" else listener.fileno(), 3)
    os.set_inheritable(3, kind != "missing")
    os.environ.update(LISTEN_PID=process or str(os.getpid()), LISTEN_FDS=count)
    os.execv(sys.argv[5], sys.argv[5:])
    """

  private var socketPath: String { folder.path + "/s" }

  private func start(_ kind: String = "", process: String = "", count: String = "1") throws -> RunningTokentry
  {
    try RunningTokentry(
      ["agent", "--store", "file:\(folder.path)/store"], environment: ["XDG_RUNTIME_DIR": folder.path],
      wrapper: ["/usr/bin/python3", "-I", "-c", Self.manager, kind, socketPath, process, count])
  }

  @Test("It answers at the socket of systemd, and leaves it there")
  func activated() throws {
    let agent = try start()
    let answers = try waitUntil {
      try !agent.isRunning
        || Tokentry.run(["accounts", "--store", "agent:" + socketPath]).output == "{\"accounts\":[]}\n"
    }
    #expect(answers && agent.isRunning, "\(agent.messages)")
    agent.end(SIGTERM)
    let outcome = agent.outcome()
    #expect(outcome.status == 0 && outcome["socket"] as? String == socketPath, "\(outcome)")
    #expect(folder.contains("s") && !folder.contains("tokentry-agent/agent.sock"))
  }

  @Test(
    "Something else than one listening socket is status 2",
    arguments: [("", "2"), ("silent socket", "1"), ("file", "1"), ("missing", "1")])
  func unusable(kind: String, count: String) throws {
    let outcome = try start(kind, count: count).outcome()
    #expect(outcome.status == 2 && outcome.error == "invalid_configuration", "\(outcome)")
    #expect(folder.contains("s"), "the agent has removed what is not its own")
  }

  @Test("A socket for another process is not used")
  func others() throws {
    let agent = try start(process: "1")
    let isListening = waitUntil { folder.contains("tokentry-agent/agent.sock") }
    #expect(isListening, "\(agent.messages)")
    agent.end(SIGTERM)
    #expect(agent.outcome()["socket"] as? String == folder.path + "/tokentry-agent/agent.sock")
    #expect(!folder.contains("tokentry-agent/agent.sock"))
  }
}
