import LoginCore
import LoginWays

/// The text of our page in place of one that cannot be shown.
package struct FailureText {
  package let title: Message
  package let sentence: Message
  /// Facts for experts, such as a fingerprint to compare.
  package var details: [Message] = []

  package init(_ fault: PageFault) {
    switch fault {
    case .offline:
      title = "You are offline"
      sentence = "This computer has no connection to the network. Connect it, then try again."
    case .unknownHost(let host):
      title = "This address does not exist"
      sentence = "No server with the name \(host) was found. The name may be wrong, or the network down."
    case .connection(let host, let reason):
      title = "The page does not answer"
      sentence = "\(host) could not be reached. It may be down for a moment, or your connection may be."
      details = [Message(verbatim: reason)]
    case .tls(let host, let flaws, let fingerprint):
      title = "The connection is not safe"
      sentence =
        "The certificate of \(host) cannot be trusted: \(flaws.message). Somebody may be listening in."
      details = Self.details(host: host, fingerprint: fingerprint)
    case .viewEnded(let end):
      title = "The page has stopped"
      sentence = "The page cannot be shown any more: \(end.message). Nobody was signed in."
    case .refused(let refusal): (title, sentence, details) = Self.text(refusal)
    }
  }

  /// Shown for an address that is not the redirect URI.
  static let wrongAddress: (title: Message, sentence: Message) = (
    "The sign-in led to a wrong address",
    """
    The provider and the application disagree about where it ends. Only the makers of the application can fix that.
    """
  )

  private static func text(_ refusal: PageRefusal) -> (Message, Message, [Message]) {
    switch refusal {
    case .address(let address, let redirectURI):
      let differences = PageRefusal.differences(address, redirectURI)
      return (
        Self.wrongAddress.title, Self.wrongAddress.sentence,
        ["The provider leads to\n\(address)\nThe application waits for\n\(redirectURI)"]
          + (differences.isEmpty ? [] : ["What differs: \(differences.map(\.message).list)"])
      )
    case .password(let host):
      return (
        "This page needs a browser",
        "\(host) asks for a name and a password before it shows a page. This window does not pass them on.",
        []
      )
    case .download(let host, let type):
      return (
        "This is not a page", "\(host) sends a file instead of a page. This window saves no files.",
        [Message(verbatim: type.forDisplay(limit: 80))]
      )
    case .nothing(let host, let status):
      return (
        "There is no page", "\(host) has answered with nothing to show.",
        [Message(verbatim: "HTTP \(status)")]
      )
    case .failed(let host, let status):
      return (
        "The server has failed",
        "\(host) has answered that something is wrong there. It may be better in a moment.",
        [Message(verbatim: "HTTP \(status)")]
      )
    }
  }

  private static func details(host: String, fingerprint: String?) -> [Message] {
    // As one value it stays in one piece in languages that are written from right to left.
    let option = Message(verbatim: "--trust \(host)=CERT.pem")
    let help: Message = "If those who run the server confirm it, this option trusts it: \(option)"
    guard let fingerprint else { return [help] }
    return ["SHA-256 fingerprint of the certificate:\n\(fingerprint)", help]
  }
}

extension PageRefusal.Difference {
  fileprivate var message: Message {
    switch self {
    case .scheme: "the scheme in front"
    case .host: "the host"
    case .port: "the port"
    case .path: "the path"
    case .slash: "the slash at the end"
    case .capitals: "capital letters"
    case .escapes: "characters that are escaped with %"
    }
  }
}
