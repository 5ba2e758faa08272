/// Where the user brings an answer by hand.
public enum PasteMedium: Sendable {
  /// At the terminal from which the program was started.
  case terminal(Terminal)
  /// In a small window, which one of these programs shows.
  case window(candidates: [String], WindowAgent.Presentation)
}
