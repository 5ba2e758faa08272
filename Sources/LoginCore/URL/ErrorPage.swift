/// A page on which a provider shows its errors instead of redirecting.
public struct ErrorPage: Sendable, Equatable, CustomStringConvertible {
  /// The address as the preset names it.
  public let description: String
  let landing: RedirectMatcher

  /// Refuses what no web engine would report in the same bytes.
  public init(_ text: String) throws(AddressFault) {
    landing = try RedirectMatcher(text)
    description = text
  }
}
