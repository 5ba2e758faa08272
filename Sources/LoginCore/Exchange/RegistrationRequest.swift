/// A request for a client of one's own at a provider (RFC 7591 section 3.1).
public struct RegistrationRequest: Sendable {
  /// The request; with an initial access token where the provider gave one.
  public let httpRequest: HTTPRequest
  /// The redirect URIs that the client was registered for if the answer has the same.
  let redirectURIs: [RedirectURI]
  /// What its tokens shall be good for.
  let scope: String?

  /// What the client says of itself.
  public struct Metadata: Sendable {
    /// What people call it.
    public var name: String?
    /// Where answers to it go.
    public var redirectURIs: [RedirectURI]
    /// How it proves itself; without a word as the provider likes it, and best not at all.
    public var authentication: ClientAuthentication?
    /// The grants that it will use.
    public var grantTypes: [String] = ["authorization_code", "refresh_token"]
    /// The response types that it will use.
    public var responseTypes: [String] = ["code"]
    /// What its tokens shall be good for.
    public var scope: String?
    /// Further members, which win over these.
    public var further = JSONObject()

    /// A client of the code grant.
    public init(
      name: String? = nil, redirectURIs: [RedirectURI], authentication: ClientAuthentication? = nil
    ) {
      self.name = name
      self.redirectURIs = redirectURIs
      self.authentication = authentication
    }
  }

  /// Refuses a provider without a registration endpoint.
  public init(
    _ metadata: Metadata, at provider: Provider, initialAccessToken: AccessToken? = nil
  ) throws(Failure) {
    guard let endpoint = provider.endpoints[.registration] else { throw provider.noClient }
    (redirectURIs, scope) = (metadata.redirectURIs, metadata.scope)
    let bearer = try initialAccessToken.map { token throws(Failure) in
      try failing(AuthorizationHeader(token, scheme: "Bearer").field) { (_: Failure) in
        .caller(.malformed(.initialAccessToken))
      }
    }
    httpRequest = HTTPRequest(
      postJSON: metadata.json(of: metadata.authentication ?? provider.bestAuthentication), to: endpoint,
      headers: (bearer.map { [$0] } ?? []) + provider.headers)
  }
}

extension RegistrationRequest.Metadata {
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
  /// The provider says nowhere where it would make a client.
  package var noClient: Failure {
    guard let issuer else { return .caller(.noClientNorRegistration) }
    return .caller(.noClientWithoutRegistration(issuer: issuer, documentation: documentation))
  }

  /// A native application keeps no secret (RFC 8252 section 8.4), so it has none unless it has to.
  fileprivate var bestAuthentication: ClientAuthentication {
    guard let names = clientAuthentications else { return .none }
    let known = names.compactMap(ClientAuthentication.registered)
    // Of several the one that the server names first: some take the others at fewer of their endpoints.
    return known.contains(.none) ? .none : known.first ?? .none
  }
}

extension ClientAuthentication {
  /// The `token_endpoint_auth_method` (RFC 7591 section 2).
  var registeredName: String {
    switch self {
    case .basic: "client_secret_basic"
    case .post: "client_secret_post"
    case .none: "none"
    }
  }

  /// Nothing for a method that is not among ours.
  static func registered(as name: String) -> ClientAuthentication? {
    allCases.first { $0.registeredName.isIdentical(to: name) }
  }
}
