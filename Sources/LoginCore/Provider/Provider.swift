/// An authorization server, as a login needs to know it.
///
/// A ``Preset`` can also say where a provider differs from the standards in ways that have no property here.
public struct Provider: Sendable {
  // A new member of a preset is a property here and a row in `members`, an entry in the schema and one in
  // tokentry-provider(5). A member that no login needs belongs to the application that reads it, and is kept in `extra`.

  /// The name for people.
  public var name: String?
  /// The identifier (RFC 8414 section 2).
  public var issuer: Issuer?
  /// True if the provider names itself in every callback (RFC 9207 section 3).
  public var sendsIssuer = false
  /// The addresses of its endpoints. Missing ones are read from the metadata of the issuer when they are needed.
  public var endpoints: [EndpointName: Endpoint] = [:]
  /// The default grant. For logins with a page, ``responseType`` decides between code and implicit.
  public var grant = GrantType.code
  /// The response type of a request that does not name one.
  public var responseType = ResponseType.code
  /// The mode of the answer, if it is not the standard's.
  public var responseMode: ResponseMode?
  /// The scope of a request that does not name one.
  public var scope: String?
  /// The binding of codes to their request.
  public var pkce = CodeChallengeMethod.s256
  /// The redirect URI that clients of this provider have by default.
  public var redirectURI: RedirectURI?
  /// Other forms in which the provider sends the redirect URI.
  public var redirectAliases: [RedirectURI] = []
  /// Pages on which the provider shows errors instead of redirecting.
  public var errorPages: [ErrorPage] = []
  /// Constant parameters of authorization requests.
  public var authorizationParameters: [Parameter] = []
  /// Other names for standard parameters.
  public var parameterNames: [String: String] = [:]
  /// The authentication of clients, unless each client has its own.
  public var clientAuthentication: ClientAuthentication?
  /// The authentication methods that the provider accepts, if it names them (RFC 8414 section 2).
  public var clientAuthentications: [String]?
  /// Constant parameters of token requests.
  public var tokenParameters: [Parameter] = []
  /// Further header fields of requests that Tokentry itself makes.
  public var headers: [Parameter] = []
  /// The algorithms that id_tokens may be signed with, if the provider names them.
  public var idTokenAlgorithms: [String]?
  /// The issuers of id_tokens, if the issuer depends on the user.
  var idTokenIssuer: IssuerPattern?
  /// True if id_tokens are passed on unverified, because the provider publishes no keys.
  public var hasOpaqueIDToken = false
  /// Parameters that every callback carries and that later requests repeat.
  public var callbackParameters: [String] = []
  /// True if authorization requests are pushed to the provider instead of being carried by the user agent
  /// (RFC 9126 section 5).
  public var pushesRequests = false
  /// True if tokens are bound to a key (RFC 9449).
  public var bindsTokens = false
  /// The algorithms that proofs of such a key may be signed with, if the provider names them.
  public var proofAlgorithms: [String]?
  /// The parts of a token request that carry its parameters.
  var tokenRequestForm = TokenRequestForm.form
  /// True if token requests carry a state of their own that the answer repeats.
  var echoesTokenState = false
  /// The type of a token whose answer does not name one.
  public var tokenType: String?
  /// Other names that the provider has for the type `Bearer`.
  var bearerTokenTypes: [String] = []
  /// The request to the userinfo endpoint.
  var userinfoRequest = RequestForm()
  /// The scheme under which the provider's servers take its bearer tokens, if it is not `Bearer`.
  var authorizationScheme: String?
  /// The token request of a device, if the provider is older than the standard.
  var deviceGrant: DeviceGrant?
  /// The tokens to revoke, each in a parameter of its own name, if the provider does not know the parameter `token`.
  var revocationMembers: [String]?
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
  func checkOrigin(of endpoint: Endpoint, orAmong others: [Origin]) throws(Failure) {
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
    Failure(.originNotAllowed, "this provider's tokens may not be sent to \(origin)")
  }
}

