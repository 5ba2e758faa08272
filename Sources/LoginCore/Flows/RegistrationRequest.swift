/// A request that registers a client at a provider (RFC 7591 section 3.1).
package struct RegistrationRequest: Sendable {
  /// The HTTP request, with an initial access token if the provider issued one.
  let httpRequest: HTTPRequest
  /// The redirect URIs that the answer must repeat.
  let redirectURIs: [RedirectURI]
  /// The response types that the answer must not lack.
  let responseTypes: [String]
  let scope: String?
  /// The origins at which the client may be managed: those of the registration endpoint and of the issuer.
  let origins: [String]

  /// The description of a client.
  package struct Metadata: Sendable {
    /// The name that people see.
    package var name: String?
    /// The redirect URIs that the client will use.
    package var redirectURIs: [RedirectURI]
    /// How the client will authenticate. By default it does not, or as the provider demands.
    package var authentication: ClientAuthentication?
    /// The grants that the client will use.
    package var grantTypes: [String] = ["authorization_code", "refresh_token"]
    /// The response types that the client will use.
    package var responseTypes: [String] = ["code"]
    /// The scope that the client will request.
    package var scope: String?
    /// Further members, which win over the others.
    package var further = JSONObject()

    /// A client of the code grant.
    init(
      name: String? = nil, redirectURIs: [RedirectURI], authentication: ClientAuthentication? = nil
    ) {
      self.name = name
      self.redirectURIs = redirectURIs
      self.authentication = authentication
    }
  }

  /// Refuses a provider without a registration endpoint.
  package init(
    _ metadata: Metadata, at provider: Provider, initialAccessToken: AccessToken? = nil
  ) throws(Failure) {
    guard let endpoint = provider.endpoints[.registration] else { throw provider.noClient }
    (redirectURIs, scope) = (metadata.redirectURIs, metadata.scope)
    let further = metadata.further["response_types"].map { $0.array?.compactMap(\.string) ?? [] }
    responseTypes = further ?? metadata.responseTypes
    origins = [endpoint.origin] + (provider.issuer.map { [$0.origin] } ?? [])
    let bearer = try initialAccessToken.map { token throws(Failure) in
      try failing(AuthorizationHeader(token, scheme: "Bearer").field) { (_: Failure) in
        Failure(.invalidOption, "the initial access token must be visible ASCII")
      }
    }
    httpRequest = HTTPRequest(
      postJSON: metadata.json(of: metadata.authentication ?? provider.bestAuthentication), to: endpoint,
      headers: (bearer.map { [$0] } ?? []) + provider.headers)
  }
}

extension RegistrationRequest.Metadata {
  /// A client that can do what the login needs, and no more.
  package init(for login: LoginRequest, name: String?, authentication: ClientAuthentication? = nil) {
    self.init(
      name: name, redirectURIs: [login.redirectURI],
      authentication: authentication ?? login.provider.clientAuthentication)
    responseTypes = [login.responseType.description]
    grantTypes = login.responseType.includesCode ? ["authorization_code", "refresh_token"] : []
    // OpenID Connect Dynamic Client Registration section 2: anything but a code in the callback is implicit.
    if login.responseType != .code { grantTypes.append("implicit") }
    // Where no page can be shown, the login uses a device code.
    if login.responseType == .code, login.provider.endpoints[.deviceAuthorization] != nil {
      grantTypes.append(Provider.DeviceGrant().type)
    }
    scope = login.scope
  }

  /// The members of RFC 7591 section 2 and OpenID Connect Dynamic Client Registration section 2.
  fileprivate func json(of authentication: ClientAuthentication) -> JSONObject {
    var object: JSONObject = [
      "redirect_uris": .array(redirectURIs.map { .string($0.description) }),
      "token_endpoint_auth_method": .string(authentication.registeredName),
      "grant_types": .array(grantTypes.map(JSONValue.string)),
      "response_types": .array(responseTypes.map(JSONValue.string)),
      "application_type": "native",
      "client_name": name.map(JSONValue.string), "scope": scope.map(JSONValue.string),
    ]
    for member in further { object[member.name] = member.value }
    return object
  }
}

extension Provider {
  /// The failure of a login that names no client, where the provider is not known to register one.
  package var noClient: Failure {
    guard let issuer else { return .noClientNorRegistration }
    let redirectURI = redirectURI ?? (try? .onThisMachine(for: self))
    let creation: Message =
      switch (documentation?.forDisplay(limit: 200), redirectURI?.description) {
      case (let page?, let address?):
        "create one at the provider (see \(page)), with the redirect URI \(address)"
      case (let page?, nil): "create one at the provider (see \(page))"
      case (nil, let address?): "create one at the provider, with the redirect URI \(address)"
      case (nil, nil): "create one at the provider"
      }
    return Failure(
      .invalidConfiguration,
      "there is no client identifier, and \(issuer) does not register clients automatically",
      hint: .createClient(creation))
  }

  /// A native application cannot keep a secret (RFC 8252 section 8.4), so it takes one only if the server insists.
  fileprivate var bestAuthentication: ClientAuthentication {
    guard let names = clientAuthentications else { return .none }
    let known = names.compactMap(ClientAuthentication.registered)
    // The first method that the server names: some servers accept the others at fewer of their endpoints.
    return known.contains(.none) ? .none : known.first ?? .none
  }
}

extension Failure {
  /// A client is needed, and no provider is known that might register one.
  package static let noClientNorRegistration = Failure(
    .invalidConfiguration,
    "no client identifier was given, and the provider's registration endpoint is not known",
    hint: .nameClientOrRegistration)
}

/// A request that deletes a registered client (RFC 7592 section 2.3).
struct ClientDeletion: Sendable {
  /// The HTTP request to the address that came with the client.
  let httpRequest: HTTPRequest

  /// Refuses a token that a header field cannot carry.
  init(_ management: RegisteredClient.Management) throws(Failure) {
    httpRequest = HTTPRequest(
      delete: management.endpoint,
      headers: [try AuthorizationHeader(management.token, scheme: "Bearer").field])
  }

  /// Returns true if the client is gone: deleted now, or unknown before, which section 2.3 answers with 401. Returns false
  /// if the provider does not delete this client, or any. Throws for other answers, after which it may still exist.
  static func isDone(_ response: HTTPResponse) throws(Failure) -> Bool {
    switch response.status {
    case 200, 204, 401, 404: return true
    case 403, 405, 501: return false
    case 503: throw .clientNotDeleted
    default:
      _ = try EndpointAnswer.members(of: response, from: .registration)
      return true
    }
  }
}
