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
      requester.name.map { "You haven't been signed in. To try again, return to \($0)." }
        ?? "You haven't been signed in. To try again, return to the application.",
      buttons: [Button(Button.close, WindowWords.close)])
    details = [failure.message.text.forDisplay(limit: 300)]
  }
}

extension Question.Button {
  package init(_ id: String, _ label: Message) { self.init(id, label.text) }
}
