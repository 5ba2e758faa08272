import GLibSupport
import Glibc
import LoginCore
import Platform
import SignIn

struct GateWishes: WishGroup {
  var port: UInt16?
  var passesWellKnown = false

  static let rows = under(
    .agent,
    [
      value(
        \.port, "port", .text("PORT"), "the port to listen on; 0: any free one",
        wanting: "a number up to 65535"
      ) { UInt16($0) },
      flag(\.passesWellKnown, "well-known", "pass requests for /.well-known on, too"),
    ])
}

/// `tokentry gate`: passes requests on to one server, each with the account's token, for programs that know only an address.
/// It ends with the program that it starts, with the reader of its answer, or by a signal.
final class GateCommand: Action {
  private let shared: Composition
  private let terms: TokenTerms
  private let wish: TokenWish
  private let wishes: Wishes
  private let server: Endpoint

  /// The time that requests in progress have when the gate is told to end.
  private static let timeToEnd = Duration.seconds(1)
  /// Each connection needs two descriptors, and a program may have 1,024 by default.
  private static let maximumConnections = 256

  static let options =
    Command.using + APIWishes.options("allow-origin") + GateWishes.options + Command.asking

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    guard let address = wishes.operand else { throw .lacks(.gate, "the address of a server") }
    server = try Endpoint.given(address)
    if server.hasQuery { throw Failure(.invalidOption, "the address of a gate has no query") }
    self.shared = shared.remembering()
    self.wishes = wishes
    terms = try TokenTerms(wishes, shared)
    var wish = TokenWish(
      try wishes.accountName(shared.cryptography), TokenWish.Address(url: address))
    wish.allowed = wishes[APIWishes.self].allowed
    self.wish = wish
  }

  func text() async throws(Failure) -> String {
    // Whoever starts a gate without an account should hear of it, and not the program that asks later.
    let known = try await shared.tokens(terms).tokenAtOnce(wish, old: true)
    shared.run.pauseDeadline()
    let port = wishes[GateWishes.self].port
    let place = try GatePlace(port: port, isForProgram: !wishes.program.isEmpty, shared)
    defer { place.remove() }
    let gate = Gate(
      server: server, door: place.door, passesWellKnown: wishes[GateWishes.self].passesWellKnown)
    let tokens = GateTokens(
      shared, terms, of: known?.account ?? wish.account, allowed: wish.allowed ?? [],
      patience: wishes.asking.patience)
    let log = GateLog(shared.messages)
    let sockets = SocketServer(place.descriptor, upTo: Self.maximumConnections) { descriptor in
      GateConnection(descriptor, to: gate, tokens, log: log)
    }
    var program: AttachedProcess?
    if wishes.program.isEmpty {
      try await StreamedOutput().write(Array((place.answer(for: gate).text + "\n").utf8))
      shared.messages.note(
        "requests go to \(server.description, upTo: 200) with a token; Ctrl+C ends the gate")
    } else {
      shared.interruption.outliveCaller()
      program = try start(place.variables(for: gate))
    }
    CrashAnswer.silence()
    await shared.interruption.taking { [program] number in
      guard let program else {
        sockets.stop()
        return true
      }
      // The terminal sends its signals to the program as well.
      if ![SIGINT, SIGQUIT].contains(number) { kill(program.identifier, number) }
      return true
    } _: {
      let end = program.map { program in
        GLibActor.task {
          let status = await program.status()
          sockets.stop()
          return status
        }
      }
      await sockets.serve(shared.run, timeToEnd: Self.timeToEnd) { await tokens.finish() }
      guard let status = await end?.value, status != 0 else { return }
      place.remove()
      exit(status)
    }
    return ""
  }

  private func start(_ variables: [(name: String, value: String)]) throws(Failure) -> AttachedProcess {
    do throws(SystemError) {
      return try AttachedProcess(wishes.program, output: StandardOutput.descriptor, adding: variables)
    } catch {
      throw Failure(
        .invalidConfiguration, "\(wishes.program[0], upTo: 100) cannot be started: \(error.message)")
    }
  }
}

