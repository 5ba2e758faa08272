/// Finds the client that is kept for a provider, or registers one and keeps it (RFC 7591). It can also delete a client
/// again (RFC 7592).
package struct RegistrationSession: Sendable {
  private let store: (any CredentialStore)?
  private let dependencies: Dependencies

  /// Creates a session. Without a store, every client is new and is forgotten afterwards.
  package init(store: (any CredentialStore)?, _ dependencies: Dependencies) {
    self.store = store
    self.dependencies = dependencies
  }

  /// A client for a login. ``LoginRequest/made(by:)`` puts it into the request.
  package struct Found: Sendable {
    /// The kept or the new client.
    package let client: RegisteredClient
    /// True if the client was registered just now.
    package let isNew: Bool
  }

  /// Returns the client for a login: the kept one as long as its secret is good and it was registered for the scope, or
  /// else a new one, which is saved before it is used. `request` asks for a new client. The store is tried before the
  /// provider is asked. A new client also asks for the scope of the kept one, because it takes its place for other logins.
  ///
  /// A client with a redirect URI on this machine is registered with a port, because not every server accepts another one
  /// (RFC 8252 section 7.3). `port` gets the port of the kept client, and returns it if it is free, or else another free
  /// port. If the port of the kept client is not free, a new client is registered.
  package func client(
    for login: LoginRequest, at port: @Sendable (UInt16?) async throws(Failure) -> UInt16,
    _ request: @Sendable (LoginRequest) async throws(Failure) -> RegistrationRequest
  ) async throws(Failure) -> Found {
    let slot = try Self.slot(of: login)
    let known: RegisteredClient?
    do throws(Failure) {
      // Taking `.client` of the whole tuple would leak the other half in Swift 6.3.
      (known, _) = try await good(at: slot, for: login, port)
    } catch {
      // A user who merely forgot to name the client does not want to hear about the keyring.
      guard error.code == .storeUnavailable, error.kind != .unreadableClient,
        await !canRegister(login)
      else { throw error }
      throw .noClientNorRegistration
    }
    if let known { return Found(client: known, isNew: false) }
    let lock = try await store?.locks.lock(slot)
    defer { withExtendedLifetime(lock) {} }
    // If several programs get here at once, one registers, and the others find its client.
    let (kept, wanted) = try await good(at: slot, for: login, port)
    if let kept { return Found(client: kept, isNew: false) }
    var asked = wanted
    asked.provider = try await described(login.provider)
    func made(_ asked: LoginRequest) async throws(Failure) -> RegisteredClient {
      let request = try await request(asked)
      try await store?.prepare()
      // A registered client that is not saved would stay at the provider for ever.
      return try await Dependencies.detached { [dependencies, store, lock] () async throws(Failure) in
        defer { withExtendedLifetime(lock) {} }
        let answer = try await dependencies.transport.send(request.httpRequest)
        let client = try RegisteredClient(answer, to: request, at: dependencies.clock.now())
        try await store?.save(client, at: slot)
        return client
      }
    }
    let client: RegisteredClient
    do throws(Failure) {
      client = try await made(asked)
    } catch {
      // The provider may no longer know the scope of the kept client, or may not let new clients use device codes.
      let endpoints = asked.provider.endpoints
      guard error.code.isProvidersOwn, asked.scope != login.scope || endpoints[.deviceAuthorization] != nil
      else { throw error }
      asked.scope = login.scope
      if login.grant != .device { asked.provider.endpoints[.deviceAuthorization] = nil }
      client = try await made(asked)
    }
    return Found(client: client, isNew: true)
  }

  /// Returns the provider with its registration endpoint if the issuer names one. If the issuer cannot be asked, and a
  /// login would not have to ask it for more, then a missing client is the caller's problem and not the network.
  private func described(_ provider: Provider) async throws(Failure) -> Provider {
    do throws(Failure) {
      return try await provider.completed(needing: [.registration], through: dependencies.transport)
    } catch {
      let isUnreachable = [.network, .tls].contains(error.code)
      throw isUnreachable && provider.endpoints[.authorization] != nil ? .noClientNorRegistration : error
    }
  }

  private func canRegister(_ login: LoginRequest) async -> Bool {
    let provider = try? await login.provider.completed(
      needing: [.registration], through: dependencies.transport)
    return provider?.endpoints[.registration] != nil
  }

  /// Returns the kept client if it serves the login and its port is free. Also returns the login for which a new client
  /// would be registered: with a redirect URI that has a port, and with the scopes of both.
  private func good(
    at slot: ClientSlot, for login: LoginRequest, _ port: @Sendable (UInt16?) async throws(Failure) -> UInt16
  ) async throws(Failure) -> (client: RegisteredClient?, login: LoginRequest) {
    let kept = try await store?.client(at: slot)
    let good = kept.flatMap { $0.serves(login, at: dependencies.clock.now()) ? $0 : nil }
    var wanted = login
    if let scope = login.scope { wanted.scope = LoginRequest.union(kept?.scope, scope) }
    guard login.provider.allowsOtherPort(for: login.redirectURI) else { return (good, wanted) }
    let ownPort = good?.redirectURI?.port
    let free = try await port(ownPort)
    if let ownPort, ownPort == free { return (good, wanted) }
    wanted.redirectURI = try failing(login.redirectURI.with(port: free)) { (reason: Message) in
      .defect(reason.description)
    }
    return (nil, wanted)
  }

  /// The result of ``forget(for:insisting:)``.
  package struct Forgotten: Sendable {
    /// The deleted client, if it could be read.
    package fileprivate(set) var client: RegisteredClient?
    /// True if the provider has deleted it, too.
    package fileprivate(set) var isDeleted = false
    /// The failure that the caller wanted to ignore.
    package fileprivate(set) var failure: Failure?
  }

  /// Has the provider delete the client if it can, and then deletes it from the store. A failure at the provider keeps the
  /// client in the store, unless the caller insists.
  package func forget(for login: LoginRequest, insisting: Bool = false) async throws(Failure) -> Forgotten {
    let slot = try Self.slot(of: login)
    let lock = try await store?.locks.lock(slot)
    defer { withExtendedLifetime(lock) {} }
    var forgotten = Forgotten()
    do throws(Failure) {
      forgotten.client = try await store?.client(at: slot)
      guard let client = forgotten.client else { throw .unknownClient(of: slot.provider) }
      if let management = client.management {
        let deletion = try ClientDeletion(management)
        forgotten.isDeleted = try ClientDeletion.isDone(
          try await dependencies.transport.send(deletion.httpRequest))
      }
    } catch {
      guard insisting, error.code != .unknownClient else { throw error }
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
