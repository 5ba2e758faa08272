import GLibSupport
import GnuTLSCrypto
import LoginCore
import SoupNetwork
import WindowProtocol

/// Asks the user a question, and returns the answer.
package typealias QuestionAsker =
  @GLibActor @Sendable (Question) async throws(Failure) -> Question.Answer

/// A place of client certificates that the caller has named.
package enum CertificateSource: Sendable {
  /// A file in PEM or PKCS#12, with its key.
  case file(name: String, [UInt8])
  /// The certificates in PKCS#11 tokens that a URI names.
  case token(uri: String)
}

/// Decides who gets which client certificate. What the user has chosen and entered serves the window and the requests of
/// this program, so that nobody is asked twice.
@GLibActor
package final class CertificateKeeper: ClientIdentity {
  private let sources: [Source]
  private var firstHost: String?
  /// Asks for requests of this program. nil if the user cannot or must not be asked.
  private let ask: QuestionAsker?
  private let refusal: Failure
  private let hide: (String) -> Void
  private let tell: (_ host: String) -> Void
  /// The user's decisions by host.
  private var decisions: [String: Candidate?] = [:]
  private var pin: String?
  /// Ends with the body of ``inTurn(_:)`` that came last.
  private var lastTurn: FirstResult<Void, Never>?

  /// A place, and the host that may have its certificates. nil for the host of the first page.
  package typealias Source = (host: String?, place: CertificateSource)

  /// A certificate that can be used.
  private struct Candidate: Sendable {
    let name: String
    let certificate: ClientCertificate
  }

  /// A certificate that may have to be unlocked first.
  private enum Choice: Sendable {
    case file(name: String, [UInt8])
    case token(TokenCertificate)

    var name: String {
      switch self {
      case .file(let name, _): name
      case .token(let certificate): certificate.name
      }
    }
  }

  /// Throws `refusal` if the user is needed and there is no way to `ask`. The host of each question is passed to `tell`, and
  /// each secret to `hide`.
  package init(
    _ sources: [Source], refusal: Failure,
    tell: @escaping (_ host: String) -> Void, hide: @escaping (String) -> Void, ask: QuestionAsker?
  ) {
    self.sources = sources.map { ($0.host.map(PageAddress.bareHost), $0.place) }
    (self.refusal, self.tell, self.hide, self.ask) = (refusal, tell, hide, ask)
  }

  /// Notes the first page, whose host may have the certificates for which the caller has named no host.
  package func begin(at page: String) {
    if firstHost == nil { firstHost = PageAddress.bareHost(PageAddress(page).host) }
  }

  package func serves(_ host: String) -> Bool { !places(for: PageAddress.bareHost(host)).isEmpty }

  private func places(for host: String) -> [CertificateSource] {
    sources.filter { ($0.host ?? firstHost) == host }.map(\.place)
  }

  package func certificate(for host: String) async throws(Failure) -> TLSCertificate? {
    let unusable = { (error: GLibError) in
      Failure.certificateUnusable(Message(verbatim: error.message.forDisplay(limit: 200)))
    }
    let chosen = try await inTurn { () async throws(Failure) in try await choose(for: host, asking: ask) }
    return switch chosen {
    case nil: nil
    case .file(let pem)?: try failing(TLSCertificate(pem: pem), as: unusable)
    case .token(let uri, let keyURI)?: try failing(TLSCertificate(uri: uri, keyURI: keyURI), as: unusable)
    }
  }

  package func pin(for host: String, _ flags: PINFlags) async throws(Failure) -> String? {
    try await inTurn { () async throws(Failure) in try await pin(for: host, flags, asking: ask) }
  }

  /// Runs `body` after those that came before it: the user sees one question at a time, and the next one when the answer to
  /// this one has arrived.
  package func inTurn<Value: Sendable>(
    _ body: @GLibActor () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let (before, end) = (lastTurn, FirstResult<Void, Never>())
    lastTurn = end
    defer { end.finish(.success(())) }
    _ = await before?.result()
    return try await body()
  }

  /// Returns the certificate for a server, or nil to go on without. Asks the user if several fit, or for a passphrase. Call it
  /// ``inTurn(_:)``.
  package func choose(
    for host: String, asking ask: QuestionAsker?
  ) async throws(Failure) -> ClientCertificate? {
    let host = PageAddress.bareHost(host)
    guard serves(host) else { return nil }
    if let decision = decisions[host] { return decision?.certificate }
    let decision = try await decide(for: host, ask)
    decisions[host] = decision
    return decision?.certificate
  }

  /// Returns the PIN of the token. One that the user has entered before is used again until the token refuses it. Call it
  /// ``inTurn(_:)``.
  package func pin(
    for host: String, _ flags: PINFlags, asking ask: QuestionAsker?
  ) async throws(Failure) -> String? {
    guard serves(host) else { return nil }
    if !flags.wasWrong, let pin { return pin }
    pin = nil
    let name = decisions[PageAddress.bareHost(host)]??.name ?? ""
    pin = try await answer(to: .pin(of: name, for: host, flags), for: host, ask).text
    return pin
  }

  private func answer(
    to question: Question, for host: String, _ ask: QuestionAsker?
  ) async throws(Failure) -> Question.Answer {
    guard let ask else { throw refusal }
    tell(host)
    let answer = try await ask(question)
    if let secret = answer.text { hide(secret) }
    return answer
  }
}

