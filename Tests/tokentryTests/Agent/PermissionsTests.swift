import GLibSupport
import LoginCore
@testable import Platform
import SignIn
import Synchronization
import TestSupport
import Testing
import WindowProtocol

@testable import tokentry

@Suite("Permissions of an agent")
struct PermissionsTests {
  /// A person who answers questions, and a clock.
  private final class Person: Sendable {
    let answers = Mutex<[PermissionAnswer?]>([])
    let asked = Mutex<[PermissionQuestion]>([])
    let time = Mutex(ContinuousClock.now)
    let isThinking = Mutex(false)

    init(_ answers: PermissionAnswer?...) { self.answers.withLock { $0 = answers } }

    var count: Int { asked.withLock { $0.count } }
    func pass(_ seconds: Int64) { time.withLock { $0 += .seconds(seconds) } }

    @GLibActor
    func permissions(_ policy: Permissions.Policy = .new, patience: Int64 = 60) -> Permissions {
      Permissions(policy, patience: patience, now: { [self] in time.withLock { $0 } }) {
        [self] question async throws(Failure) in
        asked.withLock { $0.append(question) }
        while isThinking.withLock({ $0 }) {
          do throws(CancellationError) { try await pause(for: .milliseconds(5)) } catch { throw .cancelled }
        }
        guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw .noDisplay }
        return answer
      }
    }
  }

  private func subject(
    _ program: String = "git", _ account: String = "work", _ address: String? = "https://a.example"
  )
    -> Permissions.Subject
  {
    let facts = ProcessFacts(executable: "/usr/bin/\(program)", controlGroup: "0::/a")
    guard let account = AccountName(account) else { preconditionFailure("not a name") }
    return Permissions.Subject(AgentRequester([facts], process: 7, own: nil), account, address)
  }

  @GLibActor
  private func refusal(
    _ permissions: Permissions, _ subject: Permissions.Subject, signingIn: Bool = false
  ) async -> Failure.Code? {
    do throws(Failure) {
      try permissions.checkPause(subject)
      try await permissions.check(subject, signingIn: signingIn)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("The program hears whether the person refused, did not answer, or was not asked")
  func reasons() async {
    func message(_ permissions: Permissions) async -> String? {
      do throws(Failure) {
        try await permissions.check(subject())
        return nil
      } catch {
        #expect(error.code == .cancelled && error.hint != nil)
        return error.message.description
      }
    }
    let (refusing, thinking) = (Person(.refuse), Person(.once))
    await onMainLoop {
      let permissions = refusing.permissions()
      #expect(await message(permissions) == "you didn't allow it at home")
      #expect(await message(permissions) == "not asked again for 5 s after a refusal")
      thinking.isThinking.withLock { $0 = true }
      let unanswered = thinking.permissions(patience: 1)
      #expect(await message(unanswered) == "nobody answered the question at home within 1 s")
    }
  }

  @Test("A question says program, account and address, and an answer for once is for once")
  func once() async {
    let person = Person(.once, .once)
    await onMainLoop {
      let permissions = person.permissions()
      #expect(await refusal(permissions, subject()) == nil)
      #expect(await refusal(permissions, subject()) == nil)
    }
    #expect(person.count == 2)
    #expect(
      person.asked.withLock { $0[0] }
        == PermissionQuestion(
          kind: .token, program: "git", account: "work", address: "https://a.example", offersHour: true))
  }

  @Test("An hour is for one program, account and address, and a sign-in is a question all the same")
  func hour() async {
    let person = Person(.hour, .once, .once, .once, .once, .once)
    await onMainLoop {
      let permissions = person.permissions()
      #expect(await refusal(permissions, subject()) == nil)
      #expect(await refusal(permissions, subject()) == nil)
      #expect(person.count == 1)
      for other in [subject("curl"), subject("git", "home"), subject("git", "work", nil)] {
        #expect(await refusal(permissions, other) == nil)
      }
      #expect(person.count == 4)
      #expect(await refusal(permissions, subject(), signingIn: true) == nil)
      #expect(person.count == 5)
      person.pass(3_601)
      #expect(await refusal(permissions, subject()) == nil)
    }
    #expect(person.count == 6)
  }

  @Test("An interpreter whose words are not understood gets no hour")
  func onceOnly() async {
    let person = Person(.hour, .hour)
    var facts = ProcessFacts(executable: "/usr/bin/python3", arguments: ["python3", "-mx", "/a.py"])
    facts.controlGroup = "0::/a"
    await onMainLoop {
      let permissions = person.permissions()
      for _ in 1...2 {
        let requester = AgentRequester([facts], process: 7, own: nil)
        let subject = Permissions.Subject(requester, AccountName("work")!, nil)
        #expect(await refusal(permissions, subject) == nil)
      }
    }
    #expect(person.asked.withLock { $0.map(\.offersHour) } == [false, false])
  }

  @Test("A page is a question for each login, without an hour, and with the policy never it is none")
  func pages() async throws {
    let answer = "https://a.example:8443/?redirect_uri=http%3A%2F%2Flocalhost%3A4000%2F&scope=mail&state="
    let pages = try ["https://b.example/device", answer + "1", answer + "1"].map { try CarriedPage($0) }
    let person = Person(.once, .once, .refuse)
    let facts = ProcessFacts(executable: "/usr/bin/git", controlGroup: "0::/a")
    await onMainLoop {
      let requester = AgentRequester([facts], process: 7, own: nil)
      let permissions = person.permissions()
      person.isThinking.withLock { $0 = true }
      let tasks = pages.map { page in
        GLibActor.task { () -> Failure.Code? in
          do throws(Failure) {
            try await permissions.check(Permissions.Subject(requester, page), opening: page)
            return nil
          } catch {
            return error.code
          }
        }
      }
      person.isThinking.withLock { $0 = false }
      var codes: [Failure.Code?] = []
      for task in tasks { codes.append(await task.value) }
      #expect(codes == [nil, nil, .cancelled])
      #expect(person.permissions(.never).asksNever && !permissions.asksNever)
    }
    let asked = person.asked.withLock(\.self)
    #expect(asked.map(\.kind) == [.page, .answer, .answer] && !asked.contains(where: \.offersHour))
    #expect(asked.map(\.address) == ["b.example", "a.example:8443", "a.example:8443"])
    #expect(asked.map(\.wishes) == [[], [.scope("mail")], [.scope("mail")]])
  }

  @Test("Forgetting ends permissions")
  func forgetting() async {
    let person = Person(.hour, .once)
    await onMainLoop {
      let permissions = person.permissions()
      #expect(await refusal(permissions, subject()) == nil)
      permissions.forgetAll()
      #expect(await refusal(permissions, subject()) == nil)
    }
    #expect(person.count == 2)
  }

  @Test("With never there are no questions, and with always there is one each time, without an hour")
  func policies() async {
    let person = Person(.once, .once)
    await onMainLoop {
      let never = person.permissions(.never)
      #expect(await refusal(never, subject(), signingIn: true) == nil)
      #expect(person.count == 0)
      let always = person.permissions(.always)
      #expect(await refusal(always, subject()) == nil)
      #expect(await refusal(always, subject()) == nil)
    }
    #expect(person.asked.withLock { $0.map(\.offersHour) } == [false, false])
  }

  @Test("A refusal holds for longer each time; asking meanwhile changes nothing, and a permission resets it")
  func refusals() async {
    let person = Person(.refuse, .refuse, .refuse, .refuse, .refuse, .once, .refuse)
    await onMainLoop {
      let permissions = person.permissions()
      for (count, seconds) in [5, 30, 120, 600, 600].enumerated() {
        #expect(await refusal(permissions, subject()) == .cancelled)
        #expect(person.count == count + 1)
        person.pass(Int64(seconds) - 1)
        #expect(await refusal(permissions, subject()) == .cancelled)
        #expect(person.count == count + 1, "asked within the pause")
        person.pass(2)
      }
      #expect(await refusal(permissions, subject()) == nil)
      #expect(await refusal(permissions, subject()) == .cancelled)
      person.pass(6)
      #expect(await refusal(permissions, subject()) == .noDisplay, "the pauses begin anew")
    }
  }

  @Test("A refusal holds for all that a program asks for, and all unnamed programs are one")
  func everything() async {
    let person = Person(.refuse, .once, .refuse)
    await onMainLoop {
      let permissions = person.permissions()
      #expect(await refusal(permissions, subject()) == .cancelled)
      for other in [
        subject("git", "home"), subject("git", "work", "https://b.example"), subject("git", "new", nil),
      ] {
        #expect(await refusal(permissions, other) == .cancelled)
        #expect(await refusal(permissions, other, signingIn: true) == .cancelled)
      }
      #expect(person.count == 1)
      #expect(await refusal(permissions, subject("curl")) == nil, "another program")
      let unnamed = (0..<3).map { number in
        Permissions.Subject(
          AgentRequester([], process: Int32(number), own: nil), AccountName("work\(number)")!, nil)
      }
      for subject in unnamed { #expect(await refusal(permissions, subject) == .cancelled) }
    }
    #expect(person.count == 3)
  }

  @Test("The question about a sign-in says what the program has chosen")
  func wishes() async {
    let person = Person(.once)
    await onMainLoop {
      try? await person.permissions().check(subject(), signingIn: true, wishing: [.scope("admin")])
    }
    #expect(person.asked.withLock { $0.first?.wishes } == [.scope("admin")])
  }

  @Test("A window that cannot be shown is neither a permission nor a refusal")
  func noWindow() async {
    let person = Person(nil, .once)
    await onMainLoop {
      let permissions = person.permissions()
      #expect(await refusal(permissions, subject()) == .noDisplay)
      #expect(await refusal(permissions, subject()) == nil)
    }
  }

  @Test("Twenty programs with the same wish get one question, and other wishes wait for their turn")
  func many() async {
    let person = Person(.once, .refuse)
    person.isThinking.withLock { $0 = true }
    await onMainLoop {
      let permissions = person.permissions()
      let same = (0..<20).map { _ in GLibActor.task { await refusal(permissions, subject()) } }
      try? await pause(for: .milliseconds(50))
      let other = GLibActor.task { await refusal(permissions, subject("curl")) }
      try? await pause(for: .milliseconds(50))
      #expect(person.count == 1)
      person.isThinking.withLock { $0 = false }
      for task in same { #expect(await task.value == nil) }
      #expect(await other.value == .cancelled)
    }
    #expect(person.asked.withLock { $0.map(\.program) } == ["git", "curl"])
  }

  @Test("A refusal counts for the questions of the program that wait for their turn")
  func waiting() async {
    let person = Person(.refuse, .once, .once, .once)
    person.isThinking.withLock { $0 = true }
    await onMainLoop {
      let permissions = person.permissions()
      let tasks = (0..<3).map { number in
        GLibActor.task { await refusal(permissions, subject("git", "work\(number)")) }
      }
      let other = GLibActor.task { await refusal(permissions, subject("curl")) }
      try? await pause(for: .milliseconds(50))
      person.isThinking.withLock { $0 = false }
      for task in tasks { #expect(await task.value == .cancelled) }
      #expect(await other.value == nil)
    }
    #expect(person.asked.withLock { $0.map(\.program) } == ["git", "curl"])
  }

  @Test("A wish that the question could show only in part is refused without one")
  func cut() async {
    let person = Person(.once, .once)
    let long = String(repeating: "openid ", count: 200) + "admin"
    await onMainLoop {
      let permissions = person.permissions()
      for wish in [PermissionQuestion.Wish.scope(long), .issuer("https://a.example." + long)] {
        await #expect(throws: Failure.self) {
          try await permissions.check(subject(), signingIn: true, wishing: [wish])
        }
      }
      #expect(await refusal(permissions, subject("git", "work", long), signingIn: true) == .invalidOption)
      #expect(person.count == 0)
      #expect(await refusal(permissions, subject()) == nil)
      let shown = PermissionQuestion.Wish.scope(String(repeating: "openid ", count: 100) + "admin")
      await #expect(throws: Never.self) {
        try await permissions.check(subject(), signingIn: true, wishing: [shown])
      }
    }
  }

  @Test("A question whose requesters have gone closes, and counts as nothing")
  func gone() async {
    let person = Person(.once)
    person.isThinking.withLock { $0 = true }
    await onMainLoop {
      let permissions = person.permissions()
      let tasks = (0..<2).map { _ in GLibActor.task { await refusal(permissions, subject()) } }
      try? await pause(for: .milliseconds(50))
      tasks[0].cancel()
      #expect(await tasks[0].value == .cancelled)
      tasks[1].cancel()
      #expect(await tasks[1].value == .cancelled)
      person.isThinking.withLock { $0 = false }
      #expect(await refusal(permissions, subject()) == nil, "no pause")
    }
    #expect(person.count == 2)
  }
}
