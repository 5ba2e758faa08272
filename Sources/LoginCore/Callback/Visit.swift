/// What a user agent is asked to do.
public struct Visit: Sendable {
  /// The page to open.
  public let url: String
  /// Which navigations end the visit.
  public let policy: NavigationPolicy
  /// What the answer repeats: it tells the answer from callbacks that others have made up.
  public let state: State?
  /// Whether the page may be asked for a second time, which a request that was pushed before may not
  /// (RFC 9126 section 2.2).
  public let mayOpenTwice: Bool
  /// Whether the answer is posted to the redirect URI (OAuth 2.0 Form Post Response Mode).
  public var isPosted = false
  /// Whether somebody else reads the answer, so that whatever comes back is one.
  package var isForCaller = false
  /// Whether a code alone is an answer, since PKCE binds it to this request as well as a state would.
  public var acceptsBareCode = false

  /// A visit to a page.
  public init(url: String, policy: NavigationPolicy, state: State? = nil, mayOpenTwice: Bool = true) {
    (self.url, self.policy, self.state, self.mayOpenTwice) = (url, policy, state, mayOpenTwice)
  }
}

/// How a visit ended.
public enum Arrival: Sendable {
  /// At one of the redirect URIs.
  case callback(Callback)
  /// At a page that shows a code, which the user has brought along.
  case code(AuthorizationCode)
  /// At a page on which the provider shows an error instead of redirecting; its body where it could be read.
  case errorPage(uri: String, body: [UInt8]?)
}
