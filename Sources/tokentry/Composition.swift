import GLibSupport
import GnuTLSCrypto
import LoginCore
import SecretStore
import SoupNetwork

/// The objects that the commands share. A run of the program makes them once, here.
struct Composition: Sendable {
  let messages: Messages
  let interruption: Interruption
  let environment: Environment
  let catalog: ProviderCatalog
  let clock = SystemClock()
  let cryptography = GnuTLSCryptography()
  /// The transport to APIs, whose answers are passed on as they arrive.
  let network: SoupTransport
  /// The transport to the provider.
  let transport: HidingTransport
  /// The certificates that the caller trusts, as their files, by host.
  let trust: [String: [UInt8]]
  /// True if the caller has named the place of the accounts.
  let isStoreNamed: Bool
  private let certificates: [String: TrustedCertificate]
  private let chosenStore: Result<any CredentialStore, Failure>

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
    transport = HidingTransport(inner: network, interruption: interruption)
    let isNamed = settings.has(.store)
    let place = isNamed ? settings[.store] : try environment.text("TOKENTRY_STORE")
    isStoreNamed = place != nil
    chosenStore = try Self.store(
      place ?? "keyring", named: isNamed ? Option.store.flag : "TOKENTRY_STORE",
      mayAsk: mayAskForKeyring && !settings.has(.silent), environment
    ) { areAwaited in
      interruption.isHeldUp = areAwaited
      if areAwaited { messages.info("waiting for another program that is using the account") }
    }
  }

  var dependencies: Dependencies {
    Dependencies(transport: transport, cryptography: HidingCryptography(inner: cryptography), clock: clock) {
      body in
      GLibActor.task { await body() }
    }
  }

  /// The store for accounts and clients.
  var store: any CredentialStore {
    get throws(Failure) { try chosenStore.get() }
  }

  /// Returns a transport for the pages of a headless test. No other request gets their cookies.
  @GLibActor
  func pageTransport() -> any HTTPTransport {
    let pages = SoupTransport(userAgent: Self.userAgent, trusted: certificates, keepsCookies: true)
    return HidingTransport(inner: pages, interruption: interruption)
  }

  private static let userAgent = "tokentry/\(Version.program)"
}

/// Making the objects.
extension Composition {
  private static func trust(_ settings: Settings) async throws(Failure) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for pair in settings.pairs(.trust) {
      let file = InputFile(flag: "\(Option.trust.flag) \(pair.name.forDisplay(limit: 60))", path: pair.value)
      files[pair.name] = try await file.readOwn(limit: 64 * 1_024, othersMayRead: true)
    }
    return files
  }

  private static func certificates(
    _ files: [String: [UInt8]]
  ) throws(Failure) -> [String: TrustedCertificate] {
    var certificates: [String: TrustedCertificate] = [:]
    for (host, bytes) in files {
      do throws(TrustedCertificate.ReadError) {
        certificates[host] = try TrustedCertificate(bytes)
      } catch {
        let name = "\(Option.trust.flag) \(host)"
        throw Failure(
          .invalidOption,
          error == .several
            ? "\(name, upTo: 100): the file contains several certificates"
            : "\(name, upTo: 100): the file contains no certificate")
      }
    }
    return certificates
  }

  /// Throws if the place makes no sense. If the place makes sense but cannot be used, only commands that need it fail.
  private static func store(
    _ place: String, named source: String, mayAsk: Bool, _ environment: Environment,
    onWait: @escaping OtherPrograms
  ) throws(Failure) -> Result<any CredentialStore, Failure> {
    if place == "keyring" {
      // A keyring has no locks, so files are locked in its place.
      guard let folder = environment.folder("XDG_RUNTIME_DIR", default: ".cache") else {
        return .failure(.noFolderForLocks)
      }
      return .success(KeyringStore(mayAsk: mayAsk, locks: folder + "/tokentry", onWait: onWait))
    }
    let wanted: Message = "keyring or file:PATH"
    let (kind, folder) = place.splitOnce(at: ":")
    guard kind == "file", var folder, !folder.isEmpty else { throw .takes(source, wanted) }
    // Without a shell, `~` would be the name of a folder in the current one.
    if folder == "~" || folder.hasPrefix("~/") {
      guard let home = environment["HOME"] else { throw .takes(source, wanted) }
      folder = home + folder.withoutFirstByte
    }
    return .success(FileStore(folder: folder, onWait: onWait))
  }
}
