import GLibSupport
import LoginCore
import SignIn

/// The place that tokens come from: the accounts of this machine, or an agent that keeps them elsewhere. ``Composition``
/// decides which one it is; commands and helpers do not know.
@GLibActor
protocol TokenSource: Sendable {
  /// Returns a token that is good for long enough, after a refresh or a login if necessary.
  func token(_ wish: TokenWish) async throws(Failure) -> GrantedToken
  /// Returns a token without waiting for a server or the user, or nil if that is not possible. An `old` token counts even
  /// if it expires soon.
  func tokenAtOnce(_ wish: TokenWish, old: Bool) async throws(Failure) -> GrantedToken?
  /// Asks the user to sign in, keeps the account, and returns its token. With a wish, the account must fulfil it, and a
  /// login that another program has just finished is enough.
  func login(_ login: LoginWish, for wish: TokenWish?) async throws(Failure) -> GrantedToken
  /// Sees to it that a token is not handed out again, because it was refused. If `isByAPI`, this counts against the next
  /// login.
  func reject(_ token: AccessToken, for wish: TokenWish, isByAPI: Bool) async throws(Failure)
  /// Notes that an API has accepted the account's token.
  func noteAcceptance(of account: AccountName) async throws(Failure)

  /// True if another login may give the account what an API demands.
  func mayBring(_ stepUp: StepUp, by account: AccountName) async throws(Failure) -> Bool
  /// Returns another token for the wish, because an API has refused this one. nil if the remedy does not help.
  func token(
    insteadOf refused: GrantedToken, by remedy: Remedy, for wish: TokenWish
  ) async throws(Failure) -> GrantedToken?

  /// Returns the request with the token, and with a proof if the token is bound to a key.
  func signed(
    _ request: ResourceRequest, with granted: GrantedToken, _ signer: ResourceSigner
  ) async throws(Failure) -> ResourceRequest
  /// Returns the accounts as `tokentry accounts` lists them, without secrets.
  func accounts() async throws(Failure) -> [JSONObject]
  /// Returns what the provider says about the user of an account. Never asks the user to sign in.
  func userinfo(of account: AccountName, forAtLeast seconds: Int64) async throws(Failure) -> JSONObject
}

extension TokenSource {
  /// Signs requests, and hides their credentials in messages.
  var signing: ResourceExchange.Sign<GrantedToken> {
    { request, granted, signer throws(Failure) in
      let signed = try await self.signed(request, with: granted, signer)
      Messages.hide(credentialsIn: signed.headers)
      return signed
    }
  }
}

/// A token, and the account that it is from.
struct GrantedToken: Sendable {
  let account: AccountName
  let token: Token
  /// The user name that the asking helper's protocol wants beside the token; for other callers, the user who signed in.
  let user: String?
  /// True if the token can be renewed without the user. An agent does not say.
  let canRefresh: Bool
  /// The seconds from the receipt of the token to its expiry. nil if it does not expire. An agent does not say.
  var life: Int64?
}

/// A caller's wish for a token. It names an account, or an address that the token is for, or both.
struct TokenWish: Sendable {
  /// The account that the caller has named.
  var account: AccountName?
  /// The address that the token is for. Without one, the account may be meant for any address.
  let address: Address?
  /// The user that the program names, which chooses between several accounts.
  var user: String?
  /// The protocol of the asking helper.
  var helper: (any HelperProtocol.Type)?
  /// True if the id_token must be good for long enough, too.
  var needsIdentity = false
  /// For a request of the user's own: the servers that may have the token although the account is not meant for them.
  var allowed: [Origin]?

  struct Address: Sendable {
    /// The address as a URL.
    let url: String
    /// The address as the program has written it, for messages.
    let shown: String
    let destinations: [Destination]
  }

  init(_ account: AccountName?, _ address: Address? = nil) {
    (self.account, self.address) = (account, address)
  }

  /// Returns the same wish for an account that was found meanwhile.
  func naming(_ account: AccountName) -> TokenWish {
    var wish = self
    wish.account = account
    return wish
  }
}

extension TokenWish.Address {
  /// The host, with a port if the address has one.
  var authority: String? {
    url.startOfAuthority.map { String(url[$0...].unicodeScalars.prefix { $0 != "/" }) }
  }

  init(url: String) {
    (self.url, shown) = (url, url)
    destinations = [try? Destination(url)].compactMap(\.self)
  }

  /// A server, given as a URL, or as a host with or without a path.
  init(server: String) {
    url = server.startOfAuthority == nil ? "https://\(server)" : server
    shown = server
    destinations = Destination.all(ofServer: server)
  }
}

extension GrantedToken {
  /// The access token, if a header field can carry it.
  func sendableToken() throws(Failure) -> AccessToken {
    guard let access = token.accessToken else { throw .missingToken(["access_token"]) }
    _ = try AuthorizationHeader(token)
    return access
  }

  /// The value of an `Authorization` field.
  func authorization() throws(Failure) -> String {
    try AuthorizationHeader(token).value
  }

  /// The id_token and the time at which it expires.
  func identification() throws(Failure) -> (token: String, end: UTCDate?) {
    guard let idToken = token.idToken else {
      throw Failure(
        .invalidConfiguration, "the account \"\(account)\" has no id_token",
        hint: "sign in to it again with openid in --scope; kubernetes takes --access-token as well")
    }
    return (idToken, token.endOfIdentity)
  }
}

extension Token {
  /// Refuses a token that is bound to a key. Without a proof it is useless (RFC 9449 section 7), and the programs that use
  /// helpers cannot send one.
  func checkUnbound() throws(Failure) { if isBound { throw .boundToken } }
}

extension Failure {
  static let boundToken = Failure(
    .invalidConfiguration, "the token is bound to a key, and this program can send no proof of it",
    hint: "use an account whose token is not bound")
}
