import LoginWays

extension PageAddress {
  /// What the line above a page says of it as long as it is not there; nothing if it is to come from nowhere.
  package var connectingText: Sentence { host.isEmpty ? "" : "Connecting to \(host) …" }
}

extension PageAddress.Connection {
  /// What everybody has to see of it beside the host, and what a pointer is told that rests on the line.
  package var text: (note: Sentence, explanation: Sentence) {
    switch self {
    case .secure: ("", "The connection is encrypted")
    case .plain: ("not encrypted", "Others can read what you enter here")
    case .local: ("this computer", "The page comes from this computer")
    case .inherited:
      ("opened this page, which has no address", "Whoever runs this host may have written the whole page")
    case .none: ("", "")
    }
  }
}
