/// What has to happen before a kept token may be handed out.
package enum Freshness: Sendable, Equatable {
  /// Nothing: it is good for long enough.
  case good
  /// The provider can renew it without the user.
  case needsRefresh
  /// Somebody has to sign in.
  case needsLogin

  /// How far a clock may have been put back since a token was received before its dates mean nothing. Clocks that
  /// are set over the network move by less, and the seconds gained are fewer than the default of `--min-valid`.
  static let toleratedClockChange: Int64 = 30
}

extension Account {
  /// Whether the token is good for at least `seconds`, by the wall clock alone: an account outlives every
  /// monotonic one.
  ///
  /// Whether a token without an end is good is the account's own opinion unless the caller has one.
  package func freshness(
    at now: UTCDate, forAtLeast seconds: Int64, assumingUnexpired: Bool? = nil
  ) -> Freshness {
    if isGood(at: now, seconds, assumingUnexpired ?? assumesUnexpired) { return .good }
    return canBeRefreshed ? .needsRefresh : .needsLogin
  }

  private func isGood(at now: UTCDate, _ seconds: Int64, _ assumingUnexpired: Bool) -> Bool {
    guard let expiresAt = token.expiresAt else { return assumingUnexpired }
    // A token from the future would seem to live longer than it does, up to for ever.
    guard receivedAt.seconds(since: now) <= Freshness.toleratedClockChange else { return false }
    // One that has just ended is not good even where nothing is demanded.
    return expiresAt.seconds(since: now) >= max(1, seconds)
  }

  /// Whether there is something to refresh with, and somewhere to send it.
  package var canBeRefreshed: Bool {
    refreshToken != nil && (login.provider.endpoints[.token] != nil || login.provider.issuer != nil)
  }
}
