import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import SignIn

/// A connection to an agent, which keeps the accounts (`tokentry agent`). It opens with the first request.
@GLibActor
final class AgentLink: Sendable {
  /// The version of the protocol that both sides speak.
  nonisolated static let version: JSONValue = 1
  /// The length that no line of the protocol exceeds, in bytes.
  nonisolated static let maximumLine = 256 * 1_024

  /// The requests that may be sent a second time. Others have shown something to the user.
  nonisolated private static let repeatable = ["token", "accounts", "userinfo", "proof"]

  /// The requests that the person at home may be asked about.
  nonisolated private static let questions = ["token", "login", "open", "proof", "userinfo"]

  /// Tells a user at a terminal where the question is, if there is one.
  nonisolated static let question: Message =
    "no answer yet; if there is a question on the screen of the machine you came from, answer it there"

  /// The time in which an agent answers without asking its user.
  nonisolated private static let patience = Duration.seconds(2)

  /// The time that an agent has for its first line.
  nonisolated private static let timeToGreet = Duration.seconds(10)

  /// The path of the agent's socket.
  nonisolated let path: String
  private let run: Run
  private let isWaiting: @Sendable () -> Void
  private var saysWaiting = true
  private var connection: Connection?

  /// One connection. It closes with this object.
  @GLibActor
  private final class Connection {
    let descriptor: Int32
    let reader: DescriptorReader
    var abilities: [String] = []

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      reader = DescriptorReader(descriptor: descriptor)
    }

    isolated deinit { close(descriptor) }
  }

  /// `isWaiting` is called, once, when a request takes so long that a person may be looking at a question.
  nonisolated init(path: String, _ run: Run, isWaiting: @escaping @Sendable () -> Void = {}) {
    (self.path, self.run, self.isWaiting) = (path, run, isWaiting)
  }

  /// Sends a request and returns the member `ok` of the answer. Throws the agent's own failure if it refuses.
  func answer(to kind: String, _ members: JSONObject) async throws(Failure) -> JSONObject {
    let timer: Source? =
      Self.questions.contains(kind)
      ? .after(Self.patience) { [weak self] in
        guard let self, saysWaiting else { return }
        saysWaiting = false
        isWaiting()
      } : nil
    defer { withExtendedLifetime(timer) {} }
    let line = try await run.waiting(for: path) { () async throws(Failure) in
      try await self.line(answering: kind, members)
    }
    return try result(in: line)
  }

  private func line(answering kind: String, _ members: JSONObject) async throws(Failure) -> [UInt8] {
    let old = connection
    do throws(Failure) {
      return try await line(answering: kind, members, on: try await connected())
    } catch {
      // The agent may have been restarted since the last request.
      guard old != nil, error.kind == .agentEnded, Self.repeatable.contains(kind) else { throw error }
    }
    return try await line(answering: kind, members, on: try await connected())
  }

  private func line(
    answering kind: String, _ members: JSONObject, on connection: Connection
  ) async throws(Failure) -> [UInt8] {
    // A request that is cut off leaves an answer behind, which must not be taken for that of the next one.
    self.connection = nil
    guard connection.abilities.contains(kind) else { throw .agentLacks(kind, at: path) }
    let request: JSONObject = [kind: .object(members)]
    let line = try await exchange(Array((request.text + "\n").utf8), on: connection)
    self.connection = connection
    return line
  }

  private func connected() async throws(Failure) -> Connection {
    if let connection { return connection }
    let connection = Connection(try await opened())
    let line = await within(Self.timeToGreet) { () -> Result<[UInt8], Failure> in
      do throws(Failure) { return .success(try await self.exchange([], on: connection)) } catch {
        return .failure(error)
      }
    }
    // The other end of a forwarded socket may be a machine that is asleep.
    guard let line else { throw .silentAgent(at: path) }
    let greeting = try object(try line.get())
    guard greeting["tokentry_agent"] == Self.version else {
      if greeting["tokentry_agent"] != nil { throw .unknownAgentVersion(at: path) }
      throw .noAgentProtocol(at: path)
    }
    connection.abilities = (greeting["can"]?.array ?? []).compactMap(\.string)
    self.connection = connection
    return connection
  }

  private func opened() async throws(Failure) -> Int32 {
    while true {
      let descriptor: Int32
      do throws(SystemError) {
        descriptor = try UnixSocket.connected(to: path)
      } catch {
        // Too many programs wait for the agent at this moment.
        guard error.code == EAGAIN, (try? await pause(for: .milliseconds(20))) != nil else {
          throw .noAgent(at: path, error)
        }
        continue
      }
      if let peer = UnixSocket.peer(of: descriptor), TrustedUsers.mayAnswer(peer.user) { return descriptor }
      close(descriptor)
      throw .agentOfOther(at: path)
    }
  }

  /// Writes bytes, and returns the next line.
  private func exchange(_ bytes: [UInt8], on connection: Connection) async throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      try await DescriptorWriter(descriptor: connection.descriptor).write(bytes)
      if let line = try await connection.reader.terminatedLine(upTo: Self.maximumLine) { return line }
    } catch {
      if error.code == ECANCELED { throw .cancelled }
      throw .agentEnded(at: path)
    }
    throw .agentEnded(at: path)
  }

  private func object(_ line: [UInt8]) throws(Failure) -> JSONObject {
    try JSONReader.members(of: line, maximumSize: Self.maximumLine) { _ in Failure.noAgentProtocol(at: path) }
  }

  private func result(in line: [UInt8]) throws(Failure) -> JSONObject {
    let answer = try object(line)
    if let result = answer["ok"]?.object { return result }
    guard let error = answer["error"]?.object, let failure = Failure(agentError: error) else {
      throw .noAgentProtocol(at: path)
    }
    throw failure
  }
}

