import GLibSupport
import GnuTLSCrypto
import Language
import LoginCore
import Platform
import SecretStore
import SignIn

/// An application's client at one provider. It signs users in, keeps and refreshes their tokens, and sends requests with
/// them.
///
///     var client = try OAuthClient(issuer: "https://id.example", clientID: "my-app")
///     client.allowedOrigins = ["https://api.example"]
///     try await client.signIn(scope: "openid notes")
///     let notes = try await client.request("https://api.example/notes")
///
/// Call each method from any task, and from many at once. To cancel a call, cancel its task; a refresh that has begun is
/// still finished and saved in the background. The work is done on the library's own thread, so the program needs no main loop.
public struct OAuthClient: Sendable {
  /// The request for each sign-in: the provider, the client, the scope, the grant and further parameters. Change what does
  /// not suit your provider or application.
  public var login: LoginRequest
  /// The store for accounts and registered clients. By default it is the user's keyring, shared with the `tokentry` command
  /// and with other programs that use this library.
  public var store: any CredentialStore
  /// The servers to which a token may be sent, such as `https://api.example`. A change counts at once, for kept accounts, too.
  public var allowedOrigins: [String] = []
  /// The way to take the user to the provider. By default it is the one that the provider's preset prefers, or the browser if
  /// that can return the answer, or else the window. Without a display or a browser, it is a code for another device, if the
  /// provider offers that.
  public var way: Way?
  /// The application's name, which the user sees during the sign-in: by default the name of its executable. A client that the
  /// provider registers gets it, too, and so does each server in the field `User-Agent`.
  public var name: String?
  /// The application's window, which ours stays in front of: `x11:` and its number in hexadecimal, or `wayland:` and a
  /// handle of xdg-foreign. Any other text has no effect.
  public var parentWindow: String?
  /// The time that a call may take, in whole seconds, or nil for no limit. A user who is typing in the window gets it again.
  /// A code for another device is awaited until it expires. Later, the call fails with the code `Failure.Code.timeout`.
  public var deadline: Duration? = .seconds(300)
  /// The name under which the window keeps the provider's cookies, so that the user stays signed in. With a name, the window
  /// is the default way. Without one, each window is a new visitor.
  public var session: String?
  /// The user's certificate with its key, as PEM or PKCS#12. Only the server of the sign-in page gets it, if it asks. It cannot
  /// be combined with ``Way/headless(form:)`` and ``dependencies``, whose transport then loads the page.
  public var clientCertificate: [UInt8]?
  /// Receives the events of a sign-in, on any thread. By default, events that tell the user what to do are printed on
  /// standard error.
  public var onEvent: @Sendable (Event) -> Void = { $0.printIfNeeded() }
  /// Receives a line for each request to the provider, with its result and without secrets, on any thread.
  public var log: (@Sendable (String) -> Void)?
  /// The network, cryptography and clock, or nil for those of the library. All requests use this network: those to the
  /// provider, to APIs, and for the pages of ``Way/headless(form:)``. A page that the user sees does not.
  public var dependencies: Dependencies? {
    didSet { memory = ServerMemory() }
  }
  /// The provider's metadata and keys, and the nonces of servers, which the copies of a client share.
  private(set) var memory = ServerMemory()
  /// Called before the provider registers a client (RFC 7591). The function can add to the description of the client.
  public var beforeRegistration: (@Sendable (inout Registration) async throws(Failure) -> Void)?
  /// The path of `tokentry-window`. By default it is the one in the variable `TOKENTRY_WINDOW`, next to the program, or in
  /// `libexec/tokentry` of `~/.local`, `/usr` or `/usr/local`.
  public var windowProgram: String?
  /// False makes each call fail with the code `Failure.Code.alreadyInProgress` while another task or program refreshes the
  /// account, signs in to it or out of it. It has no effect on a store with `StoreLocks` of its own.
  public var waitsForOthers = true
  /// False refreshes a token whose expiry the provider does not say.
  public var assumesUnexpired = true

  /// A way to take the user to the provider.
  @nonexhaustive
  public enum Way: Sendable {
    /// The user's own browser (RFC 8252).
    case browser
    /// A window with the provider's page. The program `tokentry-window` has to be installed.
    case window
    /// The user opens the page anywhere, and pastes the answer.
    case paste
    /// The user enters a code on another device (RFC 8628).
    case device
    /// For tests, without a user: the forms of the provider's pages are filled in with these values.
    case headless(form: ParameterList)
    /// The application's own user agent.
    case own(any UserAgent)
  }

  /// The application's part of the request that registers a client.
  public struct Registration: Sendable {
    /// Members of the client's metadata, such as `logo_uri`. They win over the library's own.
    public var metadata = JSONObject()
    /// The initial access token, for a provider that registers clients only with one.
    public var initialAccessToken: AccessToken?
  }

