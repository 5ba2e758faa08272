import LoginCore
import WindowProtocol

/// The texts with which the user is asked about a certificate, on a page of ours or at the terminal.
package struct CertificateText {
  package let title: Message
  package let sentence: Message
  /// Why the user is asked again, or should be careful.
  package let problem: Message?
  /// The label of the field.
  package let label: Message
  /// Asks for the answer at the terminal.
  package let prompt: Message

  package init(_ question: CertificateQuestion) {
    let host = question.host
    switch question.subject {
    case .choice:
      title = "Choose a certificate"
      sentence = "\(host) asks who you are. Choose the certificate that it gets."
      (label, prompt) = ("", "Number of the certificate (Return alone: none):")
    case .passphrase(let name):
      title = "Enter the passphrase"
      sentence = "\(host) asks for your certificate \(name). The passphrase is used on this computer only."
      (label, prompt) = ("Passphrase", "Passphrase (input is hidden; Return alone: no certificate):")
    case .pin(let name):
      title = "Enter your PIN"
      sentence = "\(host) asks for your certificate \(name). The PIN is used on this computer only."
      (label, prompt) = ("PIN", "PIN (input is hidden; Return alone: no certificate):")
    case .token:
      title = "Insert your card"
      sentence = "\(host) asks for a certificate. Insert the card or token that holds it."
      (label, prompt) = ("", "Press Return when it is there.")
    }
    problem = Self.problem(question)
  }

  private static func problem(_ question: CertificateQuestion) -> Message? {
    let isPIN = if case .pin = question.subject { true } else { false }
    return switch (question.wasWrong, question.tries) {
    case (false, nil): nil
    case (true, nil): isPIN ? "That PIN is wrong." : "That passphrase is wrong."
    case (false, .few?): "There are only a few tries left."
    case (true, .few?): "That PIN is wrong. There are only a few tries left."
    case (false, .last?): "This is the last try. A wrong PIN locks the card."
    case (true, .last?): "That PIN is wrong. This is the last try: another wrong PIN locks the card."
    }
  }

  package static let without: Message = "Continue _Without Certificate"
}
