/// When the token endpoint is asked again while the user signs in on another device, and when no more
/// (RFC 8628 section 3.5).
struct DevicePolling: Sendable {
  /// What comes next.
  enum Step: Sendable, Equatable {
    /// Ask again after so many seconds.
    case wait(seconds: Int64)
    /// Ask no more.
    case end(Failure)
  }

  /// Seconds between two questions.
  private(set) var interval: Int64
  /// Seconds until the codes expire.
  private let lifetime: Int64
  /// Seconds that have passed so far.
  private var passed: Int64 = 0
  /// How often in a row nothing came back.
  private var silences: Int64 = 0

  /// RFC 8628 section 3.5: every `slow_down` adds five seconds, for good.
  private static let slowDown: Int64 = 5
  /// A network that comes back is noticed within a minute.
  private static let longestPause: Int64 = 60

  init(_ authorization: DeviceAuthorization) {
    interval = authorization.interval
    lifetime = authorization.lifetime
  }

  /// The first question, not before the user can have done anything.
  mutating func first() -> Step { pause(interval) }

  /// What follows a question that brought no token, and took so many seconds.
  mutating func next(after failure: Failure, took seconds: Int64 = 0) -> Step {
    passed += max(0, seconds)
    switch failure {
    case .provider(let error) where error.code == "authorization_pending":
      silences = 0
      return pause(interval)
    case .provider(let error) where error.code == "slow_down":
      silences = 0
      interval += Self.slowDown
      return pause(interval)
    case .network(let fault) where fault.isPassing: return pauseAfterSilence()
    case .provider(let error) where error.isTemporary: return pauseAfterSilence()
    default: return .end(failure)
    }
  }

  /// The interval is doubled for every question in a row that nobody answers.
  private mutating func pauseAfterSilence() -> Step {
    silences = min(silences + 1, 6)
    return pause(min(interval << silences, max(interval, Self.longestPause)))
  }

  private mutating func pause(_ seconds: Int64) -> Step {
    guard passed + seconds <= lifetime else {
      return .end(.provider(ProviderError(code: "expired_token", remark: .codeExpired)))
    }
    passed += seconds
    return .wait(seconds: seconds)
  }
}
