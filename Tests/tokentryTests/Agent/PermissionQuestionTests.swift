import Testing
import WindowProtocol

@testable import tokentry

@Suite("The question for permission")
struct PermissionQuestionTests {
  private static let silence =
    "Without a page: if you are signed in there, the answer comes without a click of yours"
  private static let access =
    "The page can lead to other sites, and the program can keep the access that you give there after its "
    + "connection has ended."

  @Test(
    "It says who asks, for what, and for which address",
    arguments: [
      (
        PermissionQuestion(
          kind: .token, program: "ssh", server: "root@b.test", account: "work", offersHour: true),
        "A program on b.test, over ssh, wants to use your account \"work\". "
          + "While you are connected, others with your login on b.test can do this, too."
      ),
      (
        PermissionQuestion(
          kind: .token, program: "vim", account: "work", address: "https://a.test", offersHour: true),
        "vim wants to use your account \"work\" at https://a.test."
      ),
      (
        PermissionQuestion(
          kind: .token, program: "vim", account: "work", servers: ["https://a.test", "https://b.test"],
          offersHour: true),
        "vim wants to use your account \"work\" at https://a.test, https://b.test."
      ),
      (
        PermissionQuestion(
          kind: .signIn, program: "vim", account: "work", address: "https://a.test", offersHour: true),
        "vim wants to sign in to the account \"work\" at https://a.test as you."
      ),
      (
        PermissionQuestion(
          kind: .signIn, program: "vim", isInContainer: true, account: "work",
          wishes: [.issuer("https://i.test"), .client("c"), .scope("admin\nall")], offersHour: true),
        "vim in a container wants to sign in to the account \"work\" as you. The program asks for: "
          + "Sign-in page: https://i.test Application: c Permissions: admin all"
      ),
      (
        PermissionQuestion(
          kind: .answer, program: "ssh", server: "b.test", account: "", address: "a.test:8443",
          offersHour: false),
        "A program on b.test, over ssh, wants to sign in at a.test:8443 as you. "
          + "While you are connected, others with your login on b.test can do this, too. \(access)"
      ),
      (
        PermissionQuestion(
          kind: .answer, program: "az", account: "", address: "a.test",
          wishes: [.client("c"), .scope("mail offline_access"), .silence], offersHour: false),
        "az wants to sign in at a.test as you. The program asks for: Application: c "
          + "Permissions: mail offline_access \(silence) \(access)"
      ),
      (
        PermissionQuestion(kind: .page, program: "gh", account: "", address: "a.test", offersHour: false),
        "gh wants to open a page at a.test. What you approve there may be for this program."
      ),
      (
        PermissionQuestion(kind: .signIn, program: "a\u{202E}b\n\u{1B}c", account: "work", offersHour: true),
        "ab c wants to sign in to the account \"work\" as you."
      ),
    ] as [(PermissionQuestion, String)])
  func words(_ question: PermissionQuestion, _ words: String) {
    let text = question.page.paragraphs.joined(separator: " ")
    #expect(text.filter { $0 != "\u{2068}" && $0 != "\u{2069}" } == words)
  }

  @Test("A long value does not push the rest out of sight, and its values can be found")
  func long() {
    let long = String(repeating: "x", count: 5_000)
    let paragraphs = PermissionQuestion(
      kind: .token, program: long, server: long, account: long, address: long, offersHour: true
    ).page.paragraphs
    #expect(paragraphs.joined().count < 1_000)
    let values = paragraphs[0].split { $0 == "\u{2068}" || $0 == "\u{2069}" }
    #expect(values.count == 7 && values[5].hasPrefix("xxx") && values[6] == ".", "\(values)")
  }

  @Test(
    "The refusal is the usual button, and an hour is offered only where it is meant",
    arguments: [true, false])
  func buttons(offersHour: Bool) {
    let question = PermissionQuestion(kind: .token, program: "a", account: "b", offersHour: offersHour)
    #expect(question.page.isGuarded)
    #expect(question.page.buttons.map(\.id) == ["refuse", "once"] + (offersHour ? ["hour"] : []))
  }

  @Test(
    "Only a known button allows anything, and an hour only where it was offered",
    arguments: [
      ("once", .once), ("refuse", .refuse), ("hour", .once), ("always", .refuse), ("", .refuse),
      (nil, .refuse),
    ] as [(String?, PermissionAnswer)])
  func answer(button: String?, answer: PermissionAnswer) {
    let question = PermissionQuestion(kind: .token, program: "a", account: "b", offersHour: false)
    #expect(question.answer(button.map { Question.Answer(button: $0) }) == answer)
    #expect(question.answer(Question.Answer(text: "once", choice: 1)) == .refuse)
  }
}
