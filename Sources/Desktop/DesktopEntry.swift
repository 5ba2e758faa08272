/// A desktop entry that opens the addresses of one scheme and is in no menu (Desktop Entry Specification).
struct DesktopEntry {
  /// The whole file.
  let text: String

  /// With the program and its arguments; the address comes behind them.
  init(opening scheme: String, with words: [String], comment: String) {
    text = """
      [Desktop Entry]
      Type=Application
      Name=Tokentry
      Comment=\(comment)
      Icon=\(ApplicationID.text)
      NoDisplay=true
      Terminal=false
      Exec=\(words.map(Self.quoted).joined(separator: " ")) %u
      MimeType=x-scheme-handler/\(scheme);

      """
  }

  /// A word between quotes, for which the specification has one set of escapes, and another for any text; or as it
  /// is where it may be: xdg-open takes quotes for a part of the program's name.
  private static func quoted(_ word: String) -> String {
    if word.unicodeScalars.allSatisfy(isPlain) { return word }
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\\\\\"
      case "\"", "`", "$": text += "\\\\\(scalar)"
      case "%": text += "%%"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", ",", "-", "_", "+", ":", "@": true
    default: false
    }
  }
}
