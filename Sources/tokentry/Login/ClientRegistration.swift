import GLibSupport
import LoginCore
import SignIn
import WindowProtocol

/// Finds the client of a login without one: the client that is kept for the provider, or a new one that the provider
/// registers.
struct ClientRegistration: Sendable {
  private let run: Composition
  private let name: String
  private let authentication: ClientAuthentication?
  private let initialAccessToken: AccessToken?
  private let isKept: Bool
  private let isAsked: Bool

  /// Reads how a new client is described. If the caller asked for the client itself, it is always kept, and no message
  /// tells of it.
  init(_ settings: Settings, _ run: Composition, isAsked: Bool = false) {
    (self.run, self.isAsked) = (run, isAsked)
    // The user sees the name on the page that asks for consent.
    name = settings[.clientName] ?? "Tokentry"
    authentication = settings[.clientAuthentication].flatMap(ClientAuthentication.init)
    initialAccessToken = settings.initialAccessToken
    // A test must not use the keyring unless it is told to, so it keeps no client.
    isKept = isAsked || !settings.has(.headlessTest) || settings.has(.account) || run.isStoreNamed
  }

  func client(
    for login: LoginRequest, at port: ReservedPort
  ) async throws(Failure) -> RegistrationSession.Found {
    if authentication == .privateKeyJWT || login.clientKey != nil { throw .keyWithoutClient }
    let found = try await session.client(
      for: login, initialAccessToken: initialAccessToken,
      at: { wanted throws(Failure) in try await port.number(wanted) }
    ) { [name, authentication] asked in
      RegistrationRequest.Metadata(for: asked, name: name, authentication: authentication)
    }
    if found.isNew, !isAsked {
      run.messages.info(
        isKept
          ? "the provider has registered a client, which is kept" : "the provider has registered a client")
    }
    return found
  }

  func forget(for login: LoginRequest, insisting: Bool) async throws(Failure) -> RegistrationSession.Forgotten
  {
    try await session.forget(for: login, insisting: insisting)
  }

  private var session: RegistrationSession {
    get throws(Failure) { RegistrationSession(store: isKept ? try run.store : nil, run.dependencies) }
  }
}

extension Failure {
  /// A key that the provider does not know proves nothing.
  static let keyWithoutClient = Failure(
    .invalidConfiguration, "a client with a key has to be registered at the provider by hand",
    hint: "add its identifier with --client-id")
}
