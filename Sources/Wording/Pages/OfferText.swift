/// What the bar above a page says and offers where the page itself leads nowhere.
package enum OfferText {
  package static let openSafely: Sentence = "Open in _safe mode"
  package static let openInBrowser: Sentence = "Open in _browser"
  package static let goElsewhere: Sentence = "Copy the _link and go on elsewhere"
  package static let unopened: Sentence = "No browser could be opened."
  package static let stay: Sentence = "_Stay"
  package static let leave: Sentence = "_Leave"
  package static let leaving: Sentence = "Leave the sign-in? What you have typed here is lost."
  package static let silent: Sentence = "The page is not responding. Leave the sign-in?"
  package static let resend: Sentence = "_Send again"
  package static let holdBack: Sentence = "_Do not send it"
  package static let resending: Sentence =
    "Send the form again? The provider may take it for a second attempt."
  package static let mayBeBlank: Sentence = "Does the page stay blank?"
  package static let isBlank: Sentence = "The page seems to be blank."
  package static let passkey: Sentence = "This page can take a passkey, which this window does not have."
  package static let program: Sentence =
    "This page wants to open another program, which this window does not do."
  package static let refused: Sentence = "This provider wants to be opened in a browser."

  /// What is said of a server that takes its time.
  package static func slow(_ host: String, hasBegun: Bool) -> Sentence {
    hasBegun ? "Still waiting for the rest of this page." : "\(host) has not answered yet."
  }
}
