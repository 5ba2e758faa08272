import GLibSupport
import Glibc
import LoginCore
import Platform
import SignIn
import WindowProtocol

struct AgentWishes: WishGroup {
  var socket: String?
  var policy: Permissions.Policy?
  var opensPages = false

  static let rows = under(
    .agent,
    [
      text(\.socket, "socket", .text("PATH"), "where to listen"),
      choice(\.policy, "ask", called: "WHEN", "never, new (if not given) or always"),
      flag(\.opensPages, "open", "open pages for programs although --ask is never"),
    ])
}

/// `tokentry agent`: gives tokens of this machine's accounts to programs elsewhere, through a Unix socket. Access tokens and
/// proofs leave this machine; refresh tokens, clients' secrets and keys do not.
final class AgentCommand: Action {
  private let shared: Composition
  private let socketPath: String?
  private let home: AgentHome
  private let permissions: Permissions

  /// The time that requests in progress have when the agent is told to end, unless they have sent a refresh.
  private static let timeToEnd = Duration.seconds(2)

  static let options =
    AgentWishes.options + AccountWishes.options("account") + PlaceWishes.options("store", "trust")
    + AskingWishes.options("way", "browser", "no-browser", "headless-test", "form")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.shared = shared
    let asked = wishes[AgentWishes.self]
    socketPath = try asked.socket.map { path throws(Failure) in try shared.environment.path(path) }
    home = try AgentHome(
      shared, names: wishes.account.names, try SignInOptions(wishes, shared),
      patience: wishes.asking.patience,
      isVerbose: wishes.place.verbosity > 0, opensPages: asked.opensPages)
    let environment = shared.environment
    permissions = Permissions(asked.policy ?? .new) {
      question async throws(Failure) in
      guard environment.hasDisplay else { throw .noDisplayAtHome }
      let page = question.page
      var options = WindowOptions()
      options.title = page.title
      let window = WindowHost(environment.windowPrograms, options)
      do throws(Failure) { return question.answer(try await window.ask(page)) } catch {
        throw error.code == .noDisplay ? .noDisplayAtHome : error
      }
    }
  }

  func text() async throws(Failure) -> String {
    shared.run.pauseDeadline()
    let socket = try AgentSocket(at: socketPath, shared.environment)
    defer { socket.remove() }
    let output = StreamedOutput()
    let object: JSONObject = ["socket": .string(socket.path)]
    try await output.write(Array((object.text + "\n").utf8))
    try output.finish()
    let server = AgentServer(socket) { [home, permissions] descriptor in
      AgentConnection(descriptor, home, permissions)
    }
    await shared.interruption.taking { [permissions] number in
      if number == SIGHUP { permissions.forgetAll() } else { server.stop() }
      return true
    } _: {
      await server.serve(shared.run, timeToEnd: Self.timeToEnd) { [home] in await home.finishRefreshes() }
    }
    return ""
  }
}

/// Accepts connections until it is told to end.
@GLibActor
private final class AgentServer {
  private let socket: AgentSocket
  private let connect: @GLibActor @Sendable (Int32) -> AgentConnection
  private var connections: [Int: (connection: AgentConnection, task: Task<Void, Never>)] = [:]
  private var accepted = 0
  private var watch: Source?
  private let end = FirstResult<Void, Never>()
  private let lastEnd = FirstResult<Void, Never>()

  /// One more connection takes the place of one of the program that has the most.
  private static let maximumConnections = 200

  init(_ socket: AgentSocket, _ connect: @escaping @GLibActor @Sendable (Int32) -> AgentConnection) {
    (self.socket, self.connect) = (socket, connect)
  }

  func stop() { end.finish(.success(())) }

  /// Serves until ``stop()``. Then requests in progress have this time, and so has `work` that outlives its askers.
  func serve(
    _ time: Run, timeToEnd: Duration, finishing work: @escaping @GLibActor @Sendable () async -> Void
  ) async {
    listen()
    _ = await end.result()
    watch = nil
    // Each connection ends as soon as it has no request in progress.
    connections.values.forEach { $0.task.cancel() }
    let rest = GLibActor.task { [lastEnd, hasEnded = connections.isEmpty] in
      if !hasEnded { _ = await lastEnd.result() }
      await work()
    }
    _ = await time.last(of: rest, within: timeToEnd)
  }

  private func listen() {
    watch = .readable(socket.descriptor) { [weak self] in self?.accept() }
  }

  private func accept() {
    while connections.count < Self.maximumConnections, let descriptor = UnixSocket.accepted(socket.descriptor)
    {
      accepted += 1
      let number = accepted
      let connection = connect(descriptor)
      let task = GLibActor.task { [weak self] in
        await connection.serve()
        self?.closed(number)
      }
      connections[number] = (connection, task)
    }
    if connections.count >= Self.maximumConnections {
      watch = nil  // until a connection has ended
      displaced?.cut()
    }
  }

  /// The connection that has to end: of those of the program that has the most, the one that has been silent for longest.
  private var displaced: AgentConnection? {
    let programs = Dictionary(grouping: connections.values.map(\.connection)) { $0.group ?? "" }
    return programs.values.max { $0.count < $1.count }?.min { $0.lastHeard < $1.lastHeard }
  }

  private func closed(_ number: Int) {
    connections[number] = nil
    if end.isThere {
      if connections.isEmpty { lastEnd.finish(.success(())) }
      return
    }
    if watch == nil { listen() }
  }
}

extension Failure {
  fileprivate static let noDisplayAtHome = Failure(
    .noDisplay, "the agent cannot ask its user, because there is no display where it runs",
    hint: "start the agent in a session of the desktop, or with --ask never")
}
