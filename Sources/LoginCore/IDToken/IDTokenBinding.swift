/// What ties an id_token to the answer it came with.
public struct IDTokenBinding: Sendable {
  /// How it came.
  public enum Channel: Sendable {
    /// Through the user agent, which could have changed it: nonce and hashes are indispensable.
    case front
    /// In the answer of the token endpoint.
    case back
  }

  /// How it came.
  public var channel: Channel
  /// The nonce of the request; without one, the token must have none either.
  public var nonce: Nonce?
  /// The access token that came along.
  public var accessToken: AccessToken?
  /// The code that came along.
  public var code: AuthorizationCode?
  /// How many seconds ago the user may have signed in, where the request said so.
  public var maxAge: Int?
  /// The authentication contexts that the request asked for; none if it asked for none.
  public var contexts: [String]

  /// A token that came in this way.
  public init(
    _ channel: Channel, nonce: Nonce? = nil, accessToken: AccessToken? = nil, code: AuthorizationCode? = nil,
    maxAge: Int? = nil, contexts: [String] = []
  ) {
    self.channel = channel
    self.nonce = nonce
    self.accessToken = accessToken
    self.code = code
    self.maxAge = maxAge
    self.contexts = contexts
  }
}
