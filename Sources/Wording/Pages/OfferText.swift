/// What the bar above a page says and offers where the page itself leads nowhere.
package enum OfferText {
  package static let openSafely = "Open it _safely"
  package static let openInBrowser = "Open in _browser"
  package static let stay = "_Stay"
  package static let leave = "_Leave"
  package static let leaving = "Leave the sign-in? What you have typed here is lost."
  package static let resend = "_Send again"
  package static let keep = "_Keep this page"
  package static let resending = "Send the form again? The provider may take it for a second attempt."
  package static let mayBeBlank = "Does the page stay blank?"
  package static let isBlank = "The page seems to be blank."
  package static let passkey = "This page can take a passkey, which this window does not have."
  package static let refused = "This provider wants to be opened in a browser."

  /// What is said of a server that takes its time.
  package static func slow(_ host: String, hasBegun: Bool) -> String {
    hasBegun ? "Still waiting for the rest of this page." : "\(host) has not answered yet."
  }
}
