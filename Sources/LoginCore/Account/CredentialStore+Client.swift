extension CredentialStore {
  /// Forgets the client by which a request was made, since its provider has forgotten it. Nothing happens if another
  /// one is kept by now.
  package func forgetClient(of login: LoginRequest) async throws(Failure) {
    guard let slot = ClientSlot(login.provider, login.redirectURI) else { return }
    let lock = try await lock(slot)
    defer { withExtendedLifetime(lock) {} }
    guard try await client(at: slot)?.clientID.isIdentical(to: login.clientID) == true else { return }
    try await deleteClient(at: slot)
  }
}

extension Failure {
  /// Whether the provider does not know the client, or not by this secret (RFC 6749 section 5.2).
  package var isUnknownClient: Bool {
    if case .provider(let error) = self { error.code.isIdentical(to: "invalid_client") } else { false }
  }
}
