import LoginCore

/// A login for an API of which only the address is known. The API tells the rest (RFC 9728).
struct ResourceLogin: Sendable {
  let resource: ProtectedResource
  private let settings: Settings
  private let run: Composition

  /// Returns nil if the caller names the issuer of the tokens. The address is then a parameter of an ordinary login.
  init?(_ settings: Settings, _ run: Composition) throws(Failure) {
    let first = Option.allCases.first { $0.endpoint == settings.firstEndpoint }
    guard settings.has(.resource),
      ![.provider, .issuer, first].contains(where: { $0.map(settings.has) ?? false })
    else { return nil }
    resource = try settings.apiAddress()
    (self.settings, self.run) = (settings, run)
  }

  /// Asks the API, and returns the request of a new login. `tell` receives the steps.
  func request(
    tell: @escaping @Sendable (Message) -> Void
  ) async throws(Failure) -> (login: LoginRequest, found: FoundResource, scopeFrom: FoundResource.ScopeSource)
  {
    let found = try await run.found(resource, tell)
    var provider = found.provider
    try provider.apply(settings)
    let asked = try LoginRequest(settings, to: provider)
    let login = found.applied(to: asked, scope: settings[.scope])
    if !asked.clientID.isEmpty, login.clientID.isEmpty {
      run.messages.warning(
        """
        the server does not read client documents such as \(asked.clientID, upTo: 200), so it is asked to \
        register a client
        """)
    }
    let source = found.scope(settings[.scope]).source
    tell(source.message(about: login.scope))
    return (login, found, source)
  }

  /// Refuses settings that contradict each other, before the API is asked.
  func check() throws(Failure) { _ = try LoginRequest(settings, to: Provider()) }

  /// Refuses a secret of the caller that would go to a server that only the API names. A client's secret may go to the server
  /// that the `kept` account has with this client.
  func checkSecrets(_ kept: Account?) throws(Failure) {
    let login = kept?.login
    let isKnown = login?.clientIsDocument == false && login?.clientID == settings[.clientID]
    let sendsPassword = settings[.grant] == GrantType.password.rawValue && settings.password != nil
    let refreshes =
      settings.refreshToken != nil || settings.token?.refreshToken != nil
      || settings[.grant] == GrantType.tokenExchange.rawValue
    if sendsPassword || refreshes || settings.initialAccessToken != nil
      || settings.has(.clientID) && settings.clientSecret != nil && !isKnown
    {
      throw .secretForUnknownServer
    }
  }
}

extension Failure {
  /// The API alone would decide which server gets a secret of the caller.
  static let secretForUnknownServer = Failure(
    .invalidConfiguration, "the API would decide which server gets your secret",
    hint: "name that server with --issuer URL")
}

extension Composition {
  /// Asks an API which server issues its tokens. `tell` receives the steps.
  func found(
    _ resource: ProtectedResource, _ tell: @escaping @Sendable (Message) -> Void
  ) async throws(Failure) -> FoundResource {
    try await ResourceSession(dependencies) { tell($0.message) }.found(resource)
  }
}

extension ResourceSession.Step {
  fileprivate var message: Message {
    switch self {
    case .asked(let method, let status): "without a token, \(method.rawValue) returns HTTP \(status)"
    case .challenge(nil, let scope): Self.with(scope, "the answer does not say where the API is described")
    case .challenge(let metadata?, let scope): Self.with(scope, "the answer names \(metadata, upTo: 200)")
    case .noDocument(let address): "there is no description of the API at \(address)"
    case .document(let address, let resource): "\(address) describes \(resource, upTo: 200)"
    case .unusable(let issuer, let failure): "\(issuer) cannot be used: \(failure.message)"
    case .server(let issuer, let address): "\(issuer) issues its tokens, as \(address) says"
    }
  }

  private static func with(_ scope: String?, _ message: Message) -> Message {
    scope.map { "\(message); it names the scope \($0, upTo: 300)" } ?? message
  }
}

extension FoundResource.ScopeSource {
  fileprivate func message(about scope: String?) -> Message {
    guard let scope, let reason else { return "no scope given, so none is requested" }
    return "requesting the scope \(scope, upTo: 300): \(reason)"
  }

  private var reason: Message? {
    switch self {
    case .caller: "requested by the caller"
    case .challenge: "required by the API"
    case .metadata: "the API lists no others"
    case .none: nil
    }
  }
}
