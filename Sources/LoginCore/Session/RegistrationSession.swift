/// Finds the client that is kept for a provider, or has the provider make one and keeps it (RFC 7591); and forgets it
/// again (RFC 7592).
public struct RegistrationSession: Sendable {
  private let store: (any CredentialStore)?
  private let dependencies: Dependencies

  /// A session by these means. Without a store nothing is kept, and nothing found.
  public init(store: (any CredentialStore)?, _ dependencies: Dependencies) {
    self.store = store
    self.dependencies = dependencies
  }

  /// A client that may be used.
  public struct Found: Sendable {
    /// The client.
    public let client: RegisteredClient
    /// Whether the provider has made it just now.
    public let isNew: Bool
  }

  /// The client for a login: the kept one as long as its secret is good and it was registered for the scope, else a new
  /// one with the metadata that are made for the login, which is kept before it is used. Whether it can be kept is found
  /// out before the provider is asked. A new one may ask for what the kept one may ask for, too, since it takes its place
  /// for other logins.
  ///
  /// A client whose answers come to this machine is registered with a port, since not every server takes another one
  /// (RFC 8252 section 7.3): `port` is given the one that a kept client has and returns it if it is free, else one that
  /// is; a kept client whose port is not free is registered anew.
  public func client(
    for login: LoginRequest, initialAccessToken: AccessToken?,
    at port: @Sendable (UInt16?) async throws(Failure) -> UInt16,
    _ metadata: @Sendable (LoginRequest) -> RegistrationRequest.Metadata
  ) async throws(Failure) -> Found {
    let slot = try Self.slot(of: login)
    let known: RegisteredClient?
    do throws(Failure) {
      // As `.client` of the whole, Swift 6.3 would never free the other half.
      (known, _) = try await good(at: slot, for: login, port)
    } catch {
      // What is wrong with a keyring is no help to somebody who has only not named the client.
      guard case .store(.unavailable) = error, await !canRegister(login) else { throw error }
      throw .caller(.noClientNorRegistration)
    }
    if let known { return Found(client: known, isNew: false) }
    let lock = try await store?.lock(slot)
    defer { withExtendedLifetime(lock) {} }
    // Of several programs at once one registers, and the others find its client.
    let (kept, wanted) = try await good(at: slot, for: login, port)
    if let kept { return Found(client: kept, isNew: false) }
    var asked = wanted
    asked.provider = try await login.provider.completed(
      needing: [.registration], through: dependencies.transport)
    func made(_ asked: LoginRequest) async throws(Failure) -> RegisteredClient {
      let request = try RegistrationRequest(
        metadata(asked), at: asked.provider, initialAccessToken: initialAccessToken)
      try await store?.prepare()
      // A client that nobody knows of stays at the provider for ever.
      return try await dependencies.unabandoned { [dependencies, store] () async throws(Failure) in
        let answer = try await dependencies.transport.send(request.httpRequest)
        let client = try RegisteredClient(answer, to: request)
        try await store?.save(client, at: slot)
        return client
      }
    }
    let client: RegisteredClient
    do throws(Failure) {
      client = try await made(asked)
    } catch {
      // What the kept one may ask for may be known to the provider no more.
      guard case .provider = error, asked.scope != login.scope else { throw error }
      asked.scope = login.scope
      client = try await made(asked)
    }
    return Found(client: client, isNew: true)
  }

  private func canRegister(_ login: LoginRequest) async -> Bool {
    let provider = try? await login.provider.completed(
      needing: [.registration], through: dependencies.transport)
    return provider?.endpoints[.registration] != nil
  }

  /// The client that is kept, as long as it serves the login and its port is free; else the login that a new one has to
  /// serve: where answers to it come, and with the scopes of both.
  private func good(
    at slot: ClientSlot, for login: LoginRequest, _ port: @Sendable (UInt16?) async throws(Failure) -> UInt16
  ) async throws(Failure) -> (client: RegisteredClient?, login: LoginRequest) {
    let kept = try await store?.client(at: slot)
    let good = kept.flatMap { $0.serves(login, at: dependencies.clock.now()) ? $0 : nil }
    var wanted = login
    if let scope = login.scope { wanted.scope = LoginRequest.union(kept?.scope, scope) }
    guard case .loopback(_, nil) = login.redirectURI.kind else { return (good, wanted) }
    let ownPort = good?.redirectURI?.port
    let free = try await port(ownPort)
    if let ownPort, ownPort == free { return (good, wanted) }
    do throws(AddressFault) {
      wanted.redirectURI = try login.redirectURI.with(port: free)
    } catch {
      throw .defect(.here("\(error)"))
    }
    return (nil, wanted)
  }

  /// What became of a client that was to be forgotten.
  public struct Forgotten: Sendable {
    /// The client, if it could be read.
    public fileprivate(set) var client: RegisteredClient?
    /// Whether the provider has deleted it.
    public fileprivate(set) var isDeleted = false
    /// What went wrong before it was forgotten all the same.
    public fileprivate(set) var failure: Failure?
  }

  /// Has the provider delete the client where it can, then forgets it. A failure on the way forgets nothing, unless
  /// the caller insists.
  public func forget(for login: LoginRequest, insisting: Bool = false) async throws(Failure) -> Forgotten {
    let slot = try Self.slot(of: login)
    let lock = try await store?.lock(slot)
    defer { withExtendedLifetime(lock) {} }
    var forgotten = Forgotten()
    do throws(Failure) {
      forgotten.client = try await store?.client(at: slot)
      guard let client = forgotten.client else { throw .store(.unknownClient(of: slot.provider)) }
      if let management = client.management {
        let deletion = try ClientDeletion(management)
        forgotten.isDeleted = try ClientDeletion.isDone(
          try await dependencies.transport.send(deletion.httpRequest))
      }
    } catch {
      if case .store(.unknownClient) = error { throw error }
      guard insisting else { throw error }
      forgotten.failure = error
    }
    try await store?.deleteClient(at: slot)
    return forgotten
  }

  private static func slot(of login: LoginRequest) throws(Failure) -> ClientSlot {
    if let slot = ClientSlot(login.provider, login.redirectURI) { return slot }
    throw login.provider.noClient
  }
}

extension LoginRequest {
  /// Whether a client can be had for it without anybody naming one.
  package var mayRegister: Bool {
    clientID.isEmpty && (provider.endpoints[.registration] != nil || provider.issuer != nil)
  }

  /// The request before anybody has made a client for it.
  package var withoutClient: LoginRequest {
    var login = self
    login.clientID = ""
    login.clientSecret = nil
    return login
  }

  /// The request as the client makes it that was registered for it.
  public func made(by client: RegisteredClient) -> LoginRequest {
    var login = self
    // Those that compare ports read the client from the body alone.
    login.namesClient = true
    login.clientID = client.clientID
    login.clientSecret = client.secret
    login.clientAuthentication = client.authentication
    return login
  }
}

extension RegistrationRequest.Metadata {
  /// A client that can do what a login needs, and no more.
  package init(for login: LoginRequest, name: String?, authentication: ClientAuthentication? = nil) {
    self.init(
      name: name, redirectURIs: [login.redirectURI],
      authentication: authentication ?? login.provider.clientAuthentication)
    responseTypes = [login.responseType.description]
    grantTypes = login.responseType.includesCode ? ["authorization_code", "refresh_token"] : []
    // OpenID Connect Dynamic Client Registration section 2: whatever else is in the callback is implicit.
    if login.responseType != .code { grantTypes.append("implicit") }
    scope = login.scope
  }
}
