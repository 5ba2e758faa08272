@testable import LoginCore

extension Room {
  /// Failures with foreign texts in them: the number of a failure in the first byte, and texts in lines.
  static let failures = Room(name: "failures", longest: 512) { bytes in
    guard let kind = bytes.first else { return }
    var input = Input(Array(bytes.dropFirst()))
    let (a, b) = (input.text(), input.text())
    let rest = input.remainder.text
    checkText(of: kinds[Int(kind) % kinds.count](a, b, rest))
  }

  /// The failures whose sentences contain foreign texts.
  private static let kinds: [@Sendable (String, String, String) -> Failure] = [
    { .refusal(code: $0, description: $1, uri: $2) },
    { .refusal(code: $0, description: $1, page: $2) },
    { Failure.refusal(code: $0, description: $1, uri: $2).remarkingMissingSecret },
    { a, _, _ in .unknownHost(a) },
    { a, b, _ in .unreachable(a, "\(b)") },
    { .untrustedCertificate($0, Message(verbatim: $1), fingerprint: $2) },
    { a, b, _ in .insecureConnection(a, Message(verbatim: b)) },
    { a, _, _ in .notText(a, from: .token) },
    { a, _, _ in .notOAuth(Message(verbatim: a)) },
    { a, b, _ in .uselessMember(a, at: b) },
    { a, _, _ in .duplicateParameter(a) },
    { a, b, _ in .missingToken([a, b]) },
    { a, _, _ in .unsupportedTokenType(a) },
    { a, b, _ in .malformedCallback("it lacks \([a, b].verbatim.list)") },
    { a, b, _ in .invalidIDToken("it lacks \([a, b].verbatim.list)") },
    { a, _, _ in .header(a, "this is not a header name") },
    { a, b, _ in .missingVariable(a, meaning: b) },
    { a, _, _ in .originNotAllowed(a) },
    { a, _, _ in .noAuthorizationServer(a) },
    { a, _, _ in .otherResource(a) },
    { a, b, _ in .unknownAccount(a, nearest: b) },
    { a, _, _ in .unknownClient(of: a) },
    { a, b, _ in .unreadableAccount(a, Message(verbatim: b)) },
    { a, _, _ in .storeUnavailable("the keyring cannot be used: \(a)") },
    { a, _, _ in .loginRequired(page: a) },
    { a, _, _ in .signInForbidden(account: a) },
    { a, _, _ in .signInPaused(account: a, seconds: 1) },
    { a, _, _ in .alreadyInProgress(account: a) },
    { a, _, _ in .defect(a) },
    { a, b, c in Failure(.invalidOption, "\(a): \(b)", hint: "did you mean \(c)?") },
    { _, _, c in
      let report = (try? JSONReader.read(c.bytes))?.object
      return report.flatMap { Failure(report: $0) } ?? .defect(c)
    },
  ]
}
