import GLibSupport
import GnuTLSCrypto
@_exported import LoginCore
import SecretStore

/// An application's client at one provider: it signs its users in, keeps and renews their tokens, and sends requests with
/// them.
///
///     var client = try OAuthClient(issuer: "https://id.example", clientID: "my-app")
///     client.apis = ["https://api.example"]
///     try await client.signIn(scope: "openid notes")
///     let notes = try await client.request("https://api.example/notes")
///
/// Each method can be called in any task and by many at once; cancelling the task ends what it does. The work is done on a
/// thread of this library, so that it does not matter whether the program has a main loop.
public struct OAuthClient: Sendable {
  /// The request behind each sign-in: the provider, the client, the scope, the grant, further parameters. Change what the
  /// provider or the application wants otherwise.
  public var login: LoginRequest
  /// The place where accounts and registered clients are kept: the user's keyring, which the programs of the `tokentry`
  /// package share, unless another one is set.
  public var store: any CredentialStore
  /// The servers, such as `https://api.example`, to which ``request(_:method:headers:body:account:signingIn:)`` may send a
  /// token.
  public var apis: [String] = []
  /// The way to the user. Without one, it is the browser if the answer can come back from there, else the window, else a
  /// code for another device.
  public var way: Way?
  /// The application's name, which the user sees when the sign-in begins and when it has ended.
  public var name: String?
  /// The application's window, above which ours stays: `x11:` with its number in hexadecimal, or `wayland:` with a handle of
  /// xdg-foreign. Another text has no effect.
  public var parentWindow: String?
  /// Receives the events of a sign-in, on any thread. By default, those that ask the user for something are printed on
  /// standard error.
  public var tell: @Sendable (Event) -> Void = { $0.printIfNeeded() }

  /// A way to take the user to the provider.
  public enum Way: Sendable {
    /// The user's own browser (RFC 8252).
    case browser
    /// A window with the provider's page, shown by the program `tokentry-window`, which has to be installed.
    case window
    /// A page that the user opens anywhere, and an answer that is copied by hand.
    case paste
    /// A code that the user types in on another device (RFC 8628).
    case device
    /// No user: the forms of the provider's pages are filled in with these values. This is for the tests of an application.
    case headless(form: KeyValuePairs<String, String>)
    /// A user agent of the application's own.
    case own(any UserAgent)
  }

  let dependencies: Dependencies

  /// Creates a client at a provider with OpenID Connect Discovery or OAuth's own (RFC 8414), such as
  /// `https://accounts.google.com`. Without `clientID`, the provider is asked to register a client (RFC 7591), which is kept
  /// in the store.
  public init(issuer: String, clientID: String = "", clientSecret: String? = nil) throws(Failure) {
    var provider = Provider()
    provider.issuer = try failing(Issuer(issuer)) { (reason: Message) in
      Failure(.invalidConfiguration, "the issuer \(issuer, upTo: 100) is \(reason)")
    }
    try self.init(provider: provider, clientID: clientID, clientSecret: clientSecret)
  }

  /// Creates a client at a provider whose endpoints are known, such as those of a ``Preset``.
  public init(provider: Provider, clientID: String, clientSecret: String? = nil) throws(Failure) {
    GLibActor.beginOwnThread()
    let ofThisMachine = try failing(RedirectURI.onThisMachine(for: provider.issuer)) { (reason: Message) in
      .defect(reason.description)
    }
    login = LoginRequest(
      provider: provider, clientID: clientID, clientSecret: clientSecret.map { ClientSecret($0) },
      redirectURI: provider.redirectURI ?? ofThisMachine)
    store = .keyring
    dependencies = Dependencies(
      transport: Network.shared, cryptography: GnuTLSCryptography(), clock: SystemClock()
    ) { body in
      GLibActor.task { await body() }
    }
  }
}

extension CredentialStore where Self == KeyringStore {
  /// The user's keyring. It may ask for its password.
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
  /// Signs the user in and keeps the token as an account, in place of an earlier one of its name.
  ///
  /// - Parameters:
  ///   - scope: The scope to ask for, if not that of ``login``.
  ///   - account: The name of the account. Without one, it is called after the client and the provider.
  @discardableResult
  public func signIn(scope: String? = nil, account: String? = nil) async throws(Failure) -> Token {
    try await signedIn(account, asking: scope, SignIn(client: self).token)
  }

  /// Signs a user in whose password the application knows. RFC 9700 section 2.4 forbids this; use it only if the provider
  /// has no other way.
  @discardableResult
  public func signIn(
    user: String, password: String, scope: String? = nil, account: String? = nil
  ) async throws(Failure) -> Token {
    try await signedIn(account, asking: scope) { wanted async throws(Failure) in
      let session = DirectSession(dependencies)
      return (wanted, try await session.token(ofUser: user, Password(password), in: wanted))
    }
  }

