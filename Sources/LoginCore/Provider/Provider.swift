/// An authorization server, as a login needs to know it.
///
/// A ``Preset`` can also say where a provider differs from the standards in ways that have no property here.
public struct Provider: Sendable {
  // A new member of a preset is a property here and a line in `code`, an entry in the schema and one in
  // tokentry-provider(5). A member that no login needs belongs to the application that reads it, and is kept in `extra`.

  /// The name for people.
  public var name: String?
  /// The identifier (RFC 8414 section 2).
  public var issuer: Issuer?
  /// True if only an API has named the provider for this login. An account does not keep this.
  package var isNamedByAPI = false
  /// True if the provider names itself in every callback (RFC 9207 section 3).
  package var sendsIssuer = false
  /// The addresses of its endpoints. Missing ones are read from the metadata of the issuer when they are needed.
  public var endpoints: [EndpointName: Endpoint] = [:]
  /// The default grant. For logins with a page, ``responseType`` decides between code and implicit.
  package var grant = GrantType.code
  /// The response type of a request that does not name one.
  package var responseType = ResponseType.code
  /// The mode of the answer, if it is not the standard's.
  package var responseMode: ResponseMode?
  /// The scope of a request that does not name one.
  package var scope: String?
  /// The binding of codes to their request.
  public var pkce = CodeChallengeMethod.s256
  /// The redirect URI that clients of this provider have by default.
  package var redirectURI: RedirectURI?
  /// Other forms in which the provider sends the redirect URI.
  package var redirectAliases: [RedirectURI] = []
  /// Pages on which the provider shows errors instead of redirecting.
  package var errorPages: [ErrorPage] = []
  /// Constant parameters of authorization requests.
  package var authorizationParameters: [Parameter] = []
  /// Other names for standard parameters.
  package var parameterNames: [String: String] = [:]
  /// The authentication of clients, unless each client has its own.
  package var clientAuthentication: ClientAuthentication?
  /// The authentication methods that the provider accepts, if it names them (RFC 8414 section 2).
  package var clientAuthentications: [String]?
  /// Constant parameters of token requests.
  package var tokenParameters: [Parameter] = []
  /// Further header fields of requests that Tokentry itself makes.
  public var headers = ParameterList()
  /// The algorithms that id_tokens may be signed with, if the provider names them.
  package var idTokenAlgorithms: [String]?
  /// The issuers of id_tokens, if the issuer depends on the user.
  var idTokenIssuer: IssuerPattern?
  /// True if id_tokens are passed on unverified, because the provider publishes no keys.
  package var hasOpaqueIDToken = false
  /// True if a new sign-in to a kept account sends its id_token, which says who has to sign in.
  package var takesIDTokenHint = false
  /// Parameters that every callback carries and that later requests repeat.
  package var callbackParameters: [String] = []
  /// True if authorization requests are pushed to the provider instead of being carried by the user agent
  /// (RFC 9126 section 5).
  package var pushesRequests = false
  /// True if tokens are bound to a key (RFC 9449).
  public var bindsTokens = false
  /// The algorithms that proofs of such a key may be signed with, if the provider names them.
  package var proofAlgorithms: [String]?
  /// The parts of a token request that carry its parameters.
  var tokenRequestForm = TokenRequestForm.form
  /// True if token requests carry a state of their own that the answer repeats.
  var echoesTokenState = false
  /// The type of a token whose answer does not name one.
  package var tokenType: String?
  /// Other names that the provider has for the type `Bearer`.
  var bearerTokenTypes: [String] = []
  /// The request to the userinfo endpoint.
  var userinfoRequest = RequestForm()
  /// The scheme under which the provider's servers take its bearer tokens, if it is not `Bearer`.
  var authorizationScheme: String?
  /// The token request of a device, if the provider is older than the standard.
  var deviceGrant: DeviceGrant?
  /// The tokens to revoke, each in a parameter of its own name, if the provider does not know the parameter `token`.
  var revocationParameters: [String]?
  /// Error codes, beyond the standard's, that say that a refresh token is no longer valid.
  var refreshRefusals: [String] = []
  /// The request that ends a session with the token, if the provider has no page for it.
  var logoutRequest: RequestForm?
  /// True if a request of the provider's own ends a session, for which the token must still be good.
  package var hasLogoutRequest: Bool { logoutRequest != nil }
  /// Members that an answer with a token must have, beyond those of RFC 6749.
  var ownTokenMembers: [String] = []
  /// Servers to which a token may be sent.
  package var apiOrigins: [Origin] = []
  /// The members of the preset that the application has for itself, checked and filled in. They are kept with an account.
  package var extra = JSONObject()

