import Foundation
import Synchronization
import TestSupport
import Testing

/// An agent of a server in between is a second party, like a provider.
@Suite("An agent that lies", .blocking)
struct LyingAgentTests {
  private let folder = TemporaryFolder(forOthers: true)
  private var path: String { folder.path + "/s" }

  /// Answers every request with the same line and writes the requests into a file.
  private static let script = """
    import os, socket, sys
    path, answer, user = sys.argv[1:]
    log = open(path + '.log', 'a', buffering=1)
    if user: os.setgid(int(user)); os.setuid(int(user))
    s = socket.socket(socket.AF_UNIX)
    s.bind(path + '.new')
    os.chmod(path + '.new', 0o666)
    s.listen()
    os.rename(path + '.new', path)  # or a program could find the socket before it listens
    while True:
        c = s.accept()[0]
        c.sendall(b'{"tokentry_agent":1,"can":["token","accounts"]}\\n')
        for line in c.makefile('r'):
            log.write(line)
            c.sendall(answer.encode() + b'\\n')
    """

  /// Runs a command with an agent that gives this answer. Returns the outcome and what the agent was told.
  private func ask(
    _ arguments: [String], input: String = "", answer: String, user: String = "", script: String = script
  ) throws -> (outcome: Outcome, told: String) {
    chmod(folder.path, 0o777)
    let process = Command.process(["/usr/bin/python3", "-c", script, path, answer, user])
    try process.run()
    let isThere = waitUntil { folder.contains("s") || !process.isRunning }
    try #require(isThere && process.isRunning)
    let outcome = try Tokentry.run(arguments, input: input, environment: ["TOKENTRY_AGENT": path])
    // The runner blocks SIGTERM, and its programs inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    unlink(path)
    defer { unlink(path + ".log") }
    return (outcome, folder.text(of: "s.log"))
  }

  private func token(_ token: String = "T", type: String = "Bearer", more: String = "") -> String {
    #"{"ok":{"account":"work","access_token":"\#(token)","token_type":"\#(type)"\#(more)}}"#
  }

  @Test("An answer that belongs to another address is not delivered, and the agent and the program hear it")
  func otherAnswer() throws {
    let script = Self.script.replacingOccurrences(of: #""token","accounts""#, with: #""open","callback""#)
    let answer = #"{"ok":{"url":"http://127.0.0.1:1/?code=EVIL&state=S"}}"#
    let agent = Command.process(["/usr/bin/python3", "-c", script, path, answer, ""])
    try agent.run()
    defer {
      kill(agent.processIdentifier, SIGKILL)
      agent.waitUntilExit()
    }
    try #require(waitUntil { folder.contains("s") })
    let requests = Mutex<[String]>([])
    let program = try StandInServer { request, _ in
      requests.withLock { $0.append(request.query["error"] ?? "\(request.query)") }
      return .html("")
    }
    let redirect = "\(program.base)/cb".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let outcome = try Tokentry.run(
      ["open", "https://a.example/?state=S&redirect_uri=\(redirect)"], environment: ["TOKENTRY_AGENT": path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(waitUntil { folder.text(of: "s.log").contains(#"{"callback":{"lost":true}}"#) })
    #expect(waitUntil { !requests.withLock { $0.isEmpty } })
    #expect(requests.withLock { $0 } == ["access_denied"])
  }

  @Test("While the question at home waits for its answer, the far program says once where it is")
  func waiting() throws {
    let script = Self.script.replacingOccurrences(
      of: "log.write(line)", with: "log.write(line); import time; time.sleep(4)")
    let arguments = ["token", "--account", "work", "-v"]
    let words = "no answer yet; if there is a question on the screen of the machine you came from"
    let slow = try ask(arguments, answer: token(), script: script).outcome
    #expect(slow.messages.components(separatedBy: words).count == 2, "\(slow.messages)")
    #expect(try !ask(arguments, answer: token()).outcome.messages.contains(words))
  }

  @Test("A token is one line, as a provider's is", arguments: ["token", "env", "json"])
  func lines(output: String) throws {
    let arguments = ["token", "--account", "work", "--output", output]
    let good = try ask(arguments, answer: token())
    #expect(good.outcome.status == 0 && good.outcome.output.contains("T"), "\(good)")
    for control in ["\\n", "\\r", "\\u0000", "\\u001b", "\\u007f", "\\u009b"] {
      for answer in [token("T\(control)x"), token(type: "Bearer\(control)x")] {
        let bad = try ask(arguments, answer: answer).outcome
        #expect(bad.status == 9 && !bad.output.contains("access_token\":\"T"), "\(control) \(bad)")
        #expect(output == "json" || !bad.output.contains("T\n"), "\(control) \(bad)")
      }
    }
  }

  @Test("An id_token is one line")
  func identity() throws {
    let arguments = ["token", "--account", "work", "--output", "id_token"]
    #expect(try ask(arguments, answer: token(more: #","id_token":"a.b.c""#)).outcome.output == "a.b.c\n")
    let bad = try ask(arguments, answer: token(more: #","id_token":"a.b.c\nx""#)).outcome
    #expect(bad.status != 0 && bad.output.isEmpty, "\(bad)")
  }

  @Test("Another user's socket is not believed", .enabled(if: geteuid() == 0, "only root can become others"))
  func otherUser() throws {
    #expect(try ask(["token", "--account", "work"], answer: token()).outcome.accessToken == "T")
    let other = try ask(["token", "--account", "work"], answer: token(), user: "65534")
    #expect(other.outcome.status == 9 && other.outcome.error == "store_unavailable", "\(other)")
    #expect(other.outcome.messages.contains("another user's program") && other.told.isEmpty, "\(other)")
  }

  @Test("The agent hears of no password but its own token")
  func erase() throws {
    func told(_ password: String) throws -> String {
      let input = "protocol=https\nhost=h.example\nusername=u\npassword=\(password)\n\n"
      let (outcome, told) = try ask(["helper", "git", "erase"], input: input, answer: token("OWN"))
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
      return told
    }
    #expect(try told("OWN").contains(#""rejected":"OWN""#))
    let other = try told("typed-by-hand")
    #expect(!other.contains("typed-by-hand") && !other.contains("rejected"), "\(other)")
  }
}