  /// Creates a client at a provider that publishes its metadata (OpenID Connect Discovery or RFC 8414), such as
  /// `https://accounts.google.com`. Without `clientID`, the first sign-in asks the provider to register a client (RFC 7591),
  /// which is kept in the store.
  public init(issuer: String, clientID: String = "", clientSecret: String? = nil) throws(Failure) {
    var provider = Provider()
    provider.issuer = try failing(Issuer(parsing: issuer)) { (reason: Message) in
      Failure(.invalidConfiguration, "the issuer \(Redaction.given(issuer), upTo: 100) is \(reason)")
    }
    try self.init(provider: provider, clientID: clientID, clientSecret: clientSecret)
  }

  /// Creates a client at a provider with a preset, such as `github`.
  public init(
    preset name: String, variables: [String: String] = [:], clientID: String, clientSecret: String? = nil
  ) throws(Failure) {
    let provider = try Preset(named: name).provider(variables: variables, clientID: clientID)
    try self.init(provider: provider, clientID: clientID, clientSecret: clientSecret)
  }

  /// Creates a client at a provider whose endpoints are known, such as one from a `Preset`.
  public init(provider: Provider, clientID: String, clientSecret: String? = nil) throws(Failure) {
    GLibActor.beginOwnThread()
    let ofThisMachine = try RedirectURI.onThisMachine(for: provider)
    login = LoginRequest(
      provider: provider, clientID: clientID, clientSecret: clientSecret.map { ClientSecret($0) },
      redirectURI: provider.redirectURI ?? ofThisMachine)
    store = .keyring
  }
}

extension OAuthClient {
  /// Returns the events of this client and its later copies as a stream, which takes the place of ``onEvent``. It does not end by
  /// itself. An event that asks the user for something is then not printed.
  public mutating func events() -> AsyncStream<Event> {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    onEvent = { continuation.yield($0) }
    return events
  }
}

extension CredentialStore where Self == KeyringStore {
  /// The user's keyring. It may ask for its password, unless a call must not ask the user to sign in.
  public static var keyring: KeyringStore {
    let environment = Environment()
    let folder = environment.folder("XDG_RUNTIME_DIR", default: ".cache") ?? "/tmp"
    return KeyringStore(mayAsk: true, locks: folder + "/tokentry")
  }
}

extension CredentialStore where Self == FileStore {
  /// A private folder with a file for each account, for machines without a keyring. The files are not encrypted.
  public static func folder(_ path: String) -> FileStore { FileStore(folder: path) }
}

/// The accounts of this client.
extension OAuthClient {
  /// Signs the user in and keeps the token as an account. It replaces an earlier account of the same name.
  ///
  /// - Parameters:
  ///   - scope: The scope to ask for. By default it is that of ``login``.
  ///   - account: The name of the account. By default it is made from the client and the provider.
  @discardableResult
  public func signIn(scope: String? = nil, account: String? = nil) async throws(Failure) -> Token {
    try await call { call throws(Failure) in
      try await call.signedIn(by: call.newLogin(account, asking: scope)).token
    }
  }

  /// Signs in a user whose password the application knows. RFC 9700 section 2.4 forbids this: use it only if the provider
  /// offers no other grant.
  @discardableResult
  public func signIn(
    user: String, password: String, scope: String? = nil, account: String? = nil
  ) async throws(Failure) -> Token {
    try await call { call throws(Failure) in
      var call = call
      call.options.password = Password(password)
      return try await call.signedIn(by: call.newLogin(account, asking: scope, ofUser: user)).token
    }
  }

  /// Returns the kept token if it is good for another minute, or else refreshes it, once for all tasks and programs that ask
  /// at the same time.
  ///
  /// If the refresh is not possible or no account is kept, `signingIn` lets the user sign in. Without it, the method then
  /// fails with the code `Failure.Code.loginRequired` or `Failure.Code.unknownAccount`. `forcingRefresh` refreshes the token
  /// even if it is still good.
  public func freshToken(
    account: String? = nil, forcingRefresh: Bool = false, signingIn: Bool = false
  ) async throws(Failure) -> Token {
    try await call(signingIn, mayUnlock: signingIn) { call throws(Failure) in
      guard forcingRefresh else { return try await call.kept(account).token }
      let token = try await call.host.store.find(try accountName(account))?.token.accessToken
      return try await call.kept(account, insteadOf: token.map { .init($0, isByAPI: false) }).token
    }
  }

  /// Returns another token, because an API has refused this one: call it when another HTTP library gets the status 401. Tasks
  /// and programs with the same refused token share one refresh.
  public func freshToken(
    insteadOf refused: Token, account: String? = nil, signingIn: Bool = false
  ) async throws(Failure) -> Token {
    guard let token = refused.accessToken else {
      throw Failure(.invalidConfiguration, "there is no access token that an API could have refused")
    }
    return try await call(signingIn, mayUnlock: signingIn) { call throws(Failure) in
      try await call.kept(account, insteadOf: .init(token, isByAPI: true)).token
    }
  }

