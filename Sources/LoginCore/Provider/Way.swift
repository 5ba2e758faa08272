/// A way to the user.
package enum Way: String, Sendable, CaseIterable {
  /// A window of ours that shows the provider's pages.
  case window
  /// The user's own browser, as RFC 8252 section 8.12 wants it.
  case browser
  /// A code that the user types into a page on another device (RFC 8628).
  case device
  /// The user opens the page anywhere and brings the answer back by hand.
  case paste
}
