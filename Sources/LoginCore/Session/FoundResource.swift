/// An API, and the server that issues its tokens, as far as both describe themselves.
package struct FoundResource: Sendable {
  /// The address that was asked.
  package let asked: ProtectedResource
  /// The API as it calls itself: what tokens are asked for (RFC 8707).
  package let resource: String
  /// Where the API describes itself.
  package let metadata: Endpoint
  /// Where the server describes itself.
  package let serverMetadata: Endpoint
  /// Whether a client may be an address at which it describes itself.
  package let takesClientDocuments: Bool
  /// Who issues the tokens.
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
    self.provider = provider
  }

  /// Whose word decides what a token is good for.
  package enum ScopeSource: String, Sendable {
    case caller, challenge, metadata, none
  }
}

/// The request of a login for it.
extension FoundResource {
  /// What the caller wants a token to be good for, else what the API demands, else all that it knows.
  package func scope(_ wanted: String?) -> (text: String?, source: ScopeSource) {
    if let wanted { return (wanted.isEmpty ? nil : wanted, .caller) }
    if let challengedScope, !challengedScope.isEmpty { return (challengedScope, .challenge) }
    return scopes.isEmpty ? (nil, .none) : (scopes.joined(separator: " "), .metadata)
  }

  /// The request with what is to be asked for; `wanted` is the caller's own scope. A client that is an address is used
  /// only where the server reads what is there: else, and where none is given, the server has to make one.
  package func applied(to request: LoginRequest, scope wanted: String?) -> LoginRequest {
    var request = request
    request.namesClient = true
    request.scope = scope(wanted).text
    request.parameters.removeAll { $0.name.isIdentical(to: "resource") }
    request.parameters.append(Parameter("resource", resource))
    if wanted == nil, serverScopes.contains(where: "offline_access".isIdentical) {
      request.scope = request.scope.map { LoginRequest.union($0, "offline_access") } ?? "offline_access"
      // OpenID Connect Core section 11: without it the scope is passed over.
      if request.parameter("prompt") == nil { request.parameters.append(Parameter("prompt", "consent")) }
    }
    if request.clientIsDocument, !takesClientDocuments { request.clientID = "" }
    return request
  }
}

extension Account {
  /// The request that a new login begins with where the API has been asked again: if it has moved to another server,
  /// nothing that belongs to the old one goes along, neither a client nor what was asked for there. A client that the
  /// caller names is used, unless it is the one of the old server.
  package func newLogin(
    at found: FoundResource, redirectURI: RedirectURI, naming client: GivenClient? = nil
  ) -> LoginRequest {
    let given = client.flatMap { $0.clientID.isIdentical(to: login.clientID) ? nil : $0 }
    guard found.provider.issuer == login.provider.issuer else {
      let request = LoginRequest(provider: found.provider, clientID: "", redirectURI: redirectURI)
      return found.applied(to: request.naming(given), scope: nil)
    }
    var request = newLogin.naming(given)
    request.provider = found.provider
    request.provider.headers = login.provider.headers
    request.provider.tokenParameters = login.provider.tokenParameters
    if login.provider.bindsTokens { request.provider.bindsTokens = true }
    return found.applied(to: request, scope: login.scope ?? "")
  }
}

extension Account {
  /// Whether a login names the client that somebody had made for this account at a server from which the API has moved.
  package func isLeftBehind(clientOf request: LoginRequest) -> Bool {
    resource != nil && request.provider.issuer != login.provider.issuer
      && !request.clientID.isEmpty && !request.clientIsDocument
      && request.clientID.isIdentical(to: login.clientID)
  }
}

/// A client that the caller has brought along.
package struct GivenClient: Sendable {
  /// Its identifier.
  package let clientID: String
  fileprivate let secret: ClientSecret?
  fileprivate let authentication: ClientAuthentication

  /// Nothing without an identifier. Without a word on how it proves itself a secret goes with Basic.
  package init?(_ clientID: String?, _ secret: ClientSecret?, _ authentication: ClientAuthentication?) {
    guard let clientID, !clientID.isEmpty else { return nil }
    (self.clientID, self.secret) = (clientID, secret)
    self.authentication = authentication ?? (secret == nil ? .none : .basic)
  }
}

extension LoginRequest {
  /// The request as that client makes it, if there is one.
  fileprivate func naming(_ client: GivenClient?) -> LoginRequest {
    guard let client else { return self }
    var login = self
    (login.clientID, login.clientSecret) = (client.clientID, client.secret)
    login.clientAuthentication = client.authentication
    return login
  }

  /// Whether the client is an address at which it describes itself.
  package var clientIsDocument: Bool {
    clientID.hasPrefix("https://") && (try? WebAddress(clientID)).map { $0.path != "/" } ?? false
  }
}
