import GLibSupport
import GnuTLSCrypto
import LoginCore
import SecretStore
import SoupNetwork
import Wording

/// What a run of the program works with, made once: what commands have in common is put together here and nowhere else.
struct Composition: Sendable {
  let messages: Messages
  let interruption: Interruption
  let environment: Environment
  let catalog: ProviderCatalog
  let clock = SystemClock()
  let cryptography = GnuTLSCryptography()
  /// The way to servers of APIs, whose answers are handed on as they come.
  let network: SoupTransport
  /// The way to the provider's servers.
  let transport: HidingTransport
  /// The contents of the certificate files that the caller trusts, by their hosts.
  let trust: [String: [UInt8]]
  /// Whether somebody has said where accounts are kept.
  let isStoreNamed: Bool
  private let certificates: [String: TrustedCertificate]
  private let chosenStore: Result<any CredentialStore, Failure>

  /// Puts a run together from what the caller has said; whoever waits for another program is told.
  @GLibActor
  init(
    _ settings: Settings, mayAskForKeyring: Bool, _ messages: Messages, _ interruption: Interruption,
    _ environment: Environment
  ) async throws(Failure) {
    (self.messages, self.interruption, self.environment) = (messages, interruption, environment)
    catalog = ProviderCatalog(environment: environment)
    for name in ProxyVariables.all { environment[name].map(Messages.hide(userOf:)) }
    trust = try await Self.trust(settings)
    certificates = try Self.certificates(trust)
    network = SoupTransport(userAgent: Self.userAgent, trusted: certificates, keepsCookies: false)
    transport = HidingTransport(inner: AwaitedTransport(inner: network, interruption: interruption))
    let isNamed = settings.has(.store)
    let place = isNamed ? settings[.store] : try environment.text("TOKENTRY_STORE")
    isStoreNamed = place != nil
    chosenStore = try Self.store(
      place ?? "keyring", named: isNamed ? Option.store.flag : "TOKENTRY_STORE",
      mayAsk: mayAskForKeyring && !settings.has(.silent), environment
    ) { areAwaited in
      interruption.isHeldUp = areAwaited
      if areAwaited { messages.info(.waiting) }
    }
  }

  /// What sessions do their work with.
  var dependencies: Dependencies {
    Dependencies(transport: transport, cryptography: HidingCryptography(inner: cryptography), clock: clock) {
      body in
      GLibActor.task { await body() }
    }
  }

  /// Where accounts and clients are kept.
  var store: any CredentialStore {
    get throws(Failure) { try chosenStore.get() }
  }

  /// The way to pages, for a test without a window: their cookies are no business of other requests.
  @GLibActor
  func pageTransport() -> any HTTPTransport {
    let pages = SoupTransport(userAgent: Self.userAgent, trusted: certificates, keepsCookies: true)
    return HidingTransport(inner: AwaitedTransport(inner: pages, interruption: interruption))
  }

  /// What other programs that wait for the same account are told of a failure.
  static let words: @Sendable (Failure) -> JSONObject = { Messages.told(Report($0)) }

  private static let userAgent = "tokentry/\(Version.program)"
}

/// How its parts are made.
extension Composition {
  private static func trust(_ settings: Settings) async throws(Failure) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for pair in settings.pairs(.trust) {
      let file = InputFile(flag: "\(Option.trust.flag) \(pair.name.forDisplay(limit: 60))", path: pair.value)
      files[pair.name] = try await file.read(limit: 64 * 1_024)
    }
    return files
  }

  private static func certificates(
    _ files: [String: [UInt8]]
  ) throws(Failure) -> [String: TrustedCertificate] {
    var certificates: [String: TrustedCertificate] = [:]
    for (host, bytes) in files {
      do throws(CertificateFault) {
        certificates[host] = try TrustedCertificate(bytes)
      } catch {
        let found = error == .several ? 2 : 0
        throw .commandLine(.wants("\(Option.trust.flag) \(host)", .oneCertificate(found: found)))
      }
    }
    return certificates
  }

  /// A place that nobody can mean is refused at once; one that cannot be used is a failure only of those who need it.
  private static func store(
    _ place: String, named source: String, mayAsk: Bool, _ environment: Environment,
    onWait: @escaping OtherPrograms
  ) throws(Failure) -> Result<any CredentialStore, Failure> {
    if place == "keyring" {
      // A keyring has no locks of its own.
      guard let folder = environment.folder("XDG_RUNTIME_DIR", default: ".cache") else {
        return .failure(.store(.unavailable(.noFolderForLocks)))
      }
      return .success(KeyringStore(mayAsk: mayAsk, locks: folder + "/tokentry", onWait: onWait))
    }
    let (kind, folder) = place.splitOnce(at: ":")
    guard kind == "file", var folder, !folder.isEmpty else { throw .commandLine(.wants(source, .store)) }
    // Where no shell has read it, this would be a folder in whatever folder the caller is in.
    if folder == "~" || folder.hasPrefix("~/") {
      guard let home = environment["HOME"] else { throw .commandLine(.wants(source, .store)) }
      folder = home + folder.withoutFirstByte
    }
    return .success(FileStore(folder: folder, onWait: onWait))
  }
}
