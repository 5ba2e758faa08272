import LoginCore
import Wording

/// The client of a login that names none: the one that is kept for the provider, or one that the provider makes now.
struct ClientRegistration: Sendable {
  private let run: Composition
  private let name: String
  private let authentication: ClientAuthentication?
  private let initialAccessToken: AccessToken?
  private let isKept: Bool

  private let isAsked: Bool

  /// Reads what a new client says of itself. People see its name when they are asked for their consent. Where the client
  /// is what was asked for, it is always kept, and nobody need be told.
  init(_ settings: Settings, _ run: Composition, isAsked: Bool = false) {
    (self.run, self.isAsked) = (run, isAsked)
    name = settings[.clientName] ?? "Tokentry"
    authentication = settings[.clientAuthentication].flatMap(ClientAuthentication.init)
    initialAccessToken = settings.initialAccessToken
    // A test touches no keyring that it was not told of, so it keeps nothing.
    isKept = isAsked || !settings.has(.headlessTest) || settings.has(.account) || run.isStoreNamed
  }

  /// The client for a login. Whoever waits is told of a new one.
  func client(
    for login: LoginRequest, at port: ReservedPort
  ) async throws(Failure) -> RegistrationSession.Found {
    let found = try await session.client(
      for: login, initialAccessToken: initialAccessToken,
      at: { wanted throws(Failure) in try await port.number(wanted) }
    ) { [name, authentication] asked in
      RegistrationRequest.Metadata(for: asked, name: name, authentication: authentication)
    }
    if found.isNew, !isAsked { run.messages.info(.clientMade(isKept: isKept)) }
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
