/// A redirect URI as the client registered it (RFC 6749 section 3.1.2): absolute and without a fragment.
public struct RedirectURI: Sendable, Equatable, CustomStringConvertible {
  /// The text that is registered, and sent to the provider unchanged.
  public let description: String
  let landing: RedirectMatcher

  /// Refuses what no web engine would report in the same bytes.
  public init(_ text: String) throws(AddressFault) {
    landing = try RedirectMatcher(text)
    description = text
  }
}