extension Failure.Kind {
  /// ``Failure/agentEnded(at:)``
  fileprivate static let agentEnded = Self(rawValue: "agent_ended")
}

extension Failure {
  /// Reads the contract's error object, as an agent sends it. A code with the origin `provider` is the provider's own, unless
  /// it is one of ours for an answer that cannot be used.
  init?(agentError error: JSONObject) {
    var report: JSONObject = [
      "error": .object(error),
      "message": .string((error["error_description"]?.string ?? "").forDisplay(limit: 2_000)),
      "hint": (error["hint"]?.string).map { .string($0.forDisplay(limit: 2_000)) },
    ]
    guard let failure = Failure(report: report) else { return nil }
    report["own"] = failure.origin == .provider && ![5, 6].contains(failure.code.exitStatus) ? true : nil
    self = Failure(report: report) ?? failure
  }

  /// The command needs the accounts themselves.
  static let onlyAtHome = Failure(
    .invalidConfiguration, "this is not possible through an agent", hint: onlyAtHomeHint)

  static let onlyAtHomeHint: Hint = "do it on the machine where the accounts are saved"

  private static func unusableAgent(
    _ message: Message, kind: Kind? = nil, at path: String
  ) -> Failure {
    Failure(
      .storeUnavailable, message, kind: kind,
      hint:
        "run `tokentry agent` on the machine with the accounts, and let its socket lead to \(path, upTo: 200)"
    )
  }

  fileprivate static func noAgent(at path: String, _ error: SystemError) -> Failure {
    switch error.code {
    case ENOENT: unusableAgent("there is no agent at \(path, upTo: 200)", at: path)
    // The socket is there, and stays when ssh ends.
    case ECONNREFUSED:
      Failure(
        .storeUnavailable, "nothing answers at \(path, upTo: 200)",
        hint: "is the agent still running, and the ssh connection with RemoteForward still open?")
    default: unusableAgent("the agent cannot be reached: \(error.message)", at: path)
    }
  }

  /// Anyone can put a socket into /tmp.
  fileprivate static func agentOfOther(at path: String) -> Failure {
    unusableAgent("another user's program listens on the agent's socket", at: path)
  }

  fileprivate static func silentAgent(at path: String) -> Failure {
    unusableAgent("the agent does not answer; perhaps its machine is asleep", at: path)
  }

  fileprivate static func agentEnded(at path: String) -> Failure {
    unusableAgent("the agent has closed the connection", kind: .agentEnded, at: path)
  }

  fileprivate static func noAgentProtocol(at path: String) -> Failure {
    unusableAgent("the program that answers is not an agent", at: path)
  }

  fileprivate static func unknownAgentVersion(at path: String) -> Failure {
    Failure(
      .storeUnavailable, "the agent speaks another version of the protocol",
      hint: "use the same version of tokentry here and where \(path, upTo: 200) leads to")
  }

  fileprivate static func agentLacks(_ kind: String, at path: String) -> Failure {
    Failure(
      .storeUnavailable, "the agent does not know the request \"\(kind)\"",
      hint: "it is older than this program; its socket is \(path, upTo: 200)")
  }
}