  /// Returns the kept token if it is good for another minute, or else refreshes it, however many tasks and programs ask at
  /// once. Fails with the code ``Failure/Code/loginRequired`` if only the user can help, or with
  /// ``Failure/Code/unknownAccount`` if no account is kept, unless the user may be asked by `signingIn`.
  public func freshToken(account: String? = nil, signingIn: Bool = false) async throws(Failure) -> Token {
    try await session(signingIn, account).token(of: try name(of: account), forAtLeast: Self.life).token
  }

  /// Ends the user's session and the tokens at the provider as far as it can, and then forgets the account. If the provider
  /// cannot be reached, the account is kept, so that this can be repeated.
  public func signOut(account: String? = nil) async throws(Failure) {
    let name = try name(of: account)
    // A provider's own request takes a good token. If only the user could get one, the session is over already.
    if login.provider.hasLogoutRequest { _ = try? await freshToken(account: account) }
    let lock = try await store.locks.lock(name)
    defer { withExtendedLifetime(lock) {} }
    _ = try await LogoutSession(dependencies).end(try await store.load(name))
    try await store.delete(name)
  }

  /// Forgets the account without a word to the provider, where its tokens stay valid.
  public func forget(account: String? = nil) async throws(Failure) {
    let name = try name(of: account)
    let lock = try await store.locks.lock(name)
    defer { withExtendedLifetime(lock) {} }
    try await store.delete(name)
  }

  /// Forgets the client that the provider has registered, and has the provider delete it if it can (RFC 7592).
  public func forgetClient() async throws(Failure) {
    _ = try await RegistrationSession(store: store, dependencies).forget(for: login)
  }

  /// The seconds for which a token has to be good: enough for the request that it is wanted for.
  static let life: Int64 = 60
}

extension OAuthClient {
  /// Returns the session of an account, which asks the user only if it may. A client's own token needs no user.
  func session(_ mayAsk: Bool, _ account: String?) throws(Failure) -> AccountSession {
    let name = try name(of: account)
    var session = AccountSession(
      store: store, dependencies,
      mayLogIn: { mayAsk ? $0.grant != .password : $0.grant == .clientCredentials },
      signIn: { kept async throws(Failure) in
        let (login, token) = try await SignIn(client: self).token(for: kept.newLogin)
        return kept.loggedIn(by: login, with: token, receivedAt: dependencies.clock.now())
      })
    if mayAsk || login.grant == .clientCredentials {
      session.make = { () async throws(Failure) in
        try await newAccount(name, login, SignIn(client: self).token)
      }
    }
    return session
  }

  private func signedIn(
    _ account: String?, asking scope: String?,
    _ signIn: @escaping @Sendable (LoginRequest) async throws(Failure) -> (login: LoginRequest, token: Token)
  ) async throws(Failure) -> Token {
    let name = try name(of: account)
    var wanted = login
    wanted.scope = scope ?? login.scope
    return try await AccountLogin(store: store, clock: dependencies.clock).account(name) {
      [wanted] () async throws(Failure) in try await newAccount(name, wanted, signIn)
    }.token
  }

  private func newAccount(
    _ name: AccountName, _ wanted: LoginRequest,
    _ signIn: (LoginRequest) async throws(Failure) -> (login: LoginRequest, token: Token)
  ) async throws(Failure) -> Account {
    try await store.prepare()
    let (login, token) = try await signIn(wanted)
    var account = Account(
      name, provider: login.provider.issuer?.description, login: login, token: token,
      receivedAt: dependencies.clock.now())
    account.origins = try origins
    account.hasRegisteredClient = wanted.clientID.isEmpty
    return account
  }

  /// The servers of ``apis``.
  var origins: [Origin] {
    get throws(Failure) {
      try apis.map { api throws(Failure) in
        try failing(Origin(api)) { (reason: Message) in
          Failure(.invalidConfiguration, "the API \"\(api, upTo: 100)\" is \(reason)")
        }
      }
    }
  }

  /// Returns the name of an account.
  func name(of account: String?) throws(Failure) -> AccountName {
    guard let account else {
      let provider = login.provider.issuer?.description ?? login.provider.name ?? "OAuth"
      return try AccountName(shortening: "\(login.clientID) \(provider)", dependencies.cryptography)
    }
    guard let name = AccountName(account) else {
      throw Failure(
        .invalidConfiguration,
        "the name of an account is one line of visible text of at most \(AccountName.maximumLength) bytes")
    }
    return name
  }
}
