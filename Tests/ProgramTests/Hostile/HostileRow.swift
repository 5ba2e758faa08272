import Testing

/// One way in which a provider misbehaves, and what has to come of it.
///
/// Rows are named after the modules of the OpenID conformance suite where there is one.
struct HostileRow: Sendable, CustomTestStringConvertible {
  /// What the provider does.
  let name: String
  /// The exit status.
  let status: Int32
  /// The `error`, if there is one.
  let error: String?
  /// How often each endpoint is asked.
  let hits: Hits
  /// Options beyond those of every login.
  let options: [String]
  /// The client secret, which an application without secrets has not.
  let secret: String?
  /// Whether it is a login without OpenID and without discovery.
  let isPlain: Bool
  /// What the provider does.
  let change: @Sendable (inout Conduct) -> Void

  /// How often the endpoints are asked.
  struct Hits: Equatable {
    let pages: Int
    let token: Int
    let keys: Int

    /// Nobody has been sent anywhere.
    static let none = Hits(pages: 0, token: 0, keys: 0)
    /// The callback is not acted upon.
    static let callback = Hits(pages: 1, token: 0, keys: 0)
    /// The code is used, once, and what comes of it needs no key of the provider's, or is not worth one.
    static let token = Hits(pages: 1, token: 1, keys: 0)
    /// The id_token is held against the provider's keys.
    static let keys = Hits(pages: 1, token: 1, keys: 1)
    /// The keys lack the one that it is signed with, and are read once more.
    static let keysAgain = Hits(pages: 1, token: 1, keys: 2)
  }

  init(
    _ name: String, _ status: Int32, _ error: String?, _ hits: Hits, _ options: [String] = [],
    secret: String? = nil, isPlain: Bool = false, change: @escaping @Sendable (inout Conduct) -> Void
  ) {
    self.name = name
    self.status = status
    self.error = error
    self.hits = hits
    self.options = options
    self.secret = secret
    self.isPlain = isPlain
    self.change = change
  }

  var testDescription: String { name }
}
