import LoginCore
import WindowProtocol

extension Question {
  /// A question in the user's language.
  package init(
    _ icon: Icon, _ title: Message, _ sentence: Message, problem: Message? = nil, secret: Message? = nil,
    details: [Message] = [], prompt: Message? = nil, buttons: [Button] = []
  ) {
    self.init(title.text, sentence.text)
    (self.icon, self.problem, self.secret) = (icon, problem?.text, secret?.text)
    (self.details, self.prompt, self.buttons) = (details.map(\.text), prompt?.text ?? "", buttons)
  }

  /// Says why a login has failed, after its own window is gone.
  package init(of failure: Failure, for requester: Requester) {
    self.init(
      .warning, failure.code == .timeout ? "Time's up" : EndPageText.failed.title(for: requester),
      Self.sentence(after: failure, for: requester),
      buttons: [Button(Button.close, WindowWords.close), Button(Button.details, WindowWords.copyDetails)])
    // The title already says that the time is up.
    let isUsersTime = failure.code == .timeout && failure.origin == .user
    if !isUsersTime { details = [failure.sentence] }
  }

  private static func sentence(after failure: Failure, for requester: Requester) -> Message {
    switch (requester.name, failure.isPassing) {
    case (let name?, false): "You haven't been signed in. To try again, return to \(name)."
    case (nil, false): "You haven't been signed in. To try again, return to the application."
    case (let name?, true): "You haven't been signed in. Try again in a few minutes: return to \(name)."
    case (nil, true): "You haven't been signed in. Try again in a few minutes: return to the application."
    }
  }

  /// Shown after the last page if the token takes long.
  package static var signingIn: Question {
    Question(.password, "Signing you in…", "The provider is taking longer than usual.")
  }
}

extension Failure {
  /// The failure as a sentence of its own.
  package var sentence: String { message.text.forDisplay(limit: 300).asSentence }

  /// True if it helps to try again in a few minutes.
  package var isPassing: Bool { isRetryable && code != .timeout }
}

extension String {
  /// The message as a sentence of its own. An address or another name at the beginning stays as it is.
  fileprivate var asSentence: String {
    let isWord = prefix { $0 != " " }.allSatisfy { $0.isLetter || "'’".contains($0) }
    return (isWord ? prefix(1).uppercased() + dropFirst() : self) + (hasSuffix(".") ? "" : ".")
  }
}

extension Question.Button {
  package init(_ id: String, _ label: Message) { self.init(id, label.text) }
}
