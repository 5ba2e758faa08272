import LoginCore

/// A login for an API of which only the address is known. The API tells the rest (RFC 9728).
package struct ResourceLogin: Sendable {
  package let resource: ProtectedResource
  private let host: Host
  private let scope: String?
  private let secrets: Secrets
  private let completed: @Sendable (Provider) throws(Failure) -> LoginRequest

  /// The secrets that the caller brings for the server.
  package struct Secrets: Sendable {
    /// A password, a token to renew or to exchange, or a token for registration.
    package var isUsers = false
    /// The client whose secret it is.
    package var clientID: String?

    package init() {}
  }

  /// `completed` returns the caller's request to the server that the API names. Throws what it throws without one.
  package init(
    _ resource: ProtectedResource, _ host: Host, scope: String?, _ secrets: Secrets,
    _ completed: @escaping @Sendable (Provider) throws(Failure) -> LoginRequest
  ) throws(Failure) {
    // Settings that contradict each other are refused before the API is asked.
    _ = try completed(Provider())
    (self.resource, self.host, self.scope, self.secrets) = (resource, host, scope, secrets)
    self.completed = completed
  }

  /// Asks the API, and returns the request of a new login.
  package func request() async throws(Failure) -> (
    login: LoginRequest, found: FoundResource, scopeFrom: FoundResource.ScopeSource
  ) {
    let found = try await host.found(resource)
    let asked = try completed(found.provider)
    let login = found.applied(to: asked, scope: scope)
    if !asked.clientID.isEmpty, login.clientID.isEmpty {
      host.tell(.documentUnread(clientID: asked.clientID))
    }
    let source = found.scope(scope).source
    host.tell(.scope(login.scope, source))
    return (login, found, source)
  }

  /// Refuses a secret of the caller that would go to a server that only the API names. A client's secret may go to the server
  /// that the `kept` account has with this client.
  func checkSecrets(_ kept: Account?) throws(Failure) {
    let login = kept?.login
    let isKnown = login?.clientIsDocument == false && login?.clientID == secrets.clientID
    if secrets.isUsers || secrets.clientID != nil && !isKnown { throw .secretForUnknownServer }
  }
}

extension Failure {
  /// The API alone would decide which server gets a secret of the caller.
  static let secretForUnknownServer = Failure(
    .invalidConfiguration, "the API would decide which server gets your secret",
    hint: .nameServerOfSecret)
}

extension Host {
  /// Asks an API which server issues its tokens.
  package func found(_ resource: ProtectedResource) async throws(Failure) -> FoundResource {
    try await ResourceSession(dependencies) { self.tell(.resource($0)) }.found(resource)
  }
}