extension CertificateKeeper {
  private func decide(for host: String, _ ask: QuestionAsker?) async throws(Failure) -> Candidate? {
    guard let choice = try await choice(for: host, ask) else { return nil }
    switch choice {
    case .token(let certificate):
      return Candidate(
        name: certificate.name, certificate: .token(uri: certificate.uri, keyURI: certificate.keyURI))
    case .file(let name, let file): return try await unlocked(name, file, for: host, ask)
    }
  }

  /// Returns the only certificate, or the one that the user chooses. If a token is not there, the user may insert it.
  private func choice(for host: String, _ ask: QuestionAsker?) async throws(Failure) -> Choice? {
    var choices = choices(for: host)
    while choices.isEmpty {
      guard ask != nil else { throw .noTokenCertificate }
      guard try await answer(to: .token(for: host), for: host, ask).button == Question.Button.again else {
        return nil
      }
      choices = self.choices(for: host)
    }
    if choices.count == 1 { return choices[0] }
    let question = Question.choice(of: choices.map(\.name), for: host)
    let place = try await answer(to: question, for: host, ask).choice
    return place.flatMap { choices.indices.contains($0) ? choices[$0] : nil }
  }

  private func choices(for host: String) -> [Choice] {
    places(for: host).flatMap { place -> [Choice] in
      switch place {
      case .file(let name, let file): [.file(name: name, file)]
      case .token(let uri): TokenCertificate.all(at: uri).map { .token($0) }
      }
    }
  }

  /// Reads a file, and asks for its passphrase if it needs one.
  private func unlocked(
    _ name: String, _ file: [UInt8], for host: String, _ ask: QuestionAsker?
  ) async throws(Failure) -> Candidate? {
    var passphrase: String?
    while true {
      do throws(CertificateFile.ReadError) {
        let pem = try CertificateFile.pem(file, passphrase: passphrase)
        return Candidate(name: name, certificate: .file(pem: pem))
      } catch {
        guard error == .locked else { throw .certificateUnusable(error.message) }
      }
      let question = Question.passphrase(of: name, for: host, wasWrong: passphrase != nil)
      passphrase = try await answer(to: question, for: host, ask).text
      if passphrase == nil { return nil }
    }
  }
}

extension CertificateFile.ReadError {
  /// The problem, to be read after the name of the option or file.
  package var message: Message {
    switch self {
    case .noCertificate: "the file contains no certificate"
    case .noKey: "there is no private key"
    case .otherKey: "the key belongs to another certificate"
    case .locked: "the key needs a passphrase"
    }
  }
}

extension Failure {
  static func certificateUnusable(_ reason: Message) -> Failure {
    Failure(.invalidConfiguration, "the client certificate cannot be used: \(reason)")
  }

  /// No connected token has the certificate.
  package static let noTokenCertificate = Failure(
    .invalidConfiguration, "no token has the client certificate",
    hint: "insert the card or token; `p11tool --list-tokens` lists those that are there")

  /// The certificate cannot be used without its user.
  package static func certificateNeedsUser(isSilent: Bool) -> Failure {
    isSilent
      ? Failure(.loginRequired, "the client certificate needs its user, who must not be asked")
      : Failure(
        .noUserAgent, "the client certificate needs its user, and there is neither a terminal nor a display")
  }
}
