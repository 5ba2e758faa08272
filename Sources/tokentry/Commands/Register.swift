import LoginCore

extension CommandRun {
  /// `tokentry register`: the client that is kept for a provider, or one that the provider makes now and that is kept;
  /// with `--forget` it goes again. No secret is printed: `login` finds the client where it is kept.
  func register(_ settings: Settings) async throws(Failure) -> String {
    let login = try LoginRequest(settings, needing: .registration, catalog: catalog)
    let session = RegistrationSession(
      store: try credentialStore(settings), try await means(settings))
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

  /// The request with a client: its own, or the one that is kept for the provider, or one that the provider makes now.
  func withClient(_ login: LoginRequest, _ settings: Settings) async throws(Failure) -> LoginRequest {
    guard login.mayRegister else { return login }
    // A test touches no keyring that it was not told of, so it keeps nothing.
    let keeps = !settings.has(.headlessTest) || settings.has(.account) || hasStore(settings)
    let session = RegistrationSession(
      store: keeps ? try credentialStore(settings) : nil, try await means(settings))
    let found = try await session.client(
      settings.metadata(for: login), for: login, initialAccessToken: settings.initialAccessToken)
    if found.isNew { messages.info("the provider has made a client\(keeps ? ", which is kept" : "")") }
    return login.made(by: found.client)
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
