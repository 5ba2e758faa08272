import GLibSupport
import LoginCore
import SignIn
import TestSupport
import Testing

@testable import tokentry

@Suite("Keeping a token fresh")
struct TokenKeeperTests {
  @Test(
    "A token is renewed when the reserve is left, but not before half of its life",
    arguments: [
      (kept: 3_600, life: 3_600, isLifeTold: true, at: [3_301, 6_602]), (400, 3_600, true, [101, 3_402]),
      (100, 400, true, [0, 201]), (100, 3_600, false, [0, 3_301]), (500, 500, true, [251, 502]),
      (500, 500, false, [201, 452]), (0, 2, true, [0, 2, 4]), (0, 2, false, [0, 2, 4]),
    ] as [(kept: Int64, life: Int64, isLifeTold: Bool, at: [Int64])])
  func renewal(kept: Int64, life: Int64, isLifeTold: Bool, at times: [Int64]) async {
    let seen = await keep(until: (times.last ?? 0) + 1) { world in
      (world.life, world.end, world.isLifeTold) = (life, kept, isLifeTold)
    }
    #expect(seen.refreshes == times)
    #expect(seen.saved.last?.name == "T\(times.count)" && seen.events == [])
  }

  @Test("A refresh that brings no new id_token is not repeated all the time, nor a request by a wrong clock")
  func sameIdentity() async {
    let seen = await keep(until: 7_200, wantsIdentity: true) { $0.endOfIdentity = 3_600 }
    #expect(seen.attempts.count < 15, "\(seen.attempts)")
    let skewed = await keep(until: 300) { world in
      (world.isLifeTold, world.end, world.skew) = (false, -50, 4_000)
    }
    #expect(skewed.attempts == [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300])
  }

  @Test("A failure is told once and tried again, less and less often, until a token can be saved again")
  func offline() async {
    let seen = await keep(until: 2_000) { world in
      world.end = 400
      world.plan[50] = { $0.failure = .offline }
      world.plan[1_000] = { $0.failure = nil }
    }
    #expect(seen.attempts == [0, 101, 106, 116, 136, 176, 256, 416, 716, 1_016])
    #expect(seen.events == [.problem(.offline), .recovery])
    #expect(seen.saved.map(\.time) == [0, 1_016])
  }

