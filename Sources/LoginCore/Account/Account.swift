/// A token that is kept under a name, with all that is needed to renew it when the command line that began it is
/// long forgotten.
///
/// The request is kept as it was resolved and not as it was written: a refresh token goes to the server that
/// issued it, whatever a preset of the same name says by then, and a preset file may be gone.
public struct Account: Sendable {
  /// What it is called.
  public let name: AccountName
  /// What the caller called the provider: a preset, or an issuer.
  package var provider: String?
  /// The request that a login, or a refresh, begins with.
  public var login: LoginRequest
  /// The token.
  public private(set) var token: Token
  /// When the token was received.
  public private(set) var receivedAt: UTCDate
  /// Whether a token without an end is good for ever: p2/OAuth2's `token_assume_unexpired`.
  package var assumesUnexpired = true
  /// The name of the cookies that the login was made with.
  package var session: String?
  /// The servers that it was made for, where somebody has said so.
  package var origins: [Origin] = []
  /// Whether the provider has made the client for us, so that another one is as good (RFC 7591).
  package var hasRegisteredClient = false
  /// The API whose address has led to the login (RFC 9728).
  package var resource: ProtectedResource?
  /// Members of the document that this version does not know. They are kept, so that an older program does not
  /// lose what a newer one has written.
  var others = JSONObject()

  /// An account that has just been logged in to.
  public init(
    _ name: AccountName, provider: String? = nil, login: LoginRequest, token: Token, receivedAt: UTCDate,
    session: String? = nil
  ) {
    self.name = name
    self.provider = provider
    self.login = login
    self.token = token
    self.token.authorizationScheme = login.provider.authorizationScheme
    self.receivedAt = receivedAt
    self.session = session
    // Values of one run are not those of the next.
    self.login.fixed = LoginRequest.FixedValues()
    self.login.proofKey = nil  // kept with the token
  }

  package var refreshToken: RefreshToken? { token.refreshToken }

  /// The request that a new login begins with: a client that was registered is the one that is kept by then.
  package var newLogin: LoginRequest { hasRegisteredClient ? login.withoutClient : login }

  /// The account after a new login: nothing of the old token stays.
  public func loggedIn(by login: LoginRequest, with token: Token, receivedAt: UTCDate) -> Account {
    var account = self
    account.login = login
    account.token = token
    account.receivedAt = receivedAt
    return account
  }

  /// The account with a token that is no longer good, whatever the provider said of its life.
  func expired(at now: UTCDate) -> Account {
    var account = self
    account.token.expire(at: now)
    return account
  }

  /// The account with nothing that is good: it says how somebody signs in to it again.
  package func signedOut(at now: UTCDate) -> Account {
    var account = expired(at: now)
    account.token.forgetRefreshToken()
    return account
  }

  /// The account with the refresh token of an answer in which nothing else is of use.
  func refreshable(with new: RefreshToken) -> Account {
    var account = self
    account.token.take(new)
    return account
  }

  /// The account with the answer to a refresh. What the answer does not repeat stays as it was (RFC 6749 section
  /// 6 for the scope, OpenID Connect Core section 12.2 for the id_token).
  func renewed(with answer: Token, receivedAt: UTCDate) -> Account {
    var account = self
    let isBelieved = answer.claims != nil || login.provider.hasOpaqueIDToken
    account.token = (isBelieved ? answer : answer.withoutIDToken).keepingMembers(of: token)
    account.receivedAt = receivedAt
    return account
  }
}
