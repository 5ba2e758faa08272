/// Where a client belongs that a provider has made: the provider, and the redirect URI it was made for. A client of
/// one is of no use at another.
public struct ClientSlot: Sendable, Hashable, CustomStringConvertible {
  /// The provider's identifier, or the endpoint that made the client where there is none.
  let provider: String
  /// The redirect URI as it was registered.
  let redirectURI: String

  /// Nothing where neither issuer nor registration endpoint is known.
  public init?(_ provider: Provider, _ redirectURI: RedirectURI) {
    guard let name = provider.issuer?.description ?? provider.endpoints[.registration]?.description else {
      return nil
    }
    self.provider = name
    self.redirectURI = redirectURI.description
  }

  /// Both addresses; nothing in them is secret.
  public var description: String { "\(provider) \(redirectURI)" }

  public static func == (left: ClientSlot, right: ClientSlot) -> Bool {
    left.description.isIdentical(to: right.description)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}
