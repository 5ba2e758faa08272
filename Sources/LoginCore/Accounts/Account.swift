/// A kept token, its name, and all that is needed to renew it long after the command that got it.
///
/// The request is kept as it was resolved, not as it was written. So a refresh token goes to the server that issued
/// it, even if a preset of the same name says something else by then, or its file is gone.
public struct Account: Sendable {
  /// The name under which the account is kept.
  public let name: AccountName
  /// The provider as the caller named it: a preset, or an issuer.
  package var provider: String?
  /// The request with which a login or a refresh begins.
  public var login: LoginRequest
  /// The kept token, as the last login or refresh brought it.
  public private(set) var token: Token
  /// The time at which the token was received.
  public private(set) var receivedAt: UTCDate
  /// The servers that the caller named for this account.
  package var origins: [Origin] = []
  /// True if the client came from dynamic registration (RFC 7591). A newly registered client can take its place.
  package var hasRegisteredClient = false
  /// The API whose address led to the login (RFC 9728).
  package var resource: ProtectedResource?
  /// Other members of the document: those of the application, and those that a later version wrote.
  package var extra = JSONObject()

  /// An account right after its login.
  public init(
    _ name: AccountName, provider: String? = nil, login: LoginRequest, token: Token, receivedAt: UTCDate
  ) {
    self.name = name
    self.provider = provider
    self.login = login
    self.token = token
    self.token.authorizationScheme = login.provider.authorizationScheme
    self.receivedAt = receivedAt
    // The fixed values were for one run, and the key is kept with the token.
    self.login.fixed = LoginRequest.FixedValues()
    self.login.proofKey = nil
  }

  var refreshToken: RefreshToken? { token.refreshToken }

  /// The request with which a new login begins. It leaves out a registered client, because another one may be kept by
  /// then.
  package var newLogin: LoginRequest { hasRegisteredClient ? login.withoutClient : login }

  /// Returns the account after a new login. The new token replaces the old one as a whole.
  package func loggedIn(by login: LoginRequest, with token: Token, receivedAt: UTCDate) -> Account {
    var account = self
    account.login = login
    account.token = token
    account.receivedAt = receivedAt
    return account
  }

  /// Returns the account with its token marked as expired, regardless of its expiry date.
  func expired(at now: UTCDate) -> Account {
    var account = self
    account.token.expire(at: now)
    return account
  }

  /// Returns the account without a usable token. It still knows how to sign in again.
  package func signedOut(at now: UTCDate) -> Account {
    var account = expired(at: now)
    account.token.forgetRefreshToken()
    return account
  }

  /// Returns the account with the refresh token of an answer that is unusable otherwise.
  func refreshable(with new: RefreshToken) -> Account {
    var account = self
    account.token.take(new)
    return account
  }

  /// Returns the account with the answer to a refresh. Members that the answer does not repeat keep their old value
  /// (RFC 6749 section 6 for the scope, OpenID Connect Core section 12.2 for the id_token).
  func renewed(with answer: Token, receivedAt: UTCDate) -> Account {
    var account = self
    let isBelieved = answer.claims != nil || login.provider.hasOpaqueIDToken
    account.token = (isBelieved ? answer : answer.withoutIDToken).keepingMembers(of: token)
    account.receivedAt = receivedAt
    return account
  }
}

/// The step that is needed before a kept token can be handed out.
package enum Freshness: Sendable, Equatable {
  case good
  case needsRefresh
  case needsLogin

  /// The number of seconds by which the clock may have been set back since a token was received. Beyond that, the dates
  /// of the token are not believed. Network time moves a clock by less, and our programs demand a longer life by default.
  static let toleratedClockChange: Int64 = 30
}

extension Account {
  /// Tells what the token needs to be good for at least `seconds`. This goes by the wall clock, because an account
  /// outlives every monotonic one. A token without an expiry date is good for ever if `assumingUnexpired`. If `withIdentity`,
  /// the id_token has to be good, too.
  package func freshness(
    at now: UTCDate, forAtLeast seconds: Int64, withIdentity: Bool = false, assumingUnexpired: Bool = true
  ) -> Freshness {
    let isGood = isGood(at: now, seconds, assumingUnexpired)
    if isGood, !withIdentity || isIdentified(at: now, forAtLeast: seconds) { return .good }
    // The last refresh brought no id_token although the old one had ended, so the next one would not, either.
    if withIdentity, isGood, let end = token.endOfIdentity, end <= receivedAt { return .needsLogin }
    return canBeRefreshed ? .needsRefresh : .needsLogin
  }

  /// True unless the id_token expires within this many seconds.
  func isIdentified(at now: UTCDate, forAtLeast seconds: Int64) -> Bool {
    token.endOfIdentity.map { $0.seconds(since: now) >= seconds } ?? true
  }

  private func isGood(at now: UTCDate, _ seconds: Int64, _ assumingUnexpired: Bool) -> Bool {
    guard let expiresAt = token.expiresAt else { return assumingUnexpired }
    // A token from the future would seem to live longer than it does, perhaps for ever.
    guard receivedAt.seconds(since: now) <= Freshness.toleratedClockChange else { return false }
    // A token that has just expired is not good, even if the caller demands 0 seconds.
    return expiresAt.seconds(since: now) >= max(1, seconds)
  }

  /// True if there is a refresh token, and a token endpoint or an issuer that names one.
  package var canBeRefreshed: Bool {
    refreshToken != nil && (login.provider.endpoints[.token] != nil || login.provider.issuer != nil)
  }

  /// True if another login may satisfy the server. A login that has already asked for `stepUp` is not repeated, or the
  /// user would be asked again and again. The exception is an authentication that must be recent, which is asked for
  /// again as soon as it is too old.
  package func mayBring(_ stepUp: StepUp, at now: UTCDate) -> Bool {
    guard login.asks(for: stepUp) else { return true }
    guard case .authentication(_, let maxAge?) = stepUp, let seconds = Int64(maxAge), seconds > 0 else {
      return false
    }
    return now.seconds(since: receivedAt) >= seconds
  }
}

/// The places to which the token may go without a question to the user.
extension Account {
  /// The destinations for which the account was made.
  package var ownDestinations: [Destination] { origins.map(Destination.init) + resources }

  /// The API whose address led to the login, or else the APIs that the request names.
  private var resources: [Destination] {
    let named = login.parameters.filter { $0.name.isIdentical(to: "resource") }.map(\.value)
    return (resource.map { [$0.description] } ?? named).compactMap { try? Destination($0) }
  }

  /// Refuses an address to which the token must not go, because neither the account, nor its provider, nor the caller
  /// names it. An account for one API is for no other API of the same server, even if the caller names that server.
  package func check(_ endpoint: Endpoint, orAmong others: [Origin]) throws(Failure) {
    let asked = try? Destination(endpoint.description)
    if let asked, ownDestinations.contains(where: { $0.includes(asked) }) { return }
    if resources.contains(where: { $0.origin.isIdentical(to: endpoint.origin) }) {
      throw .otherResource(endpoint.description)
    }
    try login.provider.checkOrigin(of: endpoint, orAmong: others)
  }
}

extension Failure {
  /// The account is not for the API at `address`. The message leaves out the query of the address.
  package static func otherResource(_ address: String) -> Failure {
    Failure(
      .originNotAllowed,
      "the account's token is for another API than \(address.splitOnce(at: "?").0, upTo: 200)",
      hint: .signInToAPI)
  }
}