  @Test("Different failures are told, and the same one is told again after a recovery")
  func failures() async {
    let busy = Failure(.provider("temporarily_unavailable"), "busy", isRetryable: true)
    let seen = await keep(until: 4_000) { world in
      world.end = 400
      world.plan[50] = { $0.failure = .offline }
      world.plan[130] = { $0.failure = busy }
      world.plan[170] = { $0.failure = .offline }
      world.plan[300] = { $0.failure = nil }
      world.plan[3_000] = { $0.failure = .offline }
    }
    #expect(
      seen.events == [.problem(.offline), .problem(busy), .recovery, .problem(.offline)])
  }

  @Test("If the user is needed, the provider is left alone until the account has a token again")
  func userNeeded() async {
    let seen = await keep(until: 2_000) { world in
      world.end = 400
      world.plan[50] = { $0.isDead = true }
      world.plan[1_000] = { $0.signIn() }
    }
    #expect(seen.events == [.userNeeded, .recovery])
    #expect(seen.attempts.count == 3 && seen.attempts[1] == 101, "\(seen.attempts)")
    #expect(seen.saved.count == 2 && (1_000...1_030).contains(seen.saved[1].time), "\(seen.saved)")
    #expect(seen.looks == 2, "the token is asked for when the list changes")
  }

  @Test("An account that is forgotten is waited for as well, without a call for the user")
  func forgotten() async {
    let seen = await keep(until: 2_000) { world in
      world.end = 400
      world.plan[50] = { $0.isForgotten = true }
      world.plan[1_000] = {
        $0.isForgotten = false; $0.signIn()
      }
    }
    #expect(seen.events == [.problem(.unknownAccount("work")), .recovery])
    #expect(seen.saved.count == 2 && (1_000...1_030).contains(seen.saved[1].time))
  }

  @Test("A machine that has slept, or whose clock was set, gets a new token within half a minute")
  func clocks() async {
    let asleep = await keep(until: 8_000) { $0.plan[1_000] = { $0.time += 5_000 } }
    #expect(asleep.refreshes.first.map { (6_000...6_030).contains($0) } == true, "\(asleep.refreshes)")
    let setBack = await keep(until: 8_000) { $0.plan[1_000] = { $0.time -= 2_000 } }
    #expect(setBack.attempts.prefix(2) == [0, -1_000], "the source decides whether the token is still good")
  }

  @Test("A token that does not expire is compared with the kept one now and then")
  func endless() async {
    let seen = await keep(until: 2_000) { world in
      world.end = nil
      world.plan[1_000] = { $0.signIn() }
    }
    #expect(seen.saved.map(\.name) == ["T0", "T100"])
    #expect(seen.saved.last.map { (1_000...1_300).contains($0.time) } == true)
    #expect(seen.refreshes == [])
  }

  @Test(
    "A file that has gone is written again, and one that cannot be written is tried again without the provider"
  )
  func files() async {
    let gone = await keep(until: 200) { $0.plan[100] = { $0.isSaved = false } }
    #expect(gone.saved.map(\.name) == ["T0", "T0"] && gone.refreshes == [])
    let full = Failure(.outputFailed, "the disk is full")
    let seen = await keep(until: 4_000) { world in
      world.end = 400
      world.plan[50] = { $0.diskFailure = full }
      world.plan[1_000] = { $0.diskFailure = nil }
    }
    #expect(seen.events == [.problem(full), .recovery])
    #expect(seen.refreshes.first == 101 && seen.refreshes.count == 2, "\(seen.refreshes)")
    #expect(seen.saved[1].name == "T1" && (1_000...1_300).contains(seen.saved[1].time))
  }

  @Test("The first failure ends it unless it may pass; a token that expires soon is saved meanwhile")
  func start() async {
    for failure in [
      Failure.unknownAccount("work"), .boundToken, Failure(.storeUnavailable, "no agent answers"),
    ] {
      let seen = await keep(until: 1_000) { $0.failure = failure }
      #expect(seen.end == failure && seen.saved.isEmpty && seen.events == [], "\(failure)")
    }
    #expect(await keep(until: 1_000) { $0.diskFailure = .boundToken }.end == .boundToken)
    let offline = await keep(until: 60) {
      $0.end = 100; $0.failure = .offline
    }
    #expect(offline.saved.map(\.name) == ["T0"] && offline.events == [.problem(.offline)])
    let dead = await keep(until: 60) {
      $0.end = 100; $0.isDead = true
    }
    #expect(dead.saved.map(\.name) == ["T0"] && dead.events == [.userNeeded])
    let late = await keep(until: 60) {
      $0.end = -5; $0.isDead = true
    }
    #expect(late.saved.isEmpty)
  }

  @Test("An agent's user who refuses ends it")
  func refused() async {
    let refusal = Failure(.cancelled, "refused")
    let seen = await keep(until: 1_000) { world in
      world.end = 400
      world.plan[50] = { $0.failure = refusal }
    }
    #expect(seen.end == refusal)
  }

  /// The observations of a run.
  private struct Seen: Sendable {
    var saved: [(name: String, time: Int64)] = []
    var events: [TokenKeeper.Event] = []
    var attempts: [Int64] = []
    var refreshes: [Int64] = []
    var looks = 0
    var end: Failure?
  }

  /// Runs a keeper until a time. The account has a token that lives for an hour, unless `change` says otherwise.
  private func keep(
    until end: Int64, wantsIdentity: Bool = false, _ change: @escaping @Sendable (World) -> Void
  ) async -> Seen {
    await onMainLoop {
      let world = World(until: end)
      change(world)
      var wish = TokenWish(AccountName("work"))
      wish.needsIdentity = wantsIdentity
      let keeper = TokenKeeper(
        wish, minimumValidity: 300, world, source: { World.Source(world: world, seconds: $0) },
        save: { token throws(Failure) in
          if let failure = world.diskFailure { throw failure }
          world.seen.saved.append((token.accessToken?.revealed() ?? "", world.time))
          world.isSaved = true
        }, isSaved: { world.isSaved }, tell: { world.seen.events.append($0) })
      do throws(Failure) {
        try await keeper.run()
      } catch {
        world.seen.end = error
      }
      return world.seen
    }
  }

  /// A kept account, its provider, and a clock that moves while the keeper waits. All of it is used on one thread.
  private final class World: WallClock, @unchecked Sendable {
    static let start: Int64 = 1_790_000_000
    var time: Int64 = 0
    /// The time at which the kept token expires.
    var end: Int64? = 3_600
    /// The life of a refreshed token.
    var life: Int64 = 3_600
    /// True if the source knows the life of the token, as that of this machine does.
    var isLifeTold = true
    /// The time at which the id_token expires, which no refresh renews.
    var endOfIdentity: Int64?
    /// The seconds by which this machine's clock is ahead of an agent's.
    var skew: Int64 = 0
    var number = 0
    var failure: Failure?
    var diskFailure: Failure?
    /// True if the refresh token is dead.
    var isDead = false
    var isForgotten = false
    var isSaved = false
    /// Events, by their times.
    var plan: [Int64: (World) -> Void] = [:]
    var seen = Seen()
    private let limit: Int64

    init(until limit: Int64) { self.limit = limit }

    func now() -> UTCDate { date(time) }

    func wait(seconds: Int64) async throws(Failure) {
      let target = time + seconds
      var moved = false
      for moment in plan.keys.sorted() where moment <= min(target, limit) {
        time = moment
        plan.removeValue(forKey: moment)?(self)
        moved = moved || time != moment
      }
      if !moved { time = target }
      if time > limit { throw .cancelled }
    }

    func signIn() { (number, isDead, end) = (100, false, end.map { _ in time + life }) }

    func date(_ time: Int64) -> UTCDate {
      UTCDate(secondsSince1970: Self.start + time) ?? { preconditionFailure("too late") }()
    }

    var token: GrantedToken {
      get throws(Failure) {
        let json: JSONObject = [
          "access_token": .string("T\(number)"), "token_type": "Bearer",
          "expires_at": end.map { .string(date($0).description) },
          "id_token": endOfIdentity.map { _ in "I" },
          "claims": endOfIdentity.map { ["exp": .number(JSONNumber(date($0).secondsSince1970))] },
        ]
        guard let name = AccountName("work"), let token = Token(json: json) else { throw .cancelled }
        return GrantedToken(
          account: name, token: token, user: nil, canRefresh: true,
          life: isLifeTold && end != nil ? life : nil)
      }
    }

    struct Source: TokenSource {
      let world: World
      let seconds: Int64

      private var isGood: Bool {
        [world.end, world.endOfIdentity].compactMap(\.self).allSatisfy {
          $0 + world.skew - world.time >= max(1, seconds)
        }
      }

      func token(_ wish: TokenWish) async throws(Failure) -> GrantedToken {
        world.seen.attempts.append(world.time)
        if world.isForgotten { throw .unknownAccount("work") }
        if isGood, world.failure.map({ $0.code == .network }) ?? true { return try world.token }
        if let failure = world.failure { throw failure }
        if world.isDead || world.endOfIdentity.map({ $0 <= world.time }) ?? false {
          throw .signInForbidden(account: "work")
        }
        world.seen.refreshes.append(world.time)
        (world.number, world.end) = (world.number + 1, world.time + world.life)
        return try world.token
      }

      func tokenAtOnce(_ wish: TokenWish, old: Bool) async throws(Failure) -> GrantedToken? {
        if !old { world.seen.looks += 1 }
        return old || isGood ? try world.token : nil
      }

      func accounts() async throws(Failure) -> [JSONObject] {
        if world.isForgotten { return [] }
        return [["account": "work", "expires_at": world.end.map { .string(world.date($0).description) }]]
      }

      func login(_ login: LoginWish, for wish: TokenWish?) async throws(Failure) -> GrantedToken {
        throw .cancelled
      }
      func reject(_ token: AccessToken, for wish: TokenWish, isByAPI: Bool) async throws(Failure) {}
      func noteAcceptance(of account: AccountName) async throws(Failure) {}
      func mayBring(_ stepUp: StepUp, by account: AccountName) async throws(Failure) -> Bool { false }
      func token(
        insteadOf refused: GrantedToken, by remedy: Remedy, for wish: TokenWish
      ) async throws(Failure) -> GrantedToken? { nil }
      func signed(
        _ request: ResourceRequest, with granted: GrantedToken, _ signer: ResourceSigner
      ) async throws(Failure) -> ResourceRequest { request }
      func userinfo(of account: AccountName, forAtLeast seconds: Int64) async throws(Failure) -> JSONObject {
        [:]
      }
    }
  }
}
