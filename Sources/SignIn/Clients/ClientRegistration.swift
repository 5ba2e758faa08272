import LoginCore

/// Finds a client for a login that names none: the client that is kept for the provider, or a new one that the provider
/// registers.
package struct ClientRegistration: Sendable {
  private let host: Host
  private let new: NewClient

  package init(_ host: Host, _ new: NewClient) { (self.host, self.new) = (host, new) }

  package func client(
    for login: LoginRequest, at port: ReservedPort
  ) async throws(Failure) -> RegistrationSession.Found {
    if new.authentication == .privateKeyJWT || login.clientKey != nil { throw .keyWithoutClient }
    return try await session.client(
      for: login, at: { wanted throws(Failure) in try await port.number(wanted) }
    ) { [new] asked throws(Failure) in
      var (new, prepare) = (new, new.prepare)
      try await prepare?(&new)
      var metadata = RegistrationRequest.Metadata(
        for: asked, name: new.name, authentication: new.authentication)
      metadata.further = new.further
      return try RegistrationRequest(metadata, at: asked.provider, initialAccessToken: new.initialAccessToken)
    }
  }

  package func forget(
    for login: LoginRequest, insisting: Bool
  ) async throws(Failure) -> RegistrationSession.Forgotten {
    try await session.forget(for: login, insisting: insisting)
  }

  private var session: RegistrationSession {
    get throws(Failure) {
      RegistrationSession(store: new.isKept ? try host.store : nil, host.dependencies)
    }
  }
}

extension Failure {
  /// A key that the provider does not know proves nothing.
  package static let keyWithoutClient = Failure(
    .invalidConfiguration, "a client with a key has to be registered at the provider by hand",
    hint: .nameClientOfKey)
}