  /// True if the metadata has been read already. The provider is then not asked again.
  var isDescribed = false
  /// The page that explains to people how to register a client (RFC 8414 section 2).
  var documentation: String?

  /// An authorization server that follows the standards.
  public init() {}

  /// Returns an endpoint that must be known by now.
  func endpoint(_ name: EndpointName) throws(Failure) -> Endpoint {
    guard let endpoint = endpoints[name] else { throw .noEndpoint(name) }
    return endpoint
  }

  /// The issuer that an `iss` in a callback is compared with. If the issuer depends on the user, only the id_token tells
  /// which one it is.
  var issuerOfCallbacks: Issuer? { idTokenIssuer == nil ? issuer : nil }

  /// All members that an answer must have: `access_token`, `token_type` unless it is assumed, and the provider's own.
  var requiredTokenMembers: [String] {
    let standard = tokenType == nil ? ["access_token", "token_type"] : ["access_token"]
    return standard + ownTokenMembers.filter { !standard.contains($0) }
  }

  /// Throws unless a token of this provider may be sent to `endpoint`: a server that gets a token can use it elsewhere
  /// (RFC 6750 section 5.2).
  package func checkOrigin(of endpoint: Endpoint, orAmong others: [Origin]) throws(Failure) {
    let isAllowed = (apiOrigins + others).contains { $0.description.isIdentical(to: endpoint.origin) }
    if !isAllowed { throw .originNotAllowed(endpoint.origin) }
  }
}

extension Failure {
  /// An endpoint whose address is not known.
  package static func noEndpoint(_ name: EndpointName) -> Failure {
    Failure(
      .invalidConfiguration, "the provider's \(name.words) is not known", hint: .addEndpoint(name))
  }

  /// A server to which tokens of the provider may not be sent.
  package static func originNotAllowed(_ origin: String) -> Failure {
    Failure(
      .originNotAllowed, "this provider's tokens may not be sent to \(origin)", hint: .allowOrigin(origin))
  }
}

/// The members of a preset, tokentry-provider(5).
extension Provider: MemberCoded {
  package mutating func code(_ coder: inout MemberCoder) {
    coder.ignored("$schema", .text)
    coder.text("name", &name)
    coder.ignored("notes", .text)
    coder.ignored("source", .text)
    coder.ignored("tested", .text)
    coder.ignored("variables", .dictionary(refusing: Self.variableFault))
    coder.ignored("variable_defaults", .dictionary())
    coder.value("issuer", &issuer, .address(Issuer.init(parsing:)))
    coder.flag("authorization_response_iss_parameter_supported", &sendsIssuer)
    for name in EndpointName.allCases {
      coder.value(name.rawValue, &endpoints[name], .address(Endpoint.init(parsing:)))
    }
    codeRequests(&coder)
    codeAnswers(&coder)
    coder.others(&extra)
  }

