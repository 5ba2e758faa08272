import Foundation
import GLibSupport
import LoginCore
import SignIn
import Synchronization
import TestSupport
import Testing
import WindowProtocol

@Suite("CertificateKeeper")
struct CertificateKeeperTests {
  private let authority: TestAuthority
  private let anna: TestAuthority.Identity

  init() throws {
    authority = try TestAuthority()
    anna = try authority.identity("anna")
  }

  /// Answers questions in turn, and remembers them.
  private final class User: Sendable {
    private let state: Mutex<(answers: [Question.Answer], questions: [Question], hidden: [String])>

    init(_ answers: [Question.Answer]) { state = Mutex((answers, [], [])) }

    var questions: [Question] { state.withLock { $0.questions } }
    var hidden: [String] { state.withLock { $0.hidden } }

    func hide(_ secret: String) { state.withLock { $0.hidden.append(secret) } }

    func answer(_ question: Question) throws(Failure) -> Question.Answer {
      let answer = state.withLock { state in
        state.questions.append(question)
        return state.answers.isEmpty ? nil : state.answers.removeFirst()
      }
      guard let answer else { throw .windowClosed }
      return answer
    }
  }

  @GLibActor
  private static func keeper(
    _ sources: [CertificateSource], hosts: [String] = [], _ user: User?
  ) -> CertificateKeeper {
    var ask: QuestionAsker?
    if let user { ask = { question throws(Failure) in try user.answer(question) } }
    let named =
      hosts.isEmpty ? sources.map { (nil, $0) } : hosts.flatMap { host in sources.map { (host, $0) } }
    return CertificateKeeper(
      named, refusal: .certificateNeedsUser(isSilent: true), tell: { _ in },
      hide: { user?.hide($0) }, ask: ask)
  }

  private func file(_ name: String, key: String? = nil) throws -> CertificateSource {
    let bytes = { (path: String) in Array(try Data(contentsOf: URL(filePath: path))) }
    return .file(name: name, try anna.pem() + bytes(key ?? anna.key))
  }

  @Test("Only the host of the first page may have the certificate, or only the named hosts")
  func hosts() async throws {
    let source = try file("anna")
    await onMainLoop {
      let keeper = Self.keeper([source], nil)
      #expect(!keeper.serves("a.example"))
      keeper.begin(at: "https://A.example:8443/login?x")
      keeper.begin(at: "https://b.example/")
      #expect(keeper.serves("a.example") && keeper.serves("A.EXAMPLE"))
      #expect(!keeper.serves("b.example") && !keeper.serves("x.a.example") && !keeper.serves(""))
      let named = Self.keeper([source], hosts: ["B.example"], nil)
      named.begin(at: "https://a.example/")
      #expect(named.serves("b.example") && !named.serves("a.example"))
    }
  }

  @Test("A host that may not have the certificate gets none, and the user is not asked")
  func unnamed() async throws {
    let source = try file("anna", key: try authority.locked(anna, "secret"))
    let user = User([Question.Answer(text: "secret")])
    let given = await onMainLoop {
      try? await Self.keeper([source], hosts: ["a.example"], user).choose(for: "b.example", asking: nil)
    }
    #expect(given == nil && user.questions.isEmpty)
  }

  @Test("A passphrase is asked for until it is right, and then never again")
  func passphrase() async throws {
    let source = try file("anna", key: try authority.locked(anna, "secret"))
    let user = User([Question.Answer(text: "wrong"), Question.Answer(text: "secret")])
    let given = await onMainLoop {
      let keeper = Self.keeper([source], hosts: ["a.example"], user)
      let ask: QuestionAsker = { question throws(Failure) in try user.answer(question) }
      return [
        try? await keeper.choose(for: "a.example", asking: ask),
        try? await keeper.choose(for: "a.example", asking: nil),
      ]
    }
    #expect(given.allSatisfy { if case .file? = $0 { true } else { false } }, "\(given)")
    #expect(user.questions.allSatisfy { $0.paragraphs[0].contains("your certificate anna.") })
    #expect(user.questions.map(\.problem) == [nil, "That passphrase is wrong."])
    #expect(user.hidden == ["wrong", "secret"])
  }

  @Test(
    "The user chooses one of several certificates, or none",
    arguments: [
      (Question.Answer(choice: 1), true), (Question.Answer(button: "without"), false),
      (Question.Answer(choice: 2), false), (Question.Answer(choice: -1), false),
    ])
  func choice(answer: Question.Answer, isGiven: Bool) async throws {
    let sources = [try file("anna"), try file("ben")]
    let user = User([answer])
    let given = await onMainLoop {
      let ask: QuestionAsker = { question throws(Failure) in try user.answer(question) }
      return try? await Self.keeper(sources, hosts: ["a"], user).choose(for: "a", asking: ask)
    }
    #expect((given != nil) == isGiven)
    #expect(user.questions.map(\.choices) == [["anna", "ben"]])
  }

  @Test("A PIN is used again until the token refuses it, and the tries that are left are told")
  func pin() async throws {
    let source = try file("anna")
    let user = User([Question.Answer(text: "1"), Question.Answer(text: "2")])
    let pins = await onMainLoop {
      let keeper = Self.keeper([source], hosts: ["a"], user)
      func pin(_ wasWrong: Bool, _ few: Bool = false, _ last: Bool = false) async -> String? {
        try? await keeper.pin(for: "a", PINFlags(wasWrong: wasWrong, leavesFewTries: few, isLastTry: last))
      }
      return [await pin(false), await pin(false), await pin(true, true, true), await pin(true)]
    }
    #expect(pins == ["1", "1", "2", nil])
    #expect(
      user.questions.map(\.problem) == [
        nil, "That PIN is wrong. This is the last try: another wrong PIN locks the card.",
        "That PIN is wrong.",
      ])
  }

  @Test("Hosts that ask at once are answered in turn, and an answer is asked for once")
  func turns() async throws {
    let locked = try file("anna", key: try authority.locked(anna, "secret"))
    let state = Mutex((open: 0, most: 0, all: 0))
    await onMainLoop {
      let keeper = CertificateKeeper(
        ["a", "b"].map { ($0, locked) }, refusal: .noTokenCertificate, tell: { _ in }, hide: { _ in }
      ) { _ throws(Failure) in
        state.withLock { state in
          state = (state.open + 1, max(state.most, state.open + 1), state.all + 1)
        }
        for _ in 1...10 { await Task.yield() }
        state.withLock { $0.open -= 1 }
        return Question.Answer(text: "secret")
      }
      async let first = try? await keeper.certificate(for: "a")
      async let same = try? await keeper.certificate(for: "a")
      async let second = try? await keeper.certificate(for: "b")
      let isGiven = await [first != nil, same != nil, second != nil]
      #expect(isGiven == [true, true, true])
    }
    #expect(state.withLock { $0.most } == 1 && state.withLock { $0.all } == 2)
  }

  @Test("Without a way to ask, a locked file and a missing token are failures")
  func unasked() async throws {
    let locked = try file("anna", key: try authority.locked(anna, "secret"))
    for (source, code) in [
      (locked, "login_required"), (.token(uri: "pkcs11:token=none"), "invalid_configuration"),
    ] {
      let failure: Failure? = await onMainLoop {
        do throws(Failure) {
          _ = try await Self.keeper([source], hosts: ["a"], nil).choose(for: "a", asking: nil)
          return nil
        } catch {
          return error
        }
      }
      #expect(failure?.code.description == code)
    }
  }
}
