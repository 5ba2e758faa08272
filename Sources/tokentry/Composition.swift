import GLibSupport
import Glibc
import GnuTLSCrypto
import LoginCore
import Platform
import SecretStore
import SignIn
import SoupNetwork

/// The objects that the commands share. A run of the program makes them once, here.
///
/// It is a class, like the other objects that many values hold: each of these would have 8 KB of code to copy a struct of this
/// size.
final class Composition: Sendable {
  /// The parts that the engine needs.
  let host: Host
  let messages: Messages
  let interruption: Interruption
  private let mayAskForKeyring: Bool
  let catalog: ProviderCatalog
  /// The place of the accounts, if the caller has named it.
  let namedStore: StorePlace?
  /// The link to the agent that keeps the accounts, if it is not this machine.
  let agent: AgentLink?

  @GLibActor
  init(
    _ place: PlaceWishes, _ asking: AskingWishes, explains: Bool = false, mayAskForKeyring: Bool, _ run: Run,
    _ interruption: Interruption, _ environment: Environment
  ) throws(Failure) {
    let messages = place.messages
    (self.messages, self.interruption, self.mayAskForKeyring) = (messages, interruption, mayAskForKeyring)
    catalog = ProviderCatalog(environment: environment)
    for name in ProxyVariables.all { environment[name].map(Messages.hide(userOf:)) }
    let tell: @Sendable (SignInEvent) -> Void = { event in
      messages.say(event, isExplained: explains, after: run.shownFailure)
    }
    let network = Network(
      userAgent: "tokentry/\(Version.program)", trusted: place.trustedCertificates,
      keeper: try CertificateKeeper(place, asking, environment),
      negotiating: place.negotiating.map(\.description)
    ) { HidingTransport(inner: $0) }
    let named = if let store = place.store { store } else { try StorePlace.named(by: environment) }
    namedStore = named
    agent =
      if case .agent(let path)? = named {
        AgentLink(path: try environment.socket(path), run) { messages.note(AgentLink.question) }
      } else {
        nil
      }
    let store = try Self.store(
      named ?? .keyring, mayAsk: mayAskForKeyring && !asking.isSilent, environment)
    let program = environment.executable ?? ""
    host = Host(
      environment, network, store: store,
      cryptography: GnuTLSCryptography(), secrets: HidingCryptography(inner: GnuTLSCryptography()),
      clock: SystemClock(),
      requester: { asking.requester }, windowPrograms: environment.windowPrograms,
      desktopBrowser: [program, DesktopChild.argument], callbackTaker: [program, CallbackChild.argument], run,
      report: { $0.redactedReport }, tell: tell)
  }

  /// The same objects for a part of a long run, such as one of many sign-ins.
  private init(_ other: Composition, _ host: Host) {
    (self.host, messages, interruption) = (host, other.messages, other.interruption)
    (mayAskForKeyring, catalog) = (other.mayAskForKeyring, other.catalog)
    (namedStore, agent) = (other.namedStore, other.agent)
  }

  /// Returns the same objects for a run of its own.
  func with(_ run: Run) -> Composition { Composition(self, host.with(run, memory: host.memory)) }

  /// Returns the same objects with a memory of what servers have said.
  func remembering() -> Composition { Composition(self, host.with(run, memory: ServerMemory())) }

  var cryptography: any Cryptography { host.cryptography }
  var clock: any WallClock { host.clock }
  var environment: Environment { host.environment }
  var dependencies: Dependencies { host.dependencies }
  /// The time that is left, and what is going on.
  var run: Run { host.run }

  /// The store for accounts and clients.
  var store: any CredentialStore {
    get throws(Failure) { try host.store }
  }

  /// Returns the place that tokens come from.
  func tokens(_ terms: TokenTerms) -> any TokenSource {
    agent.map { AgentTokens(terms, $0) } ?? LocalTokens(terms, self)
  }

  /// Returns the objects at another place, such as the arguments of a single request name it.
  @GLibActor
  func at(_ place: PlaceWishes, _ asking: AskingWishes) throws(Failure) -> Composition {
    try Composition(
      place, asking, mayAskForKeyring: mayAskForKeyring, run, interruption, environment)
  }

  /// The link to the agent that may run on this machine. nil without a folder for its socket.
  var ownAgent: AgentLink? { (try? environment.agentSocket).map { AgentLink(path: $0, run) } }
}

/// Making the objects.
extension Composition {
  /// Returns the store at a place. If it cannot be used, only commands that need it fail.
  private static func store(
    _ place: StorePlace, mayAsk: Bool, _ environment: Environment
  ) throws(Failure) -> Result<any CredentialStore, Failure> {
    switch place {
    case .agent: return .failure(.onlyAtHome)
    case .folder(let path):
      return .success(FileStore(folder: try environment.path(path)))
    case .keyring:
      // A keyring has no locks, so files are locked in its place.
      guard let folder = environment.folder("XDG_RUNTIME_DIR", default: ".cache") else {
        return .failure(
          .storeUnavailable("neither XDG_RUNTIME_DIR nor HOME is set").with(hint: .keepInFolder))
      }
      return .success(KeyringStore(mayAsk: mayAsk, locks: folder + "/tokentry"))
    }
  }
}

extension Environment {
  /// Returns a variable of ours, or nil if it is not set or empty. Throws if it is not UTF-8.
  func text(_ name: String) throws(Failure) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    guard let text = String(validatingCString: value) else { throw .notUTF8(name) }
    return text
  }

  /// The folder of agents' sockets, and of nothing else: containers are given it.
  var agentFolder: String {
    get throws(Failure) {
      guard let folder = self["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else {
        throw Failure(
          .invalidConfiguration,
          "XDG_RUNTIME_DIR is not set, so there is no default path for an agent's socket",
          hint: "name the socket: --socket PATH for the agent, --store agent:PATH for others")
      }
      return "\(folder)/tokentry-agent"
    }
  }

  /// The path at which an agent listens by default.
  var agentSocket: String {
    get throws(Failure) { "\(try agentFolder)/agent.sock" }
  }

  /// The path of the agent that the caller has named, or of the agent of this machine.
  fileprivate func socket(_ path: String?) throws(Failure) -> String {
    if let path { try self.path(path) } else { try agentSocket }
  }

  /// Returns a path with `~` replaced as a shell does: without a shell, it would be the name of a folder in the current one.
  func path(_ path: String) throws(Failure) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    guard let home = self["HOME"] else {
      throw Failure(.invalidConfiguration, "\(path, upTo: 100) cannot be found, because HOME is not set")
    }
    return home + path.withoutFirstByte
  }
}