  private mutating func codeRequests(_ coder: inout MemberCoder) {
    // A provider with an endpoint for pushed requests is sent those, unless it says otherwise.
    let canPush = endpoints[.pushedAuthorizationRequest] != nil
    coder.value("require_pushed_authorization_requests", &pushesRequests, else: canPush, .flag)
    coder.flag("dpop_bound_access_tokens", &bindsTokens)
    coder.value("grant", &grant, else: .code, .choice())
    coder.value(
      "response_type", &responseType, else: grant == .implicit ? .token : .code,
      .parsed(ResponseType.init) { "\"\($0, upTo: 60)\" is not a response type" })
    coder.value("response_mode", &responseMode, .choice())
    coder.value("scope", &scope, .pattern)
    coder.value("pkce", &pkce, else: .s256, .choice())
    coder.value("redirect_uri", &redirectURI, .address(RedirectURI.init(parsing:)))
    coder.value("redirect_aliases", &redirectAliases, else: [], .list(.address(RedirectURI.init(parsing:))))
    coder.value("error_pages", &errorPages, else: [], .list(.address(ErrorPage.init)))
    coder.value(
      "authorization_parameters", &authorizationParameters, else: [], .texts(refusing: Self.parameterFault))
    coder.value("parameter_names", &parameterNames, else: [:], .dictionary())
  }

  private mutating func codeAnswers(_ coder: inout MemberCoder) {
    coder.value("client_authentication", &clientAuthentication, .choice())
    // An empty list allows no method. Without the member, the provider does not name its methods.
    coder.value("token_endpoint_auth_methods_supported", &clientAuthentications, .list(.text))
    coder.value("headers", &headers, else: [], .texts(refusing: Self.headerFault))
    coder.value("token_parameters", &tokenParameters, else: [], .texts(refusing: Self.parameterFault))
    coder.value("token_request", &tokenRequestForm, else: .form, .choice())
    coder.value("token_state", &echoesTokenState, else: false, .word("echoed", of: ["echoed"]))
    coder.texts("callback_parameters", &callbackParameters)
    coder.value(
      "id_token_issuer", &idTokenIssuer,
      .parsed(IssuerPattern.init) { _ in
        "id_token_issuer must be an https URL with one {claim} in its path"
      })
    coder.value(
      "authorization_scheme", &authorizationScheme,
      .parsed(Self.scheme) { _ in "authorization_scheme must be made of letters, digits and hyphens" })
    coder.value("device_grant", &deviceGrant, .object)
    coder.value(
      "revocation_parameters", &revocationParameters,
      .list(.oneOf(["access_token", "refresh_token"])))
    coder.texts("refresh_refusals", &refreshRefusals)
    coder.value("id_token", &hasOpaqueIDToken, else: false, .word("opaque", of: ["verify", "opaque"]))
    coder.flag("id_token_hint", &takesIDTokenHint)
    coder.value("id_token_signing_alg_values_supported", &idTokenAlgorithms, .list(.text))
    coder.value("dpop_signing_alg_values_supported", &proofAlgorithms, .list(.text))
    coder.text("token_type", &tokenType)
    coder.texts("bearer_token_types", &bearerTokenTypes)
    coder.texts("required_token_members", &ownTokenMembers)
    coder.value("userinfo_request", &userinfoRequest, else: RequestForm(), .object)
    coder.value("logout_request", &logoutRequest, .object)
    coder.value("api_origins", &apiOrigins, else: [], .list(.origin))
  }

  private static func variableFault(_ name: String) -> Message? {
    if !Template.isName(name) { return "a variable's name must be made of letters, digits and underscores" }
    return name == "client_id" ? "client_id is always a variable" : nil
  }

  private static func parameterFault(_ parameter: Parameter) -> Message? {
    ReservedNames.parameters.contains(parameter.name)
      ? "the request sets the parameter \(parameter.name) itself" : nil
  }

  private static func headerFault(_ header: Parameter) -> Message? {
    ReservedNames.fault(ofHeader: header).map { "\(header.name, upTo: 60): \($0)" }
  }

  /// The scheme becomes part of a header field (RFC 9110 section 11.1).
  private static func scheme(_ text: String) -> String? {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      ? text : nil
  }
}
