/// Everything that decides a login, before anything random is added: the provider, the client, and what the
/// application wants.
public struct LoginRequest: Sendable {
  /// Whom to ask.
  public var provider: Provider
  /// Who asks: the identifier that the provider gave to the application (RFC 6749 section 2.2).
  public var clientID: String
  /// What the client shares with the provider.
  public var clientSecret: ClientSecret?
  /// How the client proves itself.
  public var clientAuthentication: ClientAuthentication
  /// Where the answer goes.
  public var redirectURI: RedirectURI
  /// Other forms in which the provider sends the redirect.
  public var redirectAliases: [RedirectURI]
  /// How it comes to its token, as far as ``responseType`` does not say it.
  public var grant: GrantType
  /// What is asked for.
  public var responseType: ResponseType
  /// Where in the callback the answer shall be, if not where it usually is.
  public var responseMode: ResponseMode?
  /// What the token shall be good for (RFC 6749 section 3.3).
  public var scope: String?
  /// Further parameters: `prompt`, `login_hint`, `resource` and the provider's own.
  public var parameters: [Parameter]
  /// The key that the token is bound to, so that a token that was stolen is of no use (RFC 9449).
  public var proofKey: (any SigningKey)?
  /// Whether the client is named in the body of token requests even where a header field proves it already: some
  /// servers look nowhere else.
  public var namesClient = false
  /// Values that are otherwise made at random, for runs that can be repeated.
  public var fixed: FixedValues
  /// Whether the request goes without a state: only for a code that PKCE protects (RFC 9700 section 2.1).
  public var omitsState: Bool

  /// Values that take the place of random ones.
  public struct FixedValues: Sendable {
    /// The state to send.
    public var state: State?
    /// The nonce to send.
    public var nonce: Nonce?
    /// The code verifier.
    public var codeVerifier: CodeVerifier?

    /// Everything at random.
    public init(state: State? = nil, nonce: Nonce? = nil, codeVerifier: CodeVerifier? = nil) {
      (self.state, self.nonce, self.codeVerifier) = (state, nonce, codeVerifier)
    }
  }

  /// A request with the provider's defaults.
  public init(
    provider: Provider, clientID: String, clientSecret: ClientSecret? = nil, redirectURI: RedirectURI
  ) {
    self.provider = provider
    self.clientID = clientID
    self.clientSecret = clientSecret
    clientAuthentication = provider.clientAuthentication ?? (clientSecret == nil ? .none : .basic)
    self.redirectURI = redirectURI
    redirectAliases = provider.redirectAliases
    grant = provider.grant
    responseType = provider.responseType
    responseMode = provider.responseMode
    scope = provider.scope
    parameters = []
    fixed = FixedValues()
    omitsState = false
  }

  /// Where in the callback the answer will be.
  package var effectiveResponseMode: ResponseMode { responseMode ?? responseType.defaultMode }
}

extension NavigationPolicy {
  /// What ends the visit of a login.
  init(of login: LoginRequest) {
    self.init(
      redirectURI: login.redirectURI, aliases: login.redirectAliases, errorPages: login.provider.errorPages)
  }
}
