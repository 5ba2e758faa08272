import LoginCore

extension CommandRun {
  /// `tokentry register`: the client that is kept for a provider, or one that the provider makes now and that is kept;
  /// with `--forget` it goes again. No secret is printed: `login` finds the client where it is kept.
  func register(_ settings: Settings) async throws(Failure) -> String {
    let login = try LoginRequest(settings, needing: .registration, catalog: catalog)
    let session = RegistrationSession(store: try credentialStore(settings), try await means(settings))
    if settings.has(.forget) { return try await forget(login, session, settings) }
    if settings.has(.force) { throw .caller(.invalidOption("--force belongs to --forget")) }
    let found = try await session.client(
      settings.metadata(for: login), for: login, initialAccessToken: settings.initialAccessToken)
    let client = found.client
    var object: JSONObject = ["client_id": .string(client.clientID)]
    object["client_authentication"] = .string(client.authentication.rawValue)
    object["redirect_uri"] = .string(login.redirectURI.description)
    object["expires_at"] = client.secretExpiresAt.map { .string($0.description) }
    object["registered"] = .bool(found.isNew)
    return object.text + "\n"
  }

  private func forget(
    _ login: LoginRequest, _ session: RegistrationSession, _ settings: Settings
  ) async throws(Failure) -> String {
    let forgotten = try await session.forget(for: login, insisting: settings.has(.force))
    if let failure = forgotten.failure { messages.warning(failure.message) }
    var object = JSONObject()
    object["client_id"] = (forgotten.client?.clientID).map(JSONValue.string)
    object["deleted"] = .bool(forgotten.isDeleted)
    object["forgotten"] = true
    return object.text + "\n"
  }

  /// A new token, and the request that has brought it: with a client of its own, or with the one that is kept for the
  /// provider, or that the provider makes now. A kept one that the provider has forgotten is made anew, once.
  func newLogin(
    for wanted: LoginRequest, _ settings: Settings
  ) async throws(Failure) -> (login: LoginRequest, token: Token) {
    guard wanted.mayRegister else { return (wanted, try await newToken(for: wanted, settings)) }
    let found = try await client(for: wanted, settings)
    let login = wanted.made(by: found.client)
    do throws(Failure) {
      return (login, try await newToken(for: login, settings))
    } catch {
      guard error.isUnknownClient, !found.isNew else { throw error }
    }
    messages.info("the provider has forgotten the client, and is asked for another one")
    try await credentialStore(settings).forgetClient(of: login)
    let renewed = wanted.made(by: try await client(for: wanted, settings).client)
    return (renewed, try await newToken(for: renewed, settings))
  }

  private func client(
    for login: LoginRequest, _ settings: Settings
  ) async throws(Failure) -> RegistrationSession.Found {
    // A test touches no keyring that it was not told of, so it keeps nothing.
    let keeps = !settings.has(.headlessTest) || settings.has(.account) || hasStore(settings)
    let session = RegistrationSession(
      store: keeps ? try credentialStore(settings) : nil, try await means(settings))
    let found = try await session.client(
      settings.metadata(for: login), for: login, initialAccessToken: settings.initialAccessToken)
    if found.isNew { messages.info("the provider has made a client\(keeps ? ", which is kept" : "")") }
    return found
  }
}

extension Settings {
  /// What a new client says of itself. People see its name when they are asked for their consent.
  fileprivate func metadata(for login: LoginRequest) -> RegistrationRequest.Metadata {
    RegistrationRequest.Metadata(
      for: login, name: self[.clientName] ?? "Tokentry",
      authentication: self[.clientAuthentication].flatMap(ClientAuthentication.init))
  }
}
