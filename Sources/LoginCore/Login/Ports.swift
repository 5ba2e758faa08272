/// The random bytes, digests and signatures that a login needs.
public protocol Cryptography: Sendable {
  /// Bytes that nobody can predict.
  func randomBytes(_ count: Int) throws(Failure) -> [UInt8]
  /// A digest of FIPS 180-4.
  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8]
  /// Whether a signature in the form of RFC 7518 is that of the message; ``JWS`` has compared the algorithm
  /// with the key and the length of the signature before. A key that is no key, such as a point that is not
  /// on its curve, has made no signature.
  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool
  /// A new key for proofs of possession, of ES256, which every server with such proofs knows.
  func newProofKey() throws(Failure) -> any SigningKey
  /// The key that ``SigningKey/privateKey()`` wrote; nothing if that is no key of ES256.
  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)?
}

/// A private key, which leaves its adapter only to be kept with the tokens that are bound to it.
public protocol SigningKey: Sendable {
  /// What it signs with.
  var algorithm: SignatureAlgorithm { get }
  /// The public half as a JWK (RFC 7517).
  var publicKey: JSONObject { get }
  /// The key with its private member as a JWK.
  func privateKey() throws(Failure) -> JSONObject
  /// The signature of a message in the form of RFC 7518.
  func sign(_ message: [UInt8]) throws(Failure) -> [UInt8]
}

/// The way to the servers of a provider.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the whole answer. No redirect is followed: it is an answer like any other.
  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse
}

/// Where accounts and clients are kept, each as one document that is either the old or the new one at every instant,
/// also when the program or the machine stops.
public protocol CredentialStore: Sendable {
  /// The account of this name.
  func load(_ name: AccountName) async throws(Failure) -> Account
  /// Keeps an account in place of another of its name. What has been saved outlives this program.
  func save(_ account: Account) async throws(Failure)
  /// Forgets the account of this name.
  func delete(_ name: AccountName) async throws(Failure)
  /// All accounts, sorted by name. Nobody is asked for a password.
  func list() async throws(Failure) -> [StoredAccount]
  /// Finds out whether an account can be saved, before somebody signs in for nothing.
  func prepare() async throws(Failure)
  /// Waits until no other program changes the account. None does for as long as the caller keeps the result.
  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock
  /// The same lock for an attempt to get a token, of whose end those are told who wait for it; or the end of another
  /// program's attempt, if this one waits for such.
  func turn(at name: AccountName, waiting: TurnWait) async throws(Failure) -> Turn
  /// Waits until no other program is at the client of this place, which none is for as long as the caller keeps the
  /// result.
  func lock(_ place: ClientPlace) async throws(Failure) -> any StoreLock
  /// The client that was registered at this place, if one is kept.
  func client(at place: ClientPlace) async throws(Failure) -> RegisteredClient?
  /// Keeps a client in place of another of its place.
  func save(_ client: RegisteredClient, at place: ClientPlace) async throws(Failure)
  /// Forgets the client of this place; without one there is nothing to do.
  func deleteClient(at place: ClientPlace) async throws(Failure)
}

/// Keeps other programs from changing an account, or a client, for as long as it lives: of two that refresh at once, a
/// provider whose refresh tokens are good for one use would take one for a thief.
public protocol StoreLock: AnyObject, Sendable {}

/// The time of day.
public protocol WallClock: Sendable {
  /// The current second.
  func now() -> UTCDate
  /// Returns when so many seconds have passed. Ends early when its task is cancelled.
  func wait(seconds: Int64) async throws(Failure)
}

/// A way to take the user to the provider: a window, a browser, or a list of navigations in a test.
public protocol UserAgent: Sendable {
  /// Gets ready for a visit whose page is not known yet. A window that does so while the provider is asked for its
  /// endpoints is there almost as soon as one whose page was known from the start.
  func prepare(for policy: NavigationPolicy) async
  /// Takes the user to the page and waits for what comes back. Ends early when its task is cancelled.
  func visit(_ visit: Visit) async throws(Failure) -> Arrival
  /// Ends what ``visit(_:)`` has opened: the login is over, however it ended.
  func dismiss() async
}

extension UserAgent {
  /// Most agents have nothing to get ready.
  public func prepare(for policy: NavigationPolicy) async {}
}

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
  /// Whether a code alone is an answer, since PKCE binds it to this request as well as a state would.
  public var acceptsBareCode = false

  /// A visit to a page.
  public init(url: String, policy: NavigationPolicy, state: State? = nil, mayOpenTwice: Bool = true) {
    self.url = url
    self.policy = policy
    self.state = state
    self.mayOpenTwice = mayOpenTwice
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
