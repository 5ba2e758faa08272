/// What the window calls its parts. In the words of a button or a menu, an underline is in front of the letter that
/// presses it together with Alt; a name is what a screen reader says, and what a pointer is told that rests on it.
package enum WindowWords {
  package static let title = "Sign in"

  // Buttons and menus.
  package static let cancel = "_Cancel"
  package static let tryAgain = "_Try again"
  package static let goBack = "_Back"
  package static let proceed = "Co_ntinue"
  package static let openInBrowser = "_Open in browser"
  package static let copyLink = "Copy _link"
  package static let zoomIn = "Zoom _in"
  package static let zoomOut = "Zoom _out"
  package static let zoomNormal = "_Normal size"

  // Names.
  package static let cancelName = "Cancel (Esc)"
  package static let back = "Back"
  package static let reload = "Reload"
  package static let stop = "Stop"
  package static let menu = "Menu"
  package static let address = "Address of the page"
  package static let loading = "Loading"
  package static let copied = "Copied"
}