/// The members of a preset, tokentry-provider(5).
extension Provider: PresetObject {
  /// Reads ``json``, in which braces are ordinary text. Members that it does not know are those of the application, or of
  /// a later version.
  init(json: JSONObject) throws(PresetRefusal) {
    self.init()
    extra = try read(json, filledIn: .verbatim)
  }

  /// The members that describe exactly this, and then ``extra``.
  var json: JSONObject {
    var json: JSONObject = Self.members.reduce(into: [:]) { $0[$1.name] = $1.write(self) }
    for member in extra { json[member.name] = member.value }
    return json
  }

  package static let members = introduction + endpointMembers + requests + answers

  private static let introduction: [PresetMember<Provider>] = [
    .ignored("$schema", .text()),
    .optional("name", .text(), \.name) { $0.name = $1 },
    .ignored("notes", .text()),
    .ignored("source", .text()),
    .ignored("verified", .flag()),
    .ignored("variables", .texts { variableFault($0.name) }),
    .ignored("variable_defaults", .texts()),
    .optional("issuer", .address(Issuer.init), \.issuer) { $0.issuer = $1 },
    .unlessDefault("authorization_response_iss_parameter_supported", .flag(), \.sendsIssuer) {
      $0.sendsIssuer = $1
    },
  ]

  private static let endpointMembers = EndpointName.allCases.map { name in
    PresetMember<Provider>.optional(name.rawValue, .address(Endpoint.init), { $0.endpoints[name] }) {
      $0.endpoints[name] = $1
      // `require_pushed_authorization_requests`, which is read later, may say otherwise.
      if name == .pushedAuthorizationRequest { $0.pushesRequests = true }
    }
  }

  private static let requests: [PresetMember<Provider>] = [
    .optional(
      "require_pushed_authorization_requests", .flag(),
      { $0.pushesRequests || $0.endpoints[.pushedAuthorizationRequest] != nil ? $0.pushesRequests : nil }
    ) { $0.pushesRequests = $1 },
    .unlessDefault("dpop_bound_access_tokens", .flag(), \.bindsTokens) { $0.bindsTokens = $1 },
    .unlessDefault("grant", .choice(), \.grant) {
      $0.grant = $1
      if $1 == .implicit { $0.responseType = .token }
    },
    .always(
      "response_type", .parsed(ResponseType.init) { "\"\($0, upTo: 60)\" is not a response type" },
      \.responseType
    ) { $0.responseType = $1 },
    .optional("response_mode", .choice(), \.responseMode) { $0.responseMode = $1 },
    .optional("scope", .pattern(), \.scope) { $0.scope = $1 },
    .always("pkce", .choice(), \.pkce) { $0.pkce = $1 },
    .optional("redirect_uri", .address(RedirectURI.init), \.redirectURI) { $0.redirectURI = $1 },
    .unlessDefault("redirect_aliases", .list(.address(RedirectURI.init)), \.redirectAliases) {
      $0.redirectAliases = $1
    },
    .unlessDefault("error_pages", .list(.address(ErrorPage.init)), \.errorPages) { $0.errorPages = $1 },
    .unlessDefault(
      "authorization_parameters", .texts(filledIn: true, refusing: parameterFault), \.authorizationParameters
    ) { $0.authorizationParameters = $1 },
    .optional("parameter_names", .texts(), { $0.parameterNames.isEmpty ? nil : sorted($0.parameterNames) }) {
      $0.parameterNames = Dictionary($1.map { ($0.name, $0.value) }) { $1 }
    },
  ]

