/// What the window calls its parts. In the words of a button or a menu, an underline is in front of the letter that
/// presses it together with Alt; a name is what a screen reader says, and what a pointer is told that rests on it.
package enum WindowWords {
  package static let title: Sentence = "Sign in"

  // Buttons and menus.
  package static let cancel: Sentence = "_Cancel"
  package static let tryAgain: Sentence = "_Try again"
  package static let goBack: Sentence = "_Back"
  package static let proceed: Sentence = "Co_ntinue"
  package static let openInBrowser: Sentence = "_Open in browser"
  package static let copyLink: Sentence = "Copy _link"
  package static let zoomIn: Sentence = "Zoom _in"
  package static let zoomOut: Sentence = "Zoom _out"
  package static let zoomNormal: Sentence = "_Normal size"

  // Names.
  package static let cancelName: Sentence = "Cancel (Esc)"
  package static let back: Sentence = "Back"
  package static let reload: Sentence = "Reload"
  package static let stop: Sentence = "Stop"
  package static let menu: Sentence = "Menu"
  package static let address: Sentence = "Address of the page"
  package static let loading: Sentence = "Loading"
  package static let copied: Sentence = "Copied"
}
