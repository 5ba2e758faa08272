import GLibSupport
import Language
import LoginCore
import Platform
import SignIn

struct KeepWishes: WishGroup {
  var file: String?
  var isOnce = false

  static let rows = under(
    .keeping,
    [
      text(\.file, "file", .text("FILE"), "the file for the token, yours alone"),
      flag(\.isOnce, "once", "write the file once, and end"),
    ])
}

/// `tokentry keep`: keeps a fresh token in a file, for programs that read one.
///
/// It runs in the background, so it never asks the user to sign in itself. Like ssh-agent(1), it goes on when the program
/// that has started it ends.
final class KeepCommand: Action {
  private static let formats: [OutputFormat] = [.token, .idToken, .header, .json]

  private let shared: Composition
  private let wish: TokenWish
  private let account: AccountName
  private let file: TokenFile
  private let output: OutputFormat
  private let minimumValidity: Int64
  private let isOnce: Bool

  static let options =
    KeepWishes.options + AccountWishes.options("account", "min-valid") + RequestWishes.options("resource")
    + AnswerWishes.options + PlaceWishes.options("store", "trust")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.shared = shared
    account = try wishes.requiredAccountName(for: .keep, shared.cryptography)
    let keep = wishes[KeepWishes.self]
    guard let path = keep.file else { throw .lacks(.keep, Message(verbatim: KeepWishes.flag("file"))) }
    file = TokenFile(try shared.environment.path(path))
    output = wishes.answer.output ?? .token
    guard Self.formats.contains(output) else {
      throw .takes(AnswerWishes.flag("output"), Self.formats.map(\.rawValue).verbatim.list)
    }
    minimumValidity = wishes.account.minimumValidity ?? 300
    isOnce = keep.isOnce
    var wish = TokenWish(account)
    wish.needsIdentity = output == .idToken
    self.wish = wish
  }

  func text() async throws(Failure) -> String {
    try failing(file.prepare()) { Self.failure($0) }
    if isOnce {
      try await keeper().renew()
      return answer
    }
    shared.run.pauseDeadline()
    let end = FirstResult<Void, Failure>()
    let work = GLibActor.task { [self] in
      do throws(Failure) { try await keeper().run() } catch { end.finish(.failure(error)) }
    }
    return try await shared.interruption.taking { _ in
      end.finish(.success(()))
      work.cancel()
      return true
    } _: { () async throws(Failure) in
      try await end.result().get()
      // A refresh that was sent is kept, and the file gets the new token.
      _ = await shared.run.last(of: work, within: .seconds(1))
      return ""
    }
  }

  @GLibActor
  private func keeper() -> TokenKeeper {
    var isAnswered = isOnce
    return TokenKeeper(
      wish, minimumValidity: minimumValidity, shared.clock,
      source: { [shared] seconds in
        var terms = TokenTerms(signIn: SignInOptions())
        (terms.signIn.isSilent, terms.demand.validity) = (true, seconds)
        return shared.tokens(terms)
      },
      save: { [self] token throws(Failure) in
        let text = try text(of: token)
        try failing(file.replace(with: text)) { Self.failure($0) }
        shared.messages.info("a new token is in \(file.path)")
        if !isAnswered { try await StreamedOutput().giveAnswer(answer) }
        isAnswered = true
      },
      isSaved: { [file] in file.isThere }, tell: { [self] in tell($0) })
  }

  private var answer: String { (["file": .string(file.path)] as JSONObject).text + "\n" }

  /// The contents of the file. A reader has no use for the secrets that renew the token, and should not have them.
  private func text(of token: Token) throws(Failure) -> String {
    if output == .json {
      var object = token.json(at: shared.clock.now())
      (object["refresh_token"], object["dpop_jwk"]) = (nil, nil)
      return object.text + "\n"
    }
    let text = try output.text(of: token, at: shared.clock.now(), user: nil)
    return output == .header ? text : String(text.dropLast())
  }

  private func tell(_ event: TokenKeeper.Event) {
    switch event {
    case .problem(let failure):
      shared.messages.warning(
        "\(file.path) gets no new token for now: \(failure.message)", hint: failure.hint)
    case .userNeeded:
      shared.messages.warning(
        "the account \(account.description) needs a new sign-in, before which \(file.path) gets no new token",
        hint: .signInAgain(account: account.description))
      let text = DesktopText.signInNeeded(to: account.description, for: file.path)
      DesktopNotification.show(text.title.text, text.sentence.text)
    case .recovery: shared.messages.tell("\(file.path) has a new token again")
    }
  }

  private static func failure(_ error: FileError) -> Failure {
    let isRefusedByUs = error.systemCode == nil
    return Failure(
      isRefusedByUs ? .invalidConfiguration : .outputFailed,
      "\(KeepWishes.flag("file")): \(error.message)", hint: error.hint)
  }
}
