/// The members of a preset file, tokentry-provider(5), and what each may hold.
enum PresetKey {
  /// What a member may hold.
  indirect enum Kind: Sendable {
    case text
    case flag
    /// A URL of an endpoint.
    case endpoint
    case issuer
    case redirectURI
    case errorPage
    /// Scheme, host and port.
    case origin
    case oneOf([String])
    case list(Kind)
    /// An object of texts.
    case texts
    case responseType
    /// An object with these members.
    case object([String: Kind])
  }

  /// Every member that a preset may have.
  static let kinds: [String: Kind] = [forPeople, endpoints, standard, own].reduce(into: [:]) { all, kinds in
    all.merge(kinds) { $1 }
  }

  private static let forPeople: [String: Kind] = [
    "$schema": .text, "name": .text, "notes": .text, "source": .text, "verified": .flag,
  ]

  private static let endpoints: [String: Kind] =
    Dictionary(uniqueKeysWithValues: EndpointName.allCases.map { ($0.rawValue, Kind.endpoint) })

  /// Names of RFC 8414, OpenID Connect Discovery and the documents that extend them.
  private static let standard: [String: Kind] = [
    "issuer": .issuer,
    "require_pushed_authorization_requests": .flag,
    "dpop_bound_access_tokens": .flag,
    "authorization_response_iss_parameter_supported": .flag,
    "scopes_supported": .list(.text),
    "response_types_supported": .list(.text),
    "response_modes_supported": .list(.text),
    "grant_types_supported": .list(.text),
    "code_challenge_methods_supported": .list(.text),
    "token_endpoint_auth_methods_supported": .list(.text),
    "id_token_signing_alg_values_supported": .list(.text),
    "dpop_signing_alg_values_supported": .list(.text),
  ]

  private static let own: [String: Kind] = [
    "response_type": .responseType,
    "response_mode": .oneOf(ResponseMode.allCases.map(\.rawValue)),
    "scope": .text,
    "grant": .oneOf(GrantType.allCases.map(\.rawValue)),
    "variables": .texts,
    "variable_defaults": .texts,
    "redirect_uri": .redirectURI,
    "redirect_aliases": .list(.redirectURI),
    "authorization_parameters": .texts,
    "token_parameters": .texts,
    "headers": .texts,
    "parameter_names": .texts,
    "client_authentication": .oneOf(ClientAuthentication.allCases.map(\.rawValue)),
    "pkce": .oneOf(CodeChallengeMethod.allCases.map(\.rawValue)),
    "token_request": .oneOf(TokenRequestForm.allCases.map(\.rawValue)),
    "token_type": .text,
    "callback_parameters": .list(.text),
    "token_state": .oneOf(["echoed"]),
    "required_token_members": .list(.text),
    "error_pages": .list(.errorPage),
    "id_token": .oneOf(["verify", "opaque"]),
    "id_token_issuer": .text,
    "authorization_scheme": .text,
    "device_grant": .object(["grant_type": .text, "parameter": .text]),
    "revocation_request": .object(["members": .list(.oneOf(["access_token", "refresh_token"]))]),
    "refresh_refusals": .list(.text),
    "userinfo_request": request,
    "logout_request": request,
    "agents": .list(.oneOf(Way.allCases.map(\.rawValue))),
    "api_origins": .list(.origin),
    "git_hosts": .list(.text),
    "git_user": .text,
  ]

  private static let request = Kind.object([
    "method": .oneOf(["GET", "POST"]), "members": .list(.text), "query": .list(.text),
  ])
}
