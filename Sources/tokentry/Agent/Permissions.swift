import GLibSupport
import LoginCore
import SignIn

/// The permissions that the person at home has given to programs, and the questions for more.
@GLibActor
final class Permissions {
  enum Policy: String, CaseIterable, Sendable {
    case never, new, always
  }

  /// Shows a question to the person at home.
  typealias Ask = @GLibActor @Sendable (PermissionQuestion) async throws(Failure) -> PermissionAnswer

  /// One program's interest in one account, for one address.
  struct Subject: Hashable, Sendable {
    let requester: AgentRequester
    let account: String
    /// The address, or nil for any.
    let address: String?

    init(_ requester: AgentRequester, _ account: AccountName, _ address: String?) {
      self.init(requester, account.description, address)
    }

    private init(_ requester: AgentRequester, _ account: String, _ address: String?) {
      (self.requester, self.account, self.address) = (requester, account, address)
    }

    /// The interest in a page, whatever the account.
    init(_ requester: AgentRequester, _ page: CarriedPage) { self.init(requester, "", page.host) }

    var forAnyAddress: Subject { Subject(requester, account, nil) }
  }

  private struct Question: Hashable, Sendable {
    let subject: Subject
    let kind: PermissionQuestion.Kind
    /// The servers that the account is for.
    let servers: [String]
    /// What the program has chosen for a sign-in.
    let wishes: [PermissionQuestion.Wish]
    /// The number of the page. Programs never share the permission to open one, not even for the same address.
    let page: Int?
  }

  private struct Refusal {
    var count = 0
    var end: ContinuousClock.Instant?
  }

  private let policy: Policy
  private let ask: Ask
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The seconds for which a question is shown.
  private let patience: Int64
  private let questions = SharedWork<Question, PermissionAnswer>()
  /// The number of pages that programs wanted to open.
  private var pages = 0
  /// The questions that are shown or wait for their turn.
  private var last: Task<Void, Never>?
  private var allowed: [Subject: ContinuousClock.Instant] = [:]
  /// The refusals by program. A program cannot get around a pause by asking for another account or address.
  private var refusals: [String: Refusal] = [:]

  private static let permissionTime = Duration.seconds(3_600)
  /// The seconds for which refusals hold: the first, the second, and so on.
  private static let pauses: [Int64] = [5, 30, 120, 600]

  nonisolated init(
    _ policy: Policy, patience: Int64 = 60, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    _ ask: @escaping Ask
  ) {
    (self.policy, self.patience, self.now, self.ask) = (policy, patience, now, ask)
  }

  func forgetAll() { allowed = [:] }

  /// True if each token is a question of its own.
  var asksAlways: Bool { policy == .always }

  /// True if the person is never asked.
  var asksNever: Bool { policy == .never }

  /// Refuses a program that was refused a short time ago.
  func checkPause(_ subject: Subject) throws(Failure) {
    guard let end = refusals[subject.requester.group]?.end, case let left = now().duration(to: end),
      left > .zero
    else { return }
    throw .notAskedAgain(for: left.components.seconds + (left.components.attoseconds > 0 ? 1 : 0))
  }

  /// Returns once the person at home has allowed the program to have a token, or to open a page. With the policy `never` it
  /// returns at once; otherwise a sign-in is always a question, and so is a page. The question names the account's `servers`
  /// if the program names no address.
  func check(
    _ subject: Subject, at servers: [String] = [], signingIn: Bool = false,
    wishing wishes: [PermissionQuestion.Wish] = [], opening page: CarriedPage? = nil
  ) async throws(Failure) {
    if policy == .never { return }
    if policy == .new, !signingIn, page == nil, let end = allowed[subject], end > now() { return }
    try checkPause(subject)
    let kind: PermissionQuestion.Kind =
      page.map { $0.visit == nil ? .page : .answer } ?? (signingIn ? .signIn : .token)
    if page != nil { pages += 1 }
    let question = Question(
      subject: subject, kind: kind, servers: servers, wishes: page?.wishes ?? wishes,
      page: page.map { _ in pages })
    let answer = try await questions.value(for: question) { () async throws(Failure) in
      let answer = try await self.answerInTurn(to: question)
      self.note(answer, on: subject)
      return answer
    }
    if answer == .refuse { throw .refusedAtHome }
  }

  /// Waits until no other question is on the screen.
  private func answerInTurn(to question: Question) async throws(Failure) -> PermissionAnswer {
    let before = last
    let task = GLibActor.task { () -> Result<PermissionAnswer, Failure> in
      await before?.value
      if Task.isCancelled { return .failure(.cancelled) }
      do throws(Failure) {
        // The user may have refused the question before this one.
        try self.checkPause(question.subject)
        return .success(try await self.answer(to: question))
      } catch {
        return .failure(error)
      }
    }
    last = GLibActor.task { _ = await task.value }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  private func answer(to question: Question) async throws(Failure) -> PermissionAnswer {
    let (subject, ask) = (question.subject, ask)
    let shown = PermissionQuestion(
      kind: question.kind, program: subject.requester.name, server: subject.requester.server,
      isInContainer: subject.requester.isInContainer, account: subject.account, address: subject.address,
      servers: question.servers, wishes: question.wishes,
      offersHour: policy == .new && question.page == nil && subject.requester.isLasting)
    if shown.isCut { throw .malformed("it is too long to be shown to the user") }
    let task = GLibActor.task { () -> Result<PermissionAnswer, Failure> in
      do throws(Failure) { return .success(try await ask(shown)) } catch { return .failure(error) }
    }
    var isOver = false
    let timer = Source.after(.seconds(patience)) {
      isOver = true
      task.cancel()
    }
    defer { withExtendedLifetime(timer) {} }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if Task.isCancelled { throw .cancelled }
    if isOver {
      note(.refuse, on: subject)
      throw .unanswered(for: patience)
    }
    return try result.get()
  }

  private func note(_ answer: PermissionAnswer, on subject: Subject) {
    let now = now()
    guard answer == .refuse else {
      refusals[subject.requester.group] = nil
      if answer == .hour, subject.requester.isLasting { allowed[subject] = now + Self.permissionTime }
      return
    }
    var refusal = refusals[subject.requester.group] ?? Refusal()
    refusal.end = now + .seconds(Self.pauses[min(refusal.count, Self.pauses.count - 1)])
    refusal.count += 1
    refusals[subject.requester.group] = refusal
    allowed[subject] = nil
  }
}

extension Failure {
  fileprivate static let refusedAtHome = Failure(
    .cancelled, "you didn't allow it at home", hint: "ask again in a while, if it was a mistake")

  fileprivate static func unanswered(for seconds: Int64) -> Failure {
    Failure(
      .cancelled, "nobody answered the question at home within \(seconds) s",
      hint: "the question is on the screen of the machine you came from")
  }

  fileprivate static func notAskedAgain(for seconds: Int64) -> Failure {
    Failure(
      .cancelled, "not asked again for \(seconds) s after a refusal",
      hint: "ask again in a while, if it was a mistake",
      details: ["retry_after": .number(JSONNumber(seconds))])
  }
}
