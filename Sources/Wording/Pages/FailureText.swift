import LoginCore
import LoginWays

/// The text of our page in place of one that cannot be shown.
package struct FailureText {
  package let title: Message
  package let sentence: Message
  /// Facts for experts, such as a fingerprint to compare.
  package var details: [Message] = []

  package init(_ fault: PageFault, for requester: Requester?) {
    switch fault {
    case .offline:
      title = "You're offline"
      sentence = "Check your connection and try again."
    case .unknownHost(let host):
      title = "Server not found"
      sentence = "Couldn't find the server \(host). Check your connection."
    case .connection(let host, let reason):
      title = "Couldn't connect"
      sentence = "\(host) isn't responding. The server or your connection may be down."
      details = [Message(verbatim: reason)]
    case .tls(let host, let flaws, let fingerprint):
      title = "The connection is not safe"
      sentence =
        "The certificate of \(host) cannot be trusted: \(flaws.message). Somebody may be listening in."
      details = Self.details(host: host, fingerprint: fingerprint)
    case .viewEnded(let end):
      title = "The page has stopped"
      sentence = end.sentence
    case .refused(let refusal): (title, sentence, details) = Self.text(refusal, requester)
    }
  }

  /// Shown for an address that is not the redirect URI.
  static func wrongAddress(for requester: Requester?) -> (title: Message, sentence: Message) {
    (
      requester?.application.map { "\($0) is set up incorrectly" } ?? "The application is set up incorrectly",
      """
      The provider returned you to an address that the application doesn't expect. Please report this to the \
      application's developers.
      """
    )
  }

  private static func text(_ refusal: PageRefusal, _ requester: Requester?) -> (Message, Message, [Message]) {
    switch refusal {
    case .address(let address, let redirectURI):
      let differences = PageRefusal.differences(address, redirectURI)
      let (title, sentence) = wrongAddress(for: requester)
      return (
        title, sentence,
        ["Returned to:\n\(address)\nExpected:\n\(redirectURI)"]
          + (differences.isEmpty ? [] : ["Differences: \(differences.map(\.message).list)"])
      )
    case .password(let host):
      return (
        "This page needs a browser",
        "\(host) uses a sign-in method (HTTP authentication) that only works in a browser.",
        []
      )
    case .download(let host, let type):
      return (
        "The server sent a file", "\(host) sent a file instead of a page. Files can't be saved here.",
        [Message(verbatim: type.forDisplay(limit: 80))]
      )
    case .nothing(let host, let status):
      return (
        "The server sent an empty page", "\(host) answered, but sent nothing to show.",
        [Message(verbatim: "HTTP \(status)")]
      )
    case .failed(let host, let status):
      return (
        "The server has a problem",
        "\(host) reported an error. Try again in a few minutes.",
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

extension String {
  /// The places of option names such as --trust, in bytes of UTF-8. They are names to copy, so no line breaks in them.
  package var optionNames: [Range<Int>] {
    let bytes = Array(utf8)
    return bytes.indices.compactMap { start in
      let name = bytes[start...].prefix { $0 == UInt8(ascii: "-") || $0.isLetter }
      let isFirst = start == 0 || bytes[start - 1] != UInt8(ascii: "-")
      return isFirst && name.count > 2 && name.starts(with: "--".utf8) ? start..<name.endIndex : nil
    }
  }
}

extension PageFault.ViewEnd {
  fileprivate var sentence: Message {
    switch self {
    case .memory: "The page used too much memory. You haven't been signed in."
    case .crash: "The page crashed. You haven't been signed in."
    case .silence: "The page stopped responding. You haven't been signed in."
    }
  }
}

extension PageRefusal.Difference {
  fileprivate var message: Message {
    switch self {
    case .scheme: "the scheme"
    case .host: "the host"
    case .port: "the port"
    case .path: "the path"
    case .slash: "the slash at the end"
    case .capitals: "capital letters"
    case .escapes: "characters escaped with %"
    }
  }
}
