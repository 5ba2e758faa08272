extension Visit {
  /// Whether a callback ends the visit, or is a stray one that did not come from the page the user sees.
  ///
  /// A frame inside the page may hold anybody's content. What comes from there has to repeat the state, or it is
  /// no answer; what comes from the page itself ends the visit, right or wrong. Where a web view does not tell the
  /// two apart (`mainFrame` is nothing), a callback with the state of another request is a stray one, so that no
  /// frame can end a login with it, and one without any state is not, so that a provider that forgets it is
  /// reported and not waited for.
  public func isAnswered(by callback: Callback, mainFrame: Bool?) -> Bool {
    if mainFrame == true { return true }
    guard let state else { return true }
    // Of what cannot be read one thing is certain: who has not seen the request does not know its state.
    guard let channels = try? callback.channels() else { return mainFrame == nil && callback.repeats(state) }
    let received = [channels.query["state"], channels.fragment["state"]].compactMap(\.self)
    if received.isEmpty { return mainFrame == nil }
    return received.contains { State($0) == state }
  }

  /// The answer in what a browser has brought to this machine, where anybody else can bring something as well:
  /// only what repeats the state is an answer, or says something where there is no state.
  public func callback(brought uri: String) -> Callback? {
    guard case .callback(let callback) = policy.decision(for: Array(uri.utf8)),
      isAnswered(by: callback, mainFrame: false), let answer = try? callback.channels().query,
      state != nil || isForCaller
        || ["code", "error", "access_token", "id_token", "response"].contains(where: { answer[$0] != nil })
    else { return nil }
    return callback
  }
}
