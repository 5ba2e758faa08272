/// An API and the server that issues its tokens, as their metadata describe them. ``ResourceSession`` finds it.
package final class FoundResource: Sendable {
  /// The address for which the caller asked.
  package let asked: ProtectedResource
  /// The API's own name, for which tokens are requested (RFC 8707).
  package let resource: String
  /// The address of the API's metadata.
  package let metadata: Endpoint
  /// The address of the server's metadata.
  package let serverMetadata: Endpoint
  /// True if a client identifier may be the address of a document that describes the client.
  let takesClientDocuments: Bool
  /// The server that issues the tokens.
  package let provider: Provider
  private let challengedScope: String?
  private let scopes: [String]
  private let serverScopes: [String]

  init(
    asked: ProtectedResource, metadata: ResourceMetadata, challengedScope: String?,
    server: AuthorizationServer
  ) {
    (self.asked, self.resource, self.metadata) = (asked, metadata.resource, metadata.address)
    (self.challengedScope, scopes) = (challengedScope, metadata.scopes)
    serverMetadata = server.address
    takesClientDocuments = server.takesClientDocuments
    serverScopes = server.scopes
    var provider = server.provider
    provider.bindsTokens = metadata.bindsTokens
    provider.isNamedByAPI = true
    self.provider = provider
  }

  /// The origin of a requested scope.
  package enum ScopeSource: String, Sendable {
    case caller, challenge, metadata, none
  }
}

/// The request of a login for the API.
extension FoundResource {
  /// Returns the scope that the caller wants, or else the scope that the API demands, or else all scopes that it knows.
  package func scope(_ wanted: String?) -> (text: String?, source: ScopeSource) {
    if let wanted { return (wanted.isEmpty ? nil : wanted, .caller) }
    if let challengedScope, !challengedScope.isEmpty { return (challengedScope, .challenge) }
    return scopes.isEmpty ? (nil, .none) : (scopes.joined(separator: " "), .metadata)
  }

  /// Returns the request with the API's resource and scope. `wanted` is the caller's own scope. A client identifier that is
  /// the address of a document is left out if the server does not read such documents. It then has to register a client.
  package func applied(to request: LoginRequest, scope wanted: String?) -> LoginRequest {
    var request = request
    request.namesClient = true
    request.scope = scope(wanted).text
    request.parameters.removeAll { $0.name.isIdentical(to: "resource") }
    request.parameters.append(Parameter("resource", resource))
    if wanted == nil, serverScopes.contains(where: "offline_access".isIdentical) {
      request.scope = request.scope.map { LoginRequest.union($0, "offline_access") } ?? "offline_access"
      // OpenID Connect Core section 11: without consent the provider ignores this scope.
      if request.parameter("prompt") == nil { request.parameters.append(Parameter("prompt", "consent")) }
    }
    if request.clientIsDocument, !takesClientDocuments { request.clientID = "" }
    return request
  }
}

extension Account {
  /// Returns the request of a new login after the API was asked again. If the API has moved to another server, the request
  /// starts afresh, without the client and the parameters for the old one. A `client` that the caller names is used, unless
  /// it is the client of the old server.
  package func newLogin(
    at found: FoundResource, redirectURI: RedirectURI, naming client: GivenClient? = nil
  ) -> LoginRequest {
    let given = client.flatMap { $0.clientID.isIdentical(to: login.clientID) ? nil : $0 }
    guard found.provider.issuer == login.provider.issuer else {
      var request = LoginRequest(provider: found.provider, clientID: "", redirectURI: redirectURI)
      given?.apply(to: &request)
      return found.applied(to: request, scope: nil)
    }
    var request = newLogin
    given?.apply(to: &request)
    request.provider = found.provider
    request.provider.headers = login.provider.headers
    request.provider.tokenParameters = login.provider.tokenParameters
    if login.provider.bindsTokens { request.provider.bindsTokens = true }
    return found.applied(to: request, scope: login.scope ?? "")
  }

  /// True if a login names the client that this account has at the server from which the API has moved away. The client was
  /// registered by hand there, so it is unknown at the new server.
  package func isLeftBehind(clientOf request: LoginRequest) -> Bool {
    request.provider.issuer != login.provider.issuer && !request.clientID.isEmpty && !request.clientIsDocument
      && request.clientID.isIdentical(to: login.clientID)
  }
}

/// A client that the caller names.
package struct GivenClient: Sendable {
  /// The identifier of the client.
  let clientID: String
  private let secret: ClientSecret?
  private let key: ClientKey?
  private let authentication: ClientAuthentication?

  /// Returns nil without an identifier.
  package init?(
    _ clientID: String?, _ secret: ClientSecret?, _ key: ClientKey?, _ authentication: ClientAuthentication?
  ) {
    guard let clientID, !clientID.isEmpty else { return nil }
    (self.clientID, self.secret, self.key, self.authentication) = (clientID, secret, key, authentication)
  }

  /// True if the client has a secret that is not that of the account's own client.
  package func bringsSecret(to account: Account) -> Bool {
    secret != nil && !clientID.isIdentical(to: account.login.clientID)
  }

  fileprivate func apply(to login: inout LoginRequest) {
    (login.clientID, login.clientSecret, login.clientKey) = (clientID, secret, key)
    login.givenAuthentication = authentication
  }
}