/// The place where a gate listens: a socket in a folder of its own, or a port. The folder of a port has the bearer for the
/// program that the gate starts.
@GLibActor
private final class GatePlace {
  let descriptor: Int32
  let door: Gate.Door?
  private let folder: String?

  private static let socket = "gate.sock"
  private static let bearer = "bearer"

  init(port: UInt16?, isForProgram: Bool, _ shared: Composition) throws(Failure) {
    folder = port == nil || isForProgram ? try Self.newFolder(shared.environment) : nil
    do throws(Failure) {
      guard let port else {
        door = nil
        descriptor = try failing(UnixSocket.listening(at: "\(folder ?? "")/\(Self.socket)")) {
          Self.failure($0)
        }
        return
      }
      let socket = try failing(LoopbackSocket(port: port)) { (error: SystemError) in
        error.code == EADDRINUSE
          ? Failure(.invalidConfiguration, "another program has port \(Int(port))") : Self.failure(error)
      }
      let bearer = Base64.encodeURLSafe(try shared.cryptography.randomBytes(32))
      Messages.hide(bearer)
      (descriptor, door) = (socket.descriptor, Gate.Door(port: socket.port, bearer: AccessToken(bearer)))
      if let folder {
        try failing(
          PrivateFolder(folder, making: false).replace(
            Self.bearer, with: Array(bearer.utf8), through: Self.bearer + ".new", isPassing: true)
        ) { (error: FileError) in
          Failure(.outputFailed, error.message, hint: error.hint)
        }
      }
    } catch {
      folder.map { _ = rmdir($0) }
      throw error
    }
  }

  private static func newFolder(_ environment: Environment) throws(Failure) -> String {
    let parents = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"]
    let parent =
      parents.lazy.compactMap(\.self).first { $0.hasPrefix("/") && access($0, W_OK) == 0 } ?? "/tmp"
    var template = Array("\(parent)/tokentry-gate-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw failure(SystemError()) }
    return template.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }
  }

  private static func failure(_ error: SystemError) -> Failure {
    Failure(.invalidConfiguration, "the gate cannot listen: \(error.message)")
  }

  /// The answer for the program that has started the gate.
  func answer(for gate: Gate) -> JSONObject {
    guard let door else { return ["socket": .string("\(folder ?? "")/\(Self.socket)")] }
    return ["url": .string(gate.url), "authorization": .string(door.authorization)]
  }

  /// The variables of the program that the gate starts. The bearer is not in them: other processes can read them.
  func variables(for gate: Gate) -> [(name: String, value: String)] {
    guard let folder else { return [] }
    if door == nil { return [("TOKENTRY_GATE_SOCKET", "\(folder)/\(Self.socket)")] }
    return [
      ("TOKENTRY_GATE_URL", gate.url), ("TOKENTRY_GATE_BEARER_FILE", "\(folder)/\(Self.bearer)"),
    ]
  }

  func remove() {
    close(descriptor)
    guard let folder else { return }
    unlink("\(folder)/\(door == nil ? Self.socket : Self.bearer)")
    rmdir(folder)
  }
}

/// Tells the person who has started a gate about its requests.
@GLibActor
final class GateLog: Sendable {
  private let messages: Messages
  /// The failure that was told last. Clients ask again and again, and the person has read it.
  private var told: Failure?

  nonisolated init(_ messages: Messages) { self.messages = messages }

  func note(_ request: GateRequest?, _ status: Int, _ failure: Failure?) {
    let line = request.map { "\($0.method) \($0.path)" } ?? "?"
    messages.info("\(line, upTo: 300): HTTP \(status)")
    if let failure, failure != told {
      messages.warning("a request gets no answer: \(failure.message)", hint: failure.hint)
    }
    if failure != nil || status < 400 { told = failure }
  }
}
