/// What the server of an API wants of another login.
extension Account {
  /// Whether another login may bring what a server wants. It does not if the last one has asked for just that, unless
  /// somebody has to have signed in not so long ago: so nobody is asked again and again for what they cannot give.
  package func mayBring(_ stepUp: StepUp, at now: UTCDate) -> Bool {
    guard login.asks(for: stepUp) else { return true }
    guard case .authentication(_, let maxAge?) = stepUp, let seconds = Int64(maxAge), seconds > 0 else {
      return false
    }
    return now.seconds(since: receivedAt) >= seconds
  }
}
