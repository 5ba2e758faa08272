/// What the programs of one user tell each other about their attempts to get a token of an account: that one is under
/// way, how the last ones ended, and how often the user has turned a login away. It holds no secret.
///
/// Attempts have numbers, so that nobody takes the end of an attempt that was over before it came.
public struct AttemptLog: Sendable, Equatable {
  /// How an attempt has ended.
  struct Ended: Sendable, Equatable {
    let number: Int64
    let outcome: AttemptOutcome
  }

  /// How often in a row the user has turned a login away, and when last.
  struct Refusals: Sendable, Equatable {
    let times: Int
    let last: UTCDate
  }

  /// The number of the newest attempt; zero before the first.
  var newest: Int64 = 0
  /// Whether that one has not ended. If its program was killed it never does.
  var isUnderWay = false
  /// The last ones that have ended.
  var ended: [Ended] = []
  var refusals: Refusals?

  /// Enough for whoever was not looking while others came and went.
  static let maximumEnded = 8
  /// How long nobody is asked after the first, the second and later refusals, in seconds.
  static let pauses: [Int64] = [5, 30, 120, 600]

  /// Nothing has happened yet.
  public init() {}

  /// The first attempt whose end concerns a program that has just found another one at work.
  public var awaited: Int64 { isUnderWay ? newest : newest + 1 }

  /// How an attempt that concerns the program has ended: the newest one, if there are more.
  public func outcome(since awaited: Int64) -> AttemptOutcome? {
    ended.last.flatMap { $0.number >= awaited ? $0.outcome : nil }
  }

  /// The next attempt begins.
  public mutating func begin() {
    newest += 1
    isUnderWay = true
  }

  mutating func end(_ outcome: AttemptOutcome) {
    isUnderWay = false
    ended = Array(ended.suffix(Self.maximumEnded - 1))
    ended.append(Ended(number: newest, outcome: outcome))
  }

  /// The user has turned a login away.
  mutating func refuse(at now: UTCDate) {
    refusals = Refusals(times: min((refusals?.times ?? 0) + 1, Self.pauses.count), last: now)
  }

  /// The user has signed in, or wants to.
  mutating func forgetRefusals() { refusals = nil }

  /// For how many seconds more nobody is asked.
  func pause(at now: UTCDate) -> Int64? {
    guard let refusals else { return nil }
    let passed = now.seconds(since: refusals.last)
    let pause = Self.pauses[refusals.times - 1]
    // A refusal in the future is one before the clock was put back.
    return passed >= 0 && passed < pause ? pause - passed : nil
  }
}

/// How an attempt to get a token of an account has ended, as far as that concerns the programs that waited for it.
public enum AttemptOutcome: Sendable, Equatable {
  /// There is a new token in the store.
  case token
  /// Somebody has to sign in, and this program could not ask anybody.
  case needsLogin
  /// It would be the same for everybody, who are told this of it.
  case failed(JSONObject)

  /// Nothing for a failure that is this program's own, such as its deadline or its lack of a display.
  init?(_ failure: Failure, told words: (Failure) -> JSONObject) {
    switch failure {
    case .user(.signInForbidden): self = .needsLogin
    case .user(.cancelled), .user(.loginRequired), .user(.signInPaused), .provider, .network, .untrusted,
      .repeated:
      self = .failed(words(failure))
    case .foreign(let foreign) where foreign.fault.concernsOthers: self = .failed(words(failure))
    case .caller, .user, .resource, .store, .foreign, .defect: return nil
    }
  }
}
