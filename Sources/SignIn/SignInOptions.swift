import LoginCore
import WindowProtocol

/// The wishes of a caller about a sign-in. The request itself is a ``LoginRequest``.
package struct SignInOptions: Sendable {
  /// Who acts on the pages.
  package enum User: Sendable {
    case person
    /// A test fills in forms with these values.
    case form([Parameter])
    /// A test reads navigations from the descriptor that this opens.
    case navigations(@Sendable () throws(Failure) -> Int32)
    /// The application's own agent takes the user to the page.
    case own(any UserAgent)
  }

  package var user = User.person
  /// True if the user must not be asked.
  package var isSilent = false
  /// The way that the caller asks for.
  package var way: LoginWay?
  /// The command that opens a page, in words and as the caller wrote it.
  package var browser: (words: [String], text: String)?
  /// False if no browser may be opened or offered.
  package var allowsBrowser = true
  /// False if neither a window nor a browser may be opened: addresses and codes are printed.
  package var opensPages = true
  /// A pipe through which the answer may come.
  package var pipe: Int32?
  /// True if this program may register itself for a private scheme.
  package var registersScheme = false
  /// The window's title, parent and close button.
  package var window = WindowOptions()
  package var rendering: Rendering?
  package var windowSize: WindowSize?
  /// The name under which cookies are kept.
  package var cookies: CookieJarName?
  /// The cookies of the connection that this visit belongs to, which its caller has opened. They are kept in place of
  /// those under the name, with those that have no lifetime.
  package var connectionCookies: CookieJar?
  package var registration = NewClient()
  /// The user's password, for the password grant.
  package var password: Password?
  /// The token to exchange, for that grant.
  package var exchanged: Token?
  /// The kept account that the user signs in to again.
  package var kept: Account?
  /// The client that the caller names, and its server.
  package var client: GivenClient?
  package var issuer: Issuer?
  /// Refuses a request whose token the caller could not use, before the user is asked.
  package var check: @Sendable (LoginRequest) throws(Failure) -> Void = { _ throws(Failure) in }

  package init() {}

  /// True if a test, or the application's own agent, replaces ours.
  package var replacesWays: Bool { if case .person = user { false } else { true } }

  /// True if the user has to act for a new token. A missing password or token has to come from the user, too.
  package func needsUser(for login: LoginRequest) -> Bool {
    login.grant.asksUser || login.grant == .password && password == nil
      || login.grant == .tokenExchange && exchanged == nil
  }

  /// Returns the options for a login to a kept account. Its cookies are used unless the caller names others.
  package func with(_ account: Account) -> SignInOptions {
    var options = self
    options.kept = account
    options.cookies = cookies ?? account.session.flatMap { CookieJarName($0) }
    return options
  }
}

/// The description of a client that the provider registers.
package struct NewClient: Sendable {
  /// The name, which the user sees on the page that asks for consent.
  package var name: String
  package var authentication: ClientAuthentication?
  package var initialAccessToken: AccessToken?
  /// Further members of the client's metadata, which win over the others.
  package var further = JSONObject()
  /// Changes this description just before the provider is asked.
  package var prepare: (@Sendable (inout NewClient) async throws(Failure) -> Void)?
  /// True if the client is kept for later logins.
  package var isKept = true

  package init(name: String = "Tokentry") { self.name = name }
}
