/// An authorization server, as far as a login has to know it.
public struct Provider: Sendable {
  /// What a person calls it.
  public var name: String?
  /// Its identifier (RFC 8414 section 2).
  public var issuer: Issuer?
  /// Whether it names itself in every callback (RFC 9207 section 3).
  public var sendsIssuer = false
  /// Where requests go.
  public var endpoints: [EndpointName: Endpoint] = [:]
  /// How logins come to their token by default, as far as ``responseType`` does not say it.
  public var grant = GrantType.code
  /// What is asked for by default.
  public var responseType = ResponseType.code
  /// Where the answer comes if not where the standard says.
  public var responseMode: ResponseMode?
  /// What tokens are good for by default.
  public var scope: String?
  /// How codes are bound to the request.
  public var pkce = CodeChallengeMethod.s256
  /// The redirect URI that clients of this provider have by default.
  public var redirectURI: RedirectURI?
  /// Other forms in which the provider sends it.
  public var redirectAliases: [RedirectURI] = []
  /// Pages on which the provider shows errors instead of redirecting.
  public var errorPages: [ErrorPage] = []
  /// Constant parameters of authorization requests.
  public var authorizationParameters: [Parameter] = []
  /// Other names for standard parameters.
  public var parameterNames: [String: String] = [:]
  /// How clients prove themselves, where that is not left to the client.
  public var clientAuthentication: ClientAuthentication?
  /// How clients may prove themselves, where the provider says so (RFC 8414 section 2).
  public var clientAuthentications: [String]?
  /// Constant parameters of token requests.
  public var tokenParameters: [Parameter] = []
  /// Further header fields of requests that Tokentry itself makes.
  public var headers: [Parameter] = []
  /// The algorithms that id_tokens may be signed with, where the provider names them.
  public var idTokenAlgorithms: [String]?
  /// Who issues id_tokens where that depends on the user.
  public var idTokenIssuer: IssuerPattern?
  /// Whether id_tokens are passed on as they come, because no key set is published.
  public var hasOpaqueIDToken = false
  /// Parameters that every callback carries and that later requests repeat.
  public var callbackParameters: [String] = []
  /// Whether authorization requests are pushed to the provider instead of being carried by the user
  /// (RFC 9126 section 5).
  public var pushesRequests = false
  /// Whether tokens are bound to a key (RFC 9449).
  public var bindsTokens = false
  /// The algorithms that proofs of such a key may be signed with, where the provider names them.
  public var proofAlgorithms: [String]?
  /// Where in a token request its parameters are.
  public var tokenRequestForm = TokenRequestForm.form
  /// Whether token requests carry a state of their own that the answer repeats.
  public var echoesTokenState = false
  /// The type of tokens whose answer names none.
  public var tokenType: String?
  /// How the userinfo endpoint is asked.
  public var userinfoRequest = RequestForm()
  /// The scheme under which the provider's servers take its bearer tokens, where that is not `Bearer`.
  public var authorizationScheme: String?
  /// How a device asks for its token, where the provider is older than the standard.
  public var deviceGrant: DeviceGrant?
  /// The tokens that are revoked, each in a parameter of its own name, where the provider knows no `token`.
  public var revocationMembers: [String]?
  /// What the provider says, beyond the standard's words, where a refresh token is good for nothing any more.
  public var refreshRefusals: [String] = []
  /// How a session is ended where that is a request of ours with the token, and no page for the user.
  public var logoutRequest: RequestForm?
  /// What makes a token a token there, beyond what RFC 6749 demands.
  public var ownTokenMembers: [String] = []
  /// Ways to the user, the best first.
  package var agents: [Way] = []
  /// The room that the provider's pages need in a window.
  package var windowSize: WindowSize?
  /// Where a request may take a token.
  package var apiOrigins: [Origin] = []
  /// The hosts for which git may be given a token, with the port where the address has one.
  package var gitHosts: [String] = []
  /// The name of the user under which git sends a token.
  package var gitUser = "oauth2"
  /// The name of the user under which a registry of containers takes a token as a password.
  package var registryUser: String?

  /// Whether it has described itself already, so that it is not asked again.
  var isDescribed = false
  /// Where people read how a client is made (RFC 8414 section 2).
  var documentation: String?

  /// An authorization server that keeps to the standards.
  public init() {}

  /// An endpoint that has to be known by now.
  func endpoint(_ name: EndpointName) throws(Failure) -> Endpoint {
    guard let endpoint = endpoints[name] else { throw .caller(.noEndpoint(name)) }
    return endpoint
  }

  /// What an `iss` in a callback is compared with. Where the issuer depends on the user it is the id_token that says
  /// which one it is, and before that nothing is known.
  var issuerOfCallbacks: Issuer? { idTokenIssuer == nil ? issuer : nil }

  /// All that an answer must have: `access_token`, `token_type` unless it is assumed, and the provider's own.
  var requiredTokenMembers: [String] {
    let standard = tokenType == nil ? ["access_token", "token_type"] : ["access_token"]
    return standard + ownTokenMembers.filter { !standard.contains($0) }
  }

  /// Whether git may be given a token for this host. Names of hosts are ASCII, in which case does not matter.
  package func serves(gitHost host: String) -> Bool {
    gitHosts.contains { $0.lowercased().isIdentical(to: host.lowercased()) }
  }
}

extension Provider {
  /// Refuses an address to which a token of this provider does not belong (RFC 6750 section 5.2: a server that gets
  /// one can use it elsewhere).
  package func checkOrigin(of endpoint: Endpoint, orAmong others: [Origin]) throws(Failure) {
    let isAllowed = (apiOrigins + others).contains { $0.description.isIdentical(to: endpoint.origin) }
    if !isAllowed { throw .caller(.originNotAllowed(endpoint.origin)) }
  }
}
