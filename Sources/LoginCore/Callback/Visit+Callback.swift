extension Visit {
  /// Whether a callback ends the visit, or is a stray one that did not come from the page the user sees.
  ///
  /// A frame inside the page may hold anybody's content. What comes from there has to repeat the state, or it is
  /// no answer; what comes from the page itself ends the visit, right or wrong. Where a web view does not tell the
  /// two apart (`mainFrame` is nothing), a callback with the state of another request is a stray one, so that no
  /// frame can end a login with it, and one without any state is not, so that a provider that forgets it is
  /// reported and not waited for.
  package func isAnswered(by callback: Callback, mainFrame: Bool?) -> Bool {
    if mainFrame == true { return true }
    guard let state else { return true }
    guard let channels = try? callback.channels() else { return mainFrame == nil }
    let received = [channels.query["state"], channels.fragment["state"]].compactMap(\.self)
    if received.isEmpty { return mainFrame == nil }
    return received.contains { State($0) == state }
  }
}
