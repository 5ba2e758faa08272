/// What the contract promises of a failure whatever else is said of it: a code, an exit status, on whose side it lies,
/// and whether the same request may succeed if it is simply made again.
package struct Verdict: Sendable, Equatable {
  package let code: String
  package let status: Int32
  package let origin: Origin
  package let isRetryable: Bool

  /// On whose side a failure lies.
  package enum Origin: String, Sendable {
    case provider, user, caller, network, tokentry
  }

  init(_ code: String, _ status: Int32, _ origin: Origin, isRetryable: Bool = false) {
    (self.code, self.status, self.origin, self.isRetryable) = (code, status, origin, isRetryable)
  }

  static let invalidOption = Verdict("invalid_option", 2, .caller)
  static let invalidConfiguration = Verdict("invalid_configuration", 2, .caller)
  static let unknownProvider = Verdict("unknown_provider", 2, .caller)
  static let originNotAllowed = Verdict("origin_not_allowed", 2, .caller)
  static let cancelled = Verdict("cancelled", 3, .user)
  static let timeout = Verdict("timeout", 4, .user, isRetryable: true)
  static let loginRequired = Verdict("login_required", 8, .user)
  static let alreadyInProgress = Verdict("already_in_progress", 8, .user, isRetryable: true)
  static let network = Verdict("network_error", 5, .network, isRetryable: true)
  static let tls = Verdict("tls_error", 5, .network)
  static let badResponse = Verdict("bad_provider_response", 5, .provider)
  static let redirectMismatch = Verdict("redirect_mismatch", 5, .caller)
  package static let noUserAgent = Verdict("no_user_agent", 7, .tokentry)
  package static let noDisplay = Verdict("no_display", 7, .tokentry)
  static let windowFailed = Verdict("window_failed", 7, .tokentry)
  static let outputFailed = Verdict("output_failed", 9, .caller)
  package static let storeUnavailable = Verdict("store_unavailable", 9, .tokentry)
  static let storeLocked = Verdict("store_locked", 9, .user)
  static let unknownAccount = Verdict("unknown_account", 9, .caller)
  static let unknownClient = Verdict("unknown_client", 9, .caller)
  static let internalError = Verdict("internal_error", 70, .tokentry)

  /// An answer that is none of OAuth.
  static func badResponse(isRetryable: Bool) -> Verdict {
    Verdict(badResponse.code, badResponse.status, badResponse.origin, isRetryable: isRetryable)
  }

  /// An answer that must not be trusted.
  static func untrusted(_ code: String) -> Verdict { Verdict(code, 6, .provider) }

  /// What a provider or an API says itself.
  static func refusal(_ code: String, _ status: Int32 = 1, isRetryable: Bool) -> Verdict {
    Verdict(code, status, .provider, isRetryable: isRetryable)
  }
}