  private static let answers: [PresetMember<Provider>] = [
    .optional("client_authentication", .choice(), \.clientAuthentication) { $0.clientAuthentication = $1 },
    // An empty list allows no method. Without the member, the provider does not name its methods.
    .optional("token_endpoint_auth_methods_supported", .list(.text()), \.clientAuthentications) {
      $0.clientAuthentications = $1
    },
    .unlessDefault("headers", .texts(filledIn: true, refusing: headerFault), \.headers) { $0.headers = $1 },
    .unlessDefault(
      "token_parameters", .texts(filledIn: true, refusing: parameterFault), \.tokenParameters
    ) { $0.tokenParameters = $1 },
    .unlessDefault("token_request", .choice(), \.tokenRequestForm) { $0.tokenRequestForm = $1 },
    .unlessDefault("token_state", .word("echoed", of: ["echoed"]), \.echoesTokenState) {
      $0.echoesTokenState = $1
    },
    .unlessDefault("callback_parameters", .list(.text()), \.callbackParameters) {
      $0.callbackParameters = $1
    },
    .optional(
      "id_token_issuer",
      .parsed(IssuerPattern.init) { _ in
        "id_token_issuer must be an https URL with one {claim} in its path"
      }, \.idTokenIssuer
    ) { $0.idTokenIssuer = $1 },
    .optional(
      "authorization_scheme",
      .parsed(scheme) { _ in "authorization_scheme must be made of letters, digits and hyphens" },
      \.authorizationScheme
    ) { $0.authorizationScheme = $1 },
    .optional("device_grant", .object(), \.deviceGrant) { $0.deviceGrant = $1 },
    .optional(
      "revocation_request",
      .member("members", .list(.text(.oneOf(["access_token", "refresh_token"])))), \.revocationMembers
    ) { $0.revocationMembers = $1 },
    .unlessDefault("refresh_refusals", .list(.text()), \.refreshRefusals) { $0.refreshRefusals = $1 },
    .unlessDefault("id_token", .word("opaque", of: ["verify", "opaque"]), \.hasOpaqueIDToken) {
      $0.hasOpaqueIDToken = $1
    },
    .optional("id_token_signing_alg_values_supported", .list(.text()), \.idTokenAlgorithms) {
      $0.idTokenAlgorithms = $1
    },
    .optional("dpop_signing_alg_values_supported", .list(.text()), \.proofAlgorithms) {
      $0.proofAlgorithms = $1
    },
    .optional("token_type", .text(), \.tokenType) { $0.tokenType = $1 },
    .unlessDefault("bearer_token_types", .list(.text()), \.bearerTokenTypes) { $0.bearerTokenTypes = $1 },
    .unlessDefault("required_token_members", .list(.text()), \.ownTokenMembers) { $0.ownTokenMembers = $1 },
    .unlessDefault("userinfo_request", .object(), \.userinfoRequest) { $0.userinfoRequest = $1 },
    .optional("logout_request", .object(), \.logoutRequest) { $0.logoutRequest = $1 },
    .unlessDefault("api_origins", .list(.origin()), \.apiOrigins) { $0.apiOrigins = $1 },
    .ignored("scopes_supported", .list(.text())),
    .ignored("response_types_supported", .list(.text())),
    .ignored("response_modes_supported", .list(.text())),
    .ignored("grant_types_supported", .list(.text())),
    .ignored("code_challenge_methods_supported", .list(.text())),
  ]

  private static func variableFault(_ name: String) -> Message? {
    if !Template.isName(name) { return "a variable's name must be made of letters, digits and underscores" }
    return name == "client_id" ? "client_id is always a variable" : nil
  }

  @Sendable private static func parameterFault(_ parameter: Parameter) -> Message? {
    ReservedNames.parameters.contains(parameter.name)
      ? "the request sets the parameter \(parameter.name) itself" : nil
  }

  @Sendable private static func headerFault(_ header: Parameter) -> Message? {
    ReservedNames.fault(ofHeader: header).map { "\(header.name, upTo: 60): \($0)" }
  }

  /// The scheme becomes part of a header field (RFC 9110 section 11.1).
  @Sendable private static func scheme(_ text: String) -> String? {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      ? text : nil
  }

  private static func sorted(_ texts: [String: String]) -> [Parameter] {
    texts.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }
  }
}
