import GLibSupport
import GnuTLSCrypto
import Language
@_exported import LoginCore
import Platform
import SecretStore

/// An application's client at one provider. It signs users in, keeps and refreshes their tokens, and sends requests with
/// them.
///
///     var client = try OAuthClient(issuer: "https://id.example", clientID: "my-app")
///     client.apis = ["https://api.example"]
///     try await client.signIn(scope: "openid notes")
///     let notes = try await client.request("https://api.example/notes")
///
/// Call each method from any task, and from many at once. To cancel a call, cancel its task; a refresh that has begun is
/// still finished and saved. The work is done on the library's own thread, so the program needs no main loop.
public struct OAuthClient: Sendable {
  /// The request for each sign-in: the provider, the client, the scope, the grant and further parameters. Change what does
  /// not suit your provider or application.
  public var login: LoginRequest
  /// The store for accounts and registered clients. By default it is the user's keyring, shared with the `tokentry` command
  /// and with other programs that use this library.
  public var store: any CredentialStore
  /// The servers to which a token may be sent, such as `https://api.example`.
  public var apis: [String] = []
  /// The way to take the user to the provider. By default it is the browser if that can return the answer, or else the
  /// window. Without a display or a browser, it is a code for another device, if the provider offers that.
  public var way: Way?
  /// The application's name, which the user sees during the sign-in: by default the name of its executable. A client that the
  /// provider registers gets it, too.
  public var name: String?
  /// The application's window, which ours stays in front of: `x11:` and its number in hexadecimal, or `wayland:` and a
  /// handle of xdg-foreign. Any other text has no effect.
  public var parentWindow: String?
  /// Receives the events of a sign-in, on any thread. By default, events that tell the user what to do are printed on
  /// standard error.
  public var tell: @Sendable (Event) -> Void = { $0.printIfNeeded() }

  /// A way to take the user to the provider.
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
    case headless(form: KeyValuePairs<String, String>)
    /// The application's own user agent.
    case own(any UserAgent)
  }

  let dependencies: Dependencies

  /// Creates a client at a provider that publishes its metadata (OpenID Connect Discovery or RFC 8414), such as
  /// `https://accounts.google.com`. Without `clientID`, the first sign-in asks the provider to register a client (RFC 7591),
  /// which is kept in the store.
  public init(issuer: String, clientID: String = "", clientSecret: String? = nil) throws(Failure) {
    var provider = Provider()
    provider.issuer = try failing(Issuer(issuer)) { (reason: Message) in
      Failure(.invalidConfiguration, "the issuer \(Redaction.given(issuer), upTo: 100) is \(reason)")
    }
    try self.init(provider: provider, clientID: clientID, clientSecret: clientSecret)
  }

  /// Creates a client at a provider whose endpoints are known, such as one from a ``Preset``.
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
  /// Signs the user in and keeps the token as an account. It replaces an earlier account of the same name.
  ///
  /// - Parameters:
  ///   - scope: The scope to ask for. By default it is that of ``login``.
  ///   - account: The name of the account. By default it is made from the client and the provider.
  @discardableResult
  public func signIn(scope: String? = nil, account: String? = nil) async throws(Failure) -> Token {
    try await signedIn(account, asking: scope, SignIn(client: self).token)
  }

  /// Signs in a user whose password the application knows. RFC 9700 section 2.4 forbids this: use it only if the provider
  /// offers no other grant.
  @discardableResult
  public func signIn(
    user: String, password: String, scope: String? = nil, account: String? = nil
  ) async throws(Failure) -> Token {
    try await signedIn(account, asking: scope) { wanted async throws(Failure) in
      let session = DirectSession(dependencies)
      return (wanted, try await session.token(ofUser: user, Password(password), in: wanted))
    }
  }

  /// Returns the kept token if it is good for another minute, or else refreshes it, once for all tasks and programs that ask
  /// at the same time.
  ///
  /// If the refresh is not possible or no account is kept, `signingIn` lets the user sign in. Without it, the method then
  /// fails with the code ``Failure/Code/loginRequired`` or ``Failure/Code/unknownAccount``.
  public func freshToken(account: String? = nil, signingIn: Bool = false) async throws(Failure) -> Token {
    try await kept(account, by: session(signingIn, account)).token
  }

  /// Revokes the tokens if the provider can do that, and then forgets the account. It also ends the user's session at the
  /// provider if that needs no page. If one of these requests fails, the account is kept, so that you can try again.
  public func signOut(account: String? = nil) async throws(Failure) {
    let name = try name(of: account)
    // The provider's own logout request needs a good token. If only the user could get one, the session is already over.
    if login.provider.hasLogoutRequest {
      do throws(Failure) {
        _ = try await freshToken(account: account)
      } catch {
        guard Failure.signInForbidden(account: "") ~= error else { throw error }
      }
    }
    let lock = try await store.locks.lock(name)
    defer { withExtendedLifetime(lock) {} }
    _ = try await LogoutSession(dependencies).end(try await store.load(name))
    try await store.delete(name)
  }

  /// Forgets the account without telling the provider, where its tokens stay valid.
  public func forget(account: String? = nil) async throws(Failure) {
    let name = try name(of: account)
    let lock = try await store.locks.lock(name)
    defer { withExtendedLifetime(lock) {} }
    try await store.delete(name)
  }

  /// Forgets the client that the provider registered, and asks the provider to delete it if it can (RFC 7592).
  public func forgetClient() async throws(Failure) {
    _ = try await RegistrationSession(store: store, dependencies).forget(for: login)
  }

  /// The seconds for which a token has to be good, enough for one request.
  static let life: Int64 = 60
}

extension OAuthClient {
  /// Returns the session of an account. It signs in only if the user may be asked, or if the token is for the client itself.
  func session(_ mayAsk: Bool, _ account: String?) throws(Failure) -> AccountSession {
    let name = try name(of: account)
    var session = AccountSession(
      store: store, dependencies,
      mayLogIn: { [login] in
        $0.isAtProvider(of: login) && (mayAsk ? $0.grant != .password : $0.grant == .clientCredentials)
      },
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

  /// Returns the account with a good token. Refuses the account of another provider that is kept under the same name:
  /// its token is not for the servers of ``apis``.
  func kept(_ account: String?, by session: AccountSession) async throws(Failure) -> Account {
    let name = try name(of: account)
    let kept = try await session.token(of: name, forAtLeast: Self.life)
    guard kept.login.isAtProvider(of: login) else {
      throw Failure(
        .loginRequired,
        "the account \(name.description) is of another provider: \(kept.login.provider.issuer?.description ?? "", upTo: 200)"
      )
    }
    return kept
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
    let origins = try origins
    try await store.prepare()
    let (login, token) = try await signIn(wanted)
    var account = Account(
      name, provider: login.provider.issuer?.description, login: login, token: token,
      receivedAt: dependencies.clock.now())
    account.origins = origins
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

  /// Returns the given name, or the default one for nil. Fails if the name is invalid.
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

extension LoginRequest {
  /// False if it is known that the provider is on another server than that of `other`.
  fileprivate func isAtProvider(of other: LoginRequest) -> Bool {
    guard let issuer = provider.issuer, let wanted = other.provider.issuer else { return true }
    return (try? Endpoint(issuer.description).origin) == (try? Endpoint(wanted.description).origin)
  }
}
