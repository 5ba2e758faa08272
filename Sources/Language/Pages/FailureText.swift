import Glibc
import LoginCore
import WindowProtocol

/// The text of our page in place of one that cannot be shown.
package struct FailureText {
  package let title: Message
  package let sentence: Message
  /// Facts for experts, such as a fingerprint to compare.
  package var details: [Message] = []
  /// The text for a mail to those who can help: this page in the user's language, and the failure in English.
  package var report: String {
    let facts = "\(failure.code): \(failure.message)"
    return (([title, sentence] + details).map(\.text) + [facts, now?.description ?? ""])
      .joined(separator: "\n") + "\n"
  }
  private let failure: Failure
  private let now: UTCDate?

  /// Creates the text at a time, by default now. `offersBrowser` is true if the user can open the page in the browser. The
  /// caller `trusts` a certificate for each of these hosts.
  package init(
    _ fault: PageFault, for requester: Requester?, offersBrowser: Bool = true, trusts hosts: [String] = [],
    at now: UTCDate? = UTCDate(secondsSince1970: Int64(time(nil)))
  ) {
    (failure, self.now) = (fault.failure, now)
    switch fault {
    case .offline:
      title = "You're offline"
      sentence = "Check your connection and try again."
    case .unknownHost(let host):
      title = "Server not found"
      sentence = "Couldn't find the server \(host). Check your connection."
    // WebKit has no code for this.
    case .connection(let host, let reason) where reason.holds("redirections"):
      title = "Too many redirects"
      sentence = "\(host) keeps redirecting this page."
    // Only the report has the reason.
    case .connection(let host, _):
      title = "Couldn't connect"
      sentence = "\(host) isn't responding. The server or your connection may be down."
    case .tls(let host, let flaws, let fingerprint, let validity):
      title = "Can't connect securely"
      sentence = Self.sentence(host, flaws, validity, now)
      details = Self.details(fingerprint, validity)
      if hosts.contains(PageAddress.bareHost(host)) {
        details += ["Another certificate is trusted for this host."]
      } else if flaws.contains(.unknownIssuer) {
        details += ["If a company's own authority has issued it, SSL_CERT_FILE=FILE makes that known."]
      }
    case .viewEnded(let end):
      title = "The page has stopped"
      sentence = end.sentence
    case .refused(let refusal): (title, sentence, details) = Self.text(refusal, requester, offersBrowser)
    }
  }

  /// Shown for an address that is not the redirect URI.
  static func wrongAddress(for requester: Requester?) -> (title: Message, sentence: Message) {
    (
      requester?.application.map { "\($0) is set up incorrectly" } ?? "The application is set up incorrectly",
      """
      The provider's server sent you to an address that the application doesn't expect. Please report this to the \
      application's developers.
      """
    )
  }

  private static func text(
    _ refusal: PageRefusal, _ requester: Requester?, _ offersBrowser: Bool
  ) -> (Message, Message, [Message]) {
    switch refusal {
    case .address(let address, let redirectURI):
      let differences = PageRefusal.differences(address, redirectURI)
      let (title, sentence) = wrongAddress(for: requester)
      return (
        title, sentence,
        ["Returned to:\n\(address)\nExpected:\n\(redirectURI)"]
          + (differences.isEmpty ? [] : ["What differs: \(differences.map(\.message).list)"])
      )
    case .password(let host):
      let sentence: Message =
        "\(host) uses a sign-in method (HTTP authentication) that only works in a browser."
      return offersBrowser
        ? ("Open this page in a browser", sentence, [])
        : (
          "This page needs a browser",
          "\(sentence) This sign-in can't move there. Please report this to the application's developers.", []
        )
    case .certificate(let host):
      return (
        "This page needs a certificate",
        "\(host) requires a certificate that identifies you. None is set up.",
        []
      )
    case .download(let host, let type):
      return (
        "The server sent a file", "\(host) sent a file instead of a page. Files can't be saved here.",
        [Message(verbatim: type.forDisplay(limit: 80))]
      )
    case .nothing(let host, let status):
      return (
        "Nothing to show", "\(host) sent an empty page.",
        [Message(verbatim: "HTTP \(status)")]
      )
    case .error(let host, let code, let description, _):
      let words = description?.forDisplay(limit: 300) ?? ""
      return (
        "The sign-in was refused",
        words.isEmpty ? "\(host) reports an error and does not explain it." : "\(host) says: \(words)",
        [Message(verbatim: code.forDisplay(limit: 100))]
      )
    case .failed(let host, let status), .rejected(let host, let status):
      return (
        "The server has a problem",
        "\(host) reported an error. Try again in a few minutes.",
        [Message(verbatim: "HTTP \(status)")]
      )
    }
  }

  /// If only the date is wrong, this computer's clock may be the reason.
  private static func sentence(
    _ host: String, _ flaws: [CertificateFlaw], _ validity: ClosedRange<UTCDate>?, _ now: UTCDate?
  ) -> Message {
    switch (flaws, validity, now) {
    case ([.expired], let validity?, let now?):
      "The certificate of \(host) expired on \(validity.upperBound.day). This computer's clock says that today is \(now.day). If that is wrong, set the clock and try again."
    case ([.notYetValid], let validity?, let now?):
      "The certificate of \(host) is not valid before \(validity.lowerBound.day). This computer's clock says that today is \(now.day). If that is wrong, set the clock and try again."
    default:
      "\(host)'s certificate can't be trusted: \(flaws.message). Someone may be trying to intercept your password."
    }
  }

  private static func details(_ fingerprint: String?, _ validity: ClosedRange<UTCDate>?) -> [Message] {
    let days: Message? = validity.map { "Valid from \($0.lowerBound.day) to \($0.upperBound.day)" }
    let digest: Message? = fingerprint.map { "SHA-256 fingerprint of the certificate:\n\($0)" }
    return [days, digest].compactMap(\.self)
  }
}

extension String {
  /// The places of option names such as --trust, in bytes of UTF-8. They are names to copy, so no line breaks in them.
  package var optionNames: [Range<Int>] {
    let bytes = Array(utf8)
    return bytes.indices.compactMap { start in
      let name = bytes[start...].prefix { $0 == UInt8(ascii: "-") || $0.isLetter }
      let isName = name.starts(with: "--".utf8) && name.last?.isLetter == true
      let isWhole = start == 0 || bytes[start - 1] != UInt8(ascii: "-")
      return isName && isWhole ? start..<name.endIndex : nil
    }
  }

  /// The labels of host names, in bytes of UTF-8. A line that is too long breaks between them, because the last ones say
  /// whose host it is. Labels that could be longer than a line of large text are left out.
  package var hostLabels: [Range<Int>] {
    let bytes = Array(utf8)
    let isOfHost = { (byte: UInt8) in byte.isLetter || byte.isDigit || "-.".utf8.contains(byte) }
    let hosts = bytes.split { !isOfHost($0) }.filter { $0.dropLast().contains(UInt8(ascii: ".")) }
    return hosts.flatMap { $0.split(separator: UInt8(ascii: ".")) }.map(\.indices)
      .filter { $0.count <= Self.longestLabel }
  }

  private static let longestLabel = 12
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