  /// Returns the token as it is kept, without a request, or nil if no account is kept. It may have expired.
  public func keptToken(account: String? = nil) async throws(Failure) -> Token? {
    try await call { call throws(Failure) in try await call.host.store.find(try accountName(account))?.token }
  }

  /// Returns the accounts of this client, sorted by name. Those of other clients and programs in the same store are left out,
  /// and so are those that cannot be read, such as in a locked keyring.
  public func accounts() async throws(Failure) -> [Account] {
    guard let clientID = try await clientID() else { return [] }
    var wanted = login
    wanted.clientID = clientID
    let list = try await call(false, mayUnlock: false) { call throws(Failure) in
      try await call.host.store.list()
    }
    return list.compactMap { stored in
      guard case .account(let account) = stored.contents, account.fit(wanted) != .none else { return nil }
      return account
    }
  }

  /// Signs out of all ``accounts()``, and of no other program's. If that fails for one of them, the others are tried all the
  /// same, and the first failure is thrown.
  public func signOutEverywhere() async throws(Failure) {
    var failure: Failure?
    for account in try await accounts() {
      do throws(Failure) { try await signOut(account: account.name.description) } catch {
        if error.code != .unknownAccount { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
  }

  /// Revokes the tokens if the provider can do that, and then forgets the account. It also ends the user's session at the
  /// provider if that needs no page. If one of these requests fails, the account is kept, so that you can try again.
  ///
  /// - Parameters:
  ///   - account: The name of the account. By default it is ``accountName(_:)``.
  ///   - redirectURI: The address to which the provider's page leads back after it has ended the user's session. It has to be
  ///     registered with the provider. Without it, no page is shown.
  public func signOut(
    account: String? = nil, returningTo redirectURI: RedirectURI? = nil
  ) async throws(Failure) {
    try await call(redirectURI != nil) { call throws(Failure) in
      _ = try await call.engine.signOut(
        of: try accountName(account), returningTo: redirectURI, waits: waitsForOthers)
    }
  }

  /// Forgets the account without telling the provider, where its tokens stay valid.
  public func forget(account: String? = nil) async throws(Failure) {
    try await call { call throws(Failure) in
      let (name, store) = (try accountName(account), try call.host.store)
      let lock = try await store.lock(name, waits: waitsForOthers)
      defer { withExtendedLifetime(lock) {} }
      try await store.delete(name)
    }
  }

  /// Returns the client ID in ``login``, or the one that the provider has registered. nil if there is none yet.
  public func clientID() async throws(Failure) -> String? {
    guard login.clientID.isEmpty else { return login.clientID }
    guard let slot = ClientSlot(login.provider, login.redirectURI) else { return nil }
    return try await call { call throws(Failure) in try await call.host.store.client(at: slot)?.clientID }
  }

  /// Forgets the client that the provider registered, and asks the provider to delete it if it can (RFC 7592).
  public func forgetClient() async throws(Failure) {
    try await call(false) { call throws(Failure) in
      _ = try await ClientRegistration(call.host, NewClient()).forget(for: login, insisting: false)
    }
  }
}

extension OAuthClient {
  /// The servers of ``allowedOrigins``.
  var origins: [Origin] {
    get throws(Failure) {
      try allowedOrigins.map { api throws(Failure) in
        try failing(Origin(api)) { (reason: Message) in
          Failure(.invalidConfiguration, "the API \"\(api, upTo: 100)\" is \(reason)")
        }
      }
    }
  }

  /// Returns the name under which ``store`` keeps an account. nil stands for the default one, which is made from the client ID
  /// and the provider. Fails if the name is invalid.
  public func accountName(_ account: String? = nil) throws(Failure) -> AccountName {
    guard let account else {
      let provider = login.provider.issuer?.description ?? login.provider.name ?? "OAuth"
      let name = login.clientID.isEmpty ? provider : "\(login.clientID) \(provider)"
      return try AccountName(shortening: name, GnuTLSCryptography())
    }
    guard let name = AccountName(account) else {
      throw Failure(
        .invalidConfiguration,
        "the name of an account is one line of visible text of at most \(AccountName.maximumLength) bytes")
    }
    return name
  }
}

extension Preset {
  /// Reads the preset with this name, such as `github`, or the file at this path. A file in `tokentry/providers` of the
  /// user's or the system's data folders wins over the preset of that name in this library.
  public init(named name: String) throws(Failure) {
    do throws(Failure) { self = try ProviderCatalog(environment: Environment()).preset(name) } catch {
      guard error.code == .unknownProvider else { throw error }
      guard let text = shippedPresets[name] else {
        let nearest = nearestName(to: name, among: Array(shippedPresets.keys))
        throw nearest.map { error.with(hint: .didYouMean($0)) } ?? error
      }
      self = try Preset.shipped(text)
    }
  }

  static func shipped(_ text: String) throws(Failure) -> Preset {
    try failing(Preset(Array(text.utf8), extra: ExtraMembers(of: ProviderProfile.self))) {
      (error: JSONError) in
      .defect(error.message.description)
    }
  }
}
