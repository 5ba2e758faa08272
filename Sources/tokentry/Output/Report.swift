import Language
import LoginCore

/// A failure as this program reports it: an exit status, and a JSON object for standard output.
struct Report: Sendable {
  let failure: Failure

  init(_ failure: Failure) { self.failure = failure }

  var hint: Message? {
    if case .trustCertificate(let host, isOfWrongDate: false)? = failure.hint,
      let fingerprint = failure.details["fingerprint"]?.string
    {
      return
        "--trust \(host)=sha256:\(fingerprint) trusts this certificate, if the host's owner confirms it; SSL_CERT_FILE names a company's authorities"
    }
    return failure.hint?.words
  }

  var status: Int32 { failure.code.exitStatus }

  /// The error object of the contract, in English.
  var json: JSONObject {
    var details = failure.details
    // The findings of `doctor` stand next to the other members.
    let checks = details["checks"]
    details["checks"] = nil
    return [
      "error": .string(failure.code.description),
      "error_description": .string(
        failure.providerDescription ?? failure.message.description.forDisplay(limit: 2_000)),
      "error_uri": failure.providerURI.map(JSONValue.string), "origin": .string(failure.origin.rawValue),
      "retryable": .bool(failure.isRetryable), "details": details.isEmpty ? nil : .object(details),
      "checks": checks,
    ]
  }
}

extension Failure.Code {
  /// The exit status of the program. It is 1 for the own codes of providers.
  var exitStatus: Int32 {
    switch self {
    case .invalidOption, .invalidConfiguration, .unknownProvider, .originNotAllowed: 2
    case .cancelled: 3
    case .timeout: 4
    case .network, .tls, .badResponse, .redirectMismatch: 5
    case .stateMismatch, .stateMissing, .issuerMismatch, .untrustedMetadata, .duplicateParameter,
      .malformedCallback, .missingToken, .unsupportedTokenType, .invalidIDToken, .invalidAccessToken,
      .nonceMismatch,
      .subjectMismatch, .otherUser:
      6
    case .noDisplay, .noUserAgent, .windowFailed: 7
    case .loginRequired, .unknownAccount, .alreadyInProgress: 8
    case .outputFailed, .storeUnavailable, .storeLocked, .unknownClient: 9
    case .internalError: 70
    // The user is not signed in at the provider, and the request forbade to ask.
    case .provider("login_required"): 8
    default: 1
    }
  }
}

/// How a failure is reported to the program that started this one.
struct Refusal: Sendable {
  /// Returns the text for standard output.
  let output: @Sendable (Report) -> String
  /// True if the failure is printed on standard error.
  var isSaid = true
  /// Replaces the failure's exit status.
  var status: Int32?

  /// The JSON object of the contract.
  static let json = Refusal { $0.json.text + "\n" }
  /// Empty standard output.
  static let silent = Refusal { _ in "" }
}

extension Failure {
  /// The failure for other programs of the user that wait for the same account. It contains no secrets of this run, and
  /// its message and hint are in the user's language.
  var redactedReport: JSONObject {
    func shown(_ message: Message) -> JSONValue { .string(message.text.forDisplay(limit: 1_000)) }
    var report = report
    report["message"] = shown(message)
    report["hint"] = (hint?.words).map(shown)
    return report.redacted
  }
}

extension JSONObject {
  fileprivate var redacted: JSONObject { reduce(into: [:]) { $0[$1.name] = $1.value.redacted } }
}

extension JSONValue {
  fileprivate var redacted: JSONValue {
    switch self {
    case .string(let text): .string(Messages.redacted(text))
    case .array(let elements): .array(elements.map(\.redacted))
    case .object(let object): .object(object.redacted)
    case .null, .bool, .number: self
    }
  }
}
