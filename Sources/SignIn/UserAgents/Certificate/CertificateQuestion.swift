import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Questions about the certificate that a server wants.
extension Question {
  static func choice(of names: [String], for host: String) -> Question {
    var question = aboutCertificate(
      "Choose a certificate", "Choose the certificate to show to \(host).",
      prompt: "Number of the certificate (Return alone: none):")
    question.choices = names
    return question
  }

  /// `wasWrong` is true if the passphrase given before was wrong.
  static func passphrase(of name: String, for host: String, wasWrong: Bool) -> Question {
    aboutCertificate(
      "Enter the passphrase",
      "\(host) wants your certificate \(name). The passphrase stays on this computer.",
      problem: wasWrong ? "That passphrase is wrong." : nil, secret: "Passphrase",
      prompt: "Passphrase (input is hidden; Return alone: no certificate):", .proceed)
  }

  static func pin(of name: String, for host: String, _ flags: PINFlags) -> Question {
    aboutCertificate(
      "Enter your PIN",
      "\(host) wants your certificate \(name). The PIN stays on this computer.",
      problem: flags.problem, secret: "PIN",
      prompt: "PIN (input is hidden; Return alone: no certificate):", .proceed)
  }

  /// The token with the certificate is not there.
  static func token(for host: String) -> Question {
    aboutCertificate(
      "Insert your card", "\(host) asks for a certificate. Insert the card or token that holds it.",
      prompt: "Type yes when it is there (Return alone: no certificate):",
      Button(Button.again, WindowWords.tryAgain))
  }

  private static func aboutCertificate(
    _ title: Message, _ sentence: Message, problem: Message? = nil, secret: Message? = nil, prompt: Message,
    _ buttons: Button...
  ) -> Question {
    let without = Button("without", "Continue _Without Certificate" as Message)
    var question = Question(
      .password, title, sentence, problem: problem, secret: secret, prompt: prompt,
      buttons: buttons + [without])
    question.isAboutPage = true
    return question
  }
}

extension Question.Button {
  /// The token should be there now.
  static let again = "again"
}

extension PINFlags {
  fileprivate var problem: Message? {
    switch (wasWrong, isLastTry, leavesFewTries) {
    case (false, false, false): nil
    case (true, false, false): "That PIN is wrong."
    case (false, false, true): "There are only a few tries left."
    case (true, false, true): "That PIN is wrong. There are only a few tries left."
    case (false, true, _): "This is the last try. A wrong PIN locks the card."
    case (true, true, _): "That PIN is wrong. This is the last try: another wrong PIN locks the card."
    }
  }
}
