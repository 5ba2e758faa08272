extension String {
  /// The text in one line for a person: without the control characters and bidirectional controls that a
  /// provider or a page could use to write something else on a terminal, and cut at `limit` characters.
  package func forDisplay(limit: Int = 500) -> String {
    var shown = ""
    var count = 0
    var pendingSpace = false
    for scalar in unicodeScalars {
      if scalar.isControl || scalar == " " || scalar == "\u{2028}" || scalar == "\u{2029}" {
        pendingSpace = !shown.isEmpty
        continue
      }
      if scalar.isBidirectionalControl { continue }
      if count >= limit { return shown + "…" }
      if pendingSpace { shown.unicodeScalars.append(" ") }
      pendingSpace = false
      shown.unicodeScalars.append(scalar)
      count += 1
    }
    return shown
  }
}
