import LoginCore
import LoginWays

/// What a page of ours says in place of one that is not there.
package struct FailureText {
  package let title: Sentence
  package let sentence: Sentence
  /// What only some readers need, such as a fingerprint to compare.
  package var details: [Sentence] = []

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
      details = [Sentence(verbatim: reason)]
    case .tls(let host, let flaws, let fingerprint):
      title = "The connection is not safe"
      sentence =
        "The certificate of \(host) cannot be trusted: \(flaws.words). Somebody may be listening in."
      details = Self.details(host: host, fingerprint: fingerprint)
    case .viewEnded(let end):
      title = "The page has stopped"
      sentence = "The page cannot be shown any more: \(end.words). Nobody was signed in."
    case .refused(let refusal): (title, sentence, details) = Self.text(refusal)
    }
  }

  /// What is said of an address that is not the redirect URI.
  static let wrongAddress: (title: Sentence, sentence: Sentence) = (
    "The sign-in led to a wrong address",
    """
    The provider and the application disagree about where it ends. Only the makers of the application can fix that.
    """
  )

  private static func text(_ refusal: PageRefusal) -> (Sentence, Sentence, [Sentence]) {
    switch refusal {
    case .address(let address, let redirectURI):
      let differences = PageRefusal.differences(address, redirectURI)
      return (
        Self.wrongAddress.title, Self.wrongAddress.sentence,
        ["The provider leads to\n\(address)\nThe application waits for\n\(redirectURI)"]
          + (differences.isEmpty ? [] : ["What differs: \(differences.words)"])
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
        [Sentence(verbatim: type.forDisplay(limit: 80))]
      )
    case .nothing(let host, let status):
      return (
        "There is no page", "\(host) has answered with nothing to show.",
        [Sentence(verbatim: "HTTP \(status)")]
      )
    case .failed(let host, let status):
      return (
        "The server has failed",
        "\(host) has answered that something is wrong there. It may be better in a moment.",
        [Sentence(verbatim: "HTTP \(status)")]
      )
    }
  }

  private static func details(host: String, fingerprint: String?) -> [Sentence] {
    // A value stays in one piece where the sentence runs from right to left.
    let option = Sentence(verbatim: "--trust \(host)=CERT.pem")
    let help: Sentence = "If those who run the server confirm it, this option trusts it: \(option)"
    guard let fingerprint else { return [help] }
    return ["SHA-256 fingerprint of the certificate:\n\(fingerprint)", help]
  }
}
