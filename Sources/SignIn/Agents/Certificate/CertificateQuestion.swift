import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Questions about the certificate that a server wants.
extension Question {
  static func choice(of names: [String], for host: String) -> Question {
    let title: Message = "Choose a certificate"
    let sentence: Message = "\(host) asks who you are. Choose the certificate that it gets."
    let prompt: Message = "Number of the certificate (Return alone: none):"
    var question = aboutCertificate(title, sentence, prompt)
    question.choices = names
    return question
  }

  /// `wasWrong` is true if the passphrase given before was wrong.
  static func passphrase(of name: String, for host: String, wasWrong: Bool) -> Question {
    let sentence: Message =
      "\(host) asks for your certificate \(name). The passphrase is used on this computer only."
    let label: Message = "Passphrase"
    let prompt: Message = "Passphrase (input is hidden; Return alone: no certificate):"
    var question = aboutCertificate("Enter the passphrase", sentence, prompt, .proceed)
    question.secret = label.text
    let problem: Message = "That passphrase is wrong."
    if wasWrong { question.problem = problem.text }
    return question
  }

  static func pin(of name: String, for host: String, _ flags: PINFlags) -> Question {
    let sentence: Message =
      "\(host) asks for your certificate \(name). The PIN is used on this computer only."
    let label: Message = "PIN"
    let prompt: Message = "PIN (input is hidden; Return alone: no certificate):"
    var question = aboutCertificate("Enter your PIN", sentence, prompt, .proceed)
    question.secret = label.text
    question.problem = flags.problem?.text
    return question
  }

  /// The token with the certificate is not there.
  static func token(for host: String) -> Question {
    let sentence: Message = "\(host) asks for a certificate. Insert the card or token that holds it."
    let again = Button(Button.again, WindowWords.tryAgain.text)
    return aboutCertificate("Insert your card", sentence, "Press Return when it is there.", again)
  }

  private static func aboutCertificate(
    _ title: Message, _ sentence: Message, _ prompt: Message, _ buttons: Button...
  ) -> Question {
    var question = Question(title.text, sentence.text)
    (question.icon, question.isAboutPage, question.prompt) = (.password, true, prompt.text)
    let without: Message = "Continue _Without Certificate"
    question.buttons = buttons + [Button("without", without.text)]
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
