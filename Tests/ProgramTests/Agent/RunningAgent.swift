import Foundation
import Testing

/// `tokentry agent` with the accounts of an environment. It ends with this object.
final class RunningAgent {
  let socket: String
  /// The environment of programs that ask the agent, and that cannot reach the accounts themselves.
  let environment: [String: String]
  private let program: RunningTokentry
  private let folder = TemporaryFolder()

  init(_ home: [String: String], _ options: [String] = ["--ask", "never"], wrapper: [String] = []) throws {
    socket = folder.path + "/agent.sock"
    environment = ["TOKENTRY_AGENT": socket]
    program = try RunningTokentry(
      ["agent", "--socket", socket] + options, environment: home, wrapper: wrapper)
    let (program, socket) = (program, socket)
    let isThere = waitUntil { !program.isRunning || program.output.hasSuffix("\n") }
    try #require(isThere && program.isRunning, "\(program.messages)")
    #expect(program.output == "{\"socket\":\"\(socket)\"}\n")
  }

  deinit { if program.isRunning { end() } }

  /// Ends the agent as its service manager does.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Outcome {
    program.end(signal)
    return program.outcome()
  }

  func signal(_ number: Int32) { program.end(number) }

  var isRunning: Bool { program.isRunning }
  var messages: String { program.messages }
  var identifier: pid_t { program.identifier }

  /// Runs the program without accounts of its own, over the agent.
  func run(_ arguments: [String], input: String = "", _ more: [String: String] = [:]) throws -> Outcome {
    try Tokentry.run(arguments, input: input, environment: environment.merging(more) { $1 })
  }

  func connection() throws -> AgentConversation { try AgentConversation(socket) }
}

/// A program without Tokentry that talks to an agent in lines.
final class AgentConversation {
  private let handle: FileHandle
  private var received = Data()
  /// Everything that the agent has said.
  private(set) var said = Data()
  init(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try #require(result == 0, "\(String(cString: strerror(errno)))")
  }

  /// Sends bytes as they are.
  func send(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

  /// Says that nothing more comes.
  func finish() { shutdown(handle.fileDescriptor, Int32(SHUT_WR)) }

  /// The next line of the agent, or nil if it has closed the connection.
  func line() -> String? {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = received[..<end]
        received = received[(end + 1)...]
        return String(decoding: line, as: UTF8.self)
      }
      let data = handle.availableData
      if data.isEmpty { return nil }
      received += data
      said += data
    }
  }

  func object() -> [String: Any]? {
    line().flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }

  /// Sends a line, and returns the answer.
  func ask(_ line: String) throws -> [String: Any] {
    try send(line + "\n")
    return try #require(object(), "the agent has closed the connection")
  }

  /// Returns the answer's member `ok`, or throws.
  func ok(_ line: String) throws -> [String: Any] {
    let answer = try ask(line)
    return try #require(answer["ok"] as? [String: Any], "\(answer)")
  }

  /// Returns the code of the answer's error, or nil.
  func error(_ line: String) throws -> String? {
    (try ask(line)["error"] as? [String: Any])?["error"] as? String
  }
}
