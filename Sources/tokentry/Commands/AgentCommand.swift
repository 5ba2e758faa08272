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
  private static let maximumConnections = 200

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
    let server = SocketServer(socket.descriptor, upTo: Self.maximumConnections) {
      [home, permissions] descriptor in
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

extension Failure {
  fileprivate static let noDisplayAtHome = Failure(
    .noDisplay, "the agent cannot ask its user, because there is no display where it runs",
    hint: "start the agent in a session of the desktop, or with --ask never")
}
