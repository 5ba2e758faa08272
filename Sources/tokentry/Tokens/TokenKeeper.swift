import GLibSupport
import LoginCore
import SignIn

/// Gets a new token before the last one expires, and saves it, for as long as its task runs.
///
/// The first failure ends it, unless the failure may pass or the user can help. After that it goes on whatever happens. It
/// goes by the wall clock and looks at it often, because a timer stands still while the machine sleeps.
@GLibActor
final class TokenKeeper {
  /// News for the user.
  enum Event: Equatable {
    /// There is no new token for now. The same failure is not told again before the next recovery.
    case problem(Failure)
    /// The user has to sign in.
    case userNeeded
    /// A token was saved after a problem.
    case recovery
  }

  /// The seconds between two looks at the clock.
  private static let tick: Int64 = 30
  /// The seconds until the first attempt after a failure, and the most that this time grows to.
  private static let retries: ClosedRange<Int64> = 5...300
  /// The seconds between two looks at the kept account, which cost little and ask no server.
  private static let looks: ClosedRange<Int64> = 1...30
  /// The seconds until a token that does not expire is compared with the kept one.
  private static let lifeWithoutEnd: Int64 = 300

  private let wish: TokenWish
  private let minimumValidity: Int64
  private let clock: any WallClock
  private let source: (_ minimumValidity: Int64) throws(Failure) -> any TokenSource
  private let save: (Token) async throws(Failure) -> Void
  private let isSaved: () -> Bool
  private let tell: (Event) -> Void

  /// The seconds that a token must stay valid: ``minimumValidity``, but at most half of its life.
  private var reserve: Int64
  private var savedToken: Token?
  private var problems: [Event] = []

  /// - Parameters:
  ///   - source: Returns the source of tokens that are good for at least so many seconds, and for which the user is not
  ///     asked.
  ///   - isSaved: Returns false once the saved token has gone.
  init(
    _ wish: TokenWish, minimumValidity: Int64, _ clock: any WallClock,
    source: @escaping (_ minimumValidity: Int64) throws(Failure) -> any TokenSource,
    save: @escaping (Token) async throws(Failure) -> Void, isSaved: @escaping () -> Bool,
    tell: @escaping (Event) -> Void
  ) {
    (self.wish, self.minimumValidity, self.clock, reserve) = (wish, minimumValidity, clock, minimumValidity)
    (self.source, self.save, self.isSaved, self.tell) = (source, save, isSaved, tell)
  }

  /// Runs until its task is cancelled.
  func run() async throws(Failure) {
    var retry = Self.retries.lowerBound
    var isFirst = true
    while true {
      do throws(Failure) {
        let seconds = try await renew()
        if !problems.isEmpty { tell(.recovery) }
        (problems, retry) = ([], Self.retries.lowerBound)
        try await wait(seconds: seconds) { [isSaved] in isSaved() }
      } catch {
        if error.code == .cancelled || error.code == .internalError { throw error }
        if isFirst {
          guard error.mayPass else { throw error }
          try? await saveOldToken()
        }
        note(error.code == .loginRequired ? .userNeeded : .problem(error))
        if [.loginRequired, .unknownAccount].contains(error.code) {
          try await waitForSignIn()
        } else {
          try await wait(seconds: retry)
          retry = min(2 * retry, Self.retries.upperBound)
        }
      }
      isFirst = false
    }
  }

  /// Gets a token, and saves it if it is a new one. Returns the seconds until it has to be renewed.
  @discardableResult
  func renew() async throws(Failure) -> Int64 {
    let granted = try await source(reserve).token(wish)
    let token = granted.token
    let saved = savedToken
    if saved.map({ secret(of: $0) != secret(of: token) }) ?? true || !isSaved() { try await save(token) }
    savedToken = token
    guard let left = secondsLeft(of: token) else { return Self.lifeWithoutEnd }
    // An agent does not say how long a token lives. A token that was kept before and is good for long enough has lived
    // longer than that; any other has just been refreshed, so the rest is its whole life. The life of an id_token counts as
    // unknown, because a refresh may bring the same one again, and must not be repeated every second.
    let told = wish.needsIdentity ? nil : granted.life
    let life = told ?? (saved == nil && left >= minimumValidity ? .max : left)
    reserve = max(1, min(minimumValidity, life / 2, left))
    // An agent's token may have expired by a wrong clock of this machine.
    return left > 0 ? left - reserve + 1 : Self.tick
  }

  /// Saves the kept token although it expires soon. That is better than no token.
  private func saveOldToken() async throws(Failure) {
    guard let token = try await source(reserve).tokenAtOnce(wish, old: true)?.token,
      secondsLeft(of: token).map({ $0 > 0 }) ?? true
    else { return }
    try await save(token)
    savedToken = token
  }

  /// Looks at the kept account until it has a token that is good for long enough. A new sign-in changes what is listed
  /// about the account; only then is its token asked for, since an agent may ask the provider for it.
  private func waitForSignIn() async throws(Failure) {
    var pause = Self.looks.lowerBound
    var seen: JSONObject?
    while true {
      try await wait(seconds: pause)
      pause = min(2 * pause, Self.looks.upperBound)
      do throws(Failure) {
        let source = try source(reserve)
        let name = wish.account?.description
        guard let account = try await source.accounts().first(where: { $0["account"]?.string == name }),
          account != seen
        else { continue }
        seen = account
        if let token = try await source.tokenAtOnce(wish, old: false)?.token,
          secondsLeft(of: token).map({ $0 >= reserve }) ?? true
        {
          return
        }
      } catch {
        if error.code == .cancelled { throw error }
        note(.problem(error))
      }
    }
  }

  /// Tells each event once until the next recovery. Failures that differ only in their values are the same.
  private func note(_ event: Event) {
    let isKnown = problems.contains { known in
      switch (known, event) {
      case (.problem(let old), .problem(let new)):
        old.code == new.code && old.message.pattern == new.message.pattern
      default: known == event
      }
    }
    if isKnown { return }
    problems.append(event)
    tell(event)
  }

  /// Waits for that long by the wall clock, or until the clock was set back, or the condition no longer holds.
  private func wait(seconds: Int64, while condition: () -> Bool = { true }) async throws(Failure) {
    let start = clock.now()
    while case let passed = clock.now().seconds(since: start), (0..<seconds).contains(passed), condition() {
      try await clock.wait(seconds: min(Self.tick, seconds - passed))
    }
    if Task.isCancelled { throw .cancelled }
  }

  private func secret(of token: Token) -> String? {
    wish.needsIdentity ? token.idToken : token.accessToken?.revealed()
  }

  /// The seconds until the end of the token, or of the id_token if that is wanted. nil if it does not expire.
  private func secondsLeft(of token: Token) -> Int64? {
    let end = wish.needsIdentity ? token.endOfIdentity ?? token.expiresAt : token.expiresAt
    return end?.seconds(since: clock.now())
  }
}

extension Failure {
  /// True if a later attempt may succeed without a change of the command line.
  fileprivate var mayPass: Bool {
    isRetryable || [.network, .tls, .badResponse, .loginRequired].contains(code)
  }
}
