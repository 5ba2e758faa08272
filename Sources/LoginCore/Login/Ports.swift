/// The random bytes and digests that a login needs.
public protocol Cryptography: Sendable {
  /// Bytes that nobody can predict.
  func randomBytes(_ count: Int) throws(Failure) -> [UInt8]
  /// The SHA-256 digest (FIPS 180-4).
  func sha256(_ bytes: [UInt8]) throws(Failure) -> [UInt8]
}

/// The way to the servers of a provider.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the whole answer. No redirect is followed: it is an answer like any other.
  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse
}

/// The time of day.
public protocol WallClock: Sendable {
  /// The current second.
  func now() -> UTCDate
}

/// A way to take the user to the provider: a window, a browser, or a list of navigations in a test.
public protocol UserAgent: Sendable {
  /// Takes the user to the page and waits for what comes back. Ends early when its task is cancelled.
  func visit(_ visit: Visit) async throws(Failure) -> Arrival
  /// Ends what ``visit(_:)`` has opened: the login is over, however it ended.
  func dismiss() async
}

/// What a user agent is asked to do.
public struct Visit: Sendable {
  /// The page to open.
  public let url: String
  /// Which navigations end the visit.
  public let policy: NavigationPolicy
  /// What the answer repeats: it tells the answer from callbacks that others have made up.
  public let state: State?

  /// A visit to a page.
  public init(url: String, policy: NavigationPolicy, state: State? = nil) {
    self.url = url
    self.policy = policy
    self.state = state
  }
}

/// How a visit ended.
public enum Arrival: Sendable {
  /// At one of the redirect URIs.
  case callback(Callback)
  /// At a page on which the provider shows an error instead of redirecting; its body where it could be read.
  case errorPage(uri: String, body: [UInt8]?)
}
