import Foundation
import Testing

@testable import LoginCore
@testable import tokentry

@Suite("Report")
struct ReportTests {
  /// A row of the contract's table.
  struct Row: Sendable {
    let code: Failure.Code
    let word: String
    let status: Int32
    let origin: Failure.Origin
    let isRetryable: Bool

    init(
      _ code: Failure.Code, _ word: String, _ status: Int32, _ origin: Failure.Origin,
      isRetryable: Bool = false
    ) {
      (self.code, self.word, self.status) = (code, word, status)
      (self.origin, self.isRetryable) = (origin, isRetryable)
    }
  }

  static let rows = [
    Row(.invalidOption, "invalid_option", 2, .caller),
    Row(.invalidConfiguration, "invalid_configuration", 2, .caller),
    Row(.unknownProvider, "unknown_provider", 2, .caller),
    Row(.originNotAllowed, "origin_not_allowed", 2, .caller),
    Row(.cancelled, "cancelled", 3, .user),
    Row(.timeout, "timeout", 4, .user, isRetryable: true),
    Row(.network, "network_error", 5, .network, isRetryable: true),
    Row(.tls, "tls_error", 5, .network),
    Row(.badResponse, "bad_provider_response", 5, .provider),
    Row(.redirectMismatch, "redirect_mismatch", 5, .caller),
    Row(.stateMismatch, "state_mismatch", 6, .provider),
    Row(.stateMissing, "state_missing", 6, .provider),
    Row(.issuerMismatch, "issuer_mismatch", 6, .provider),
    Row(.untrustedMetadata, "untrusted_metadata", 6, .provider),
    Row(.duplicateParameter, "duplicate_parameter", 6, .provider),
    Row(.malformedCallback, "malformed_callback", 6, .provider),
    Row(.missingToken, "missing_token", 6, .provider),
    Row(.unsupportedTokenType, "unsupported_token_type", 6, .provider),
    Row(.invalidIDToken, "invalid_id_token", 6, .provider),
    Row(.invalidAccessToken, "invalid_access_token", 6, .caller),
    Row(.nonceMismatch, "nonce_mismatch", 6, .provider),
    Row(.subjectMismatch, "subject_mismatch", 6, .provider),
    Row(.otherUser, "other_user", 6, .user),
    Row(.noDisplay, "no_display", 7, .tokentry),
    Row(.noUserAgent, "no_user_agent", 7, .tokentry),
    Row(.windowFailed, "window_failed", 7, .tokentry),
    Row(.loginRequired, "login_required", 8, .user),
    Row(.alreadyInProgress, "already_in_progress", 8, .user, isRetryable: true),
    Row(.outputFailed, "output_failed", 9, .caller),
    Row(.storeUnavailable, "store_unavailable", 9, .tokentry),
    Row(.storeLocked, "store_locked", 9, .user),
    Row(.unknownAccount, "unknown_account", 8, .caller),
    Row(.unknownClient, "unknown_client", 9, .caller),
    Row(.internalError, "internal_error", 70, .tokentry),
  ]

  @Test("Each code has the exit status, the origin and the retryability of the contract", arguments: rows)
  func code(_ row: Row) {
    let report = Report(Failure(row.code, "x"))
    #expect(report.status == row.status)
    #expect(report.json["error"] == .string(row.word))
    #expect(report.json["origin"] == .string(row.origin.rawValue))
    #expect(report.json["retryable"] == .bool(row.isRetryable))
  }

  @Test("The table has every code")
  func everyCode() throws {
    let root = (1...4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
    let source = try String(
      contentsOf: root.appending(path: "Sources/LoginCore/Failure/Failure.swift"), encoding: .utf8)
    let words = source.matches(of: /static let \w+ = Self\("(\w+)"/).map { String($0.1) }
    #expect(Set(words) == Set(Self.rows.map(\.word)))
  }

  @Test(
    "A provider's own code ends with status 1, even if we have a code with the same word, unless the user is not signed in"
  )
  func providersCode() {
    for word in ["access_denied", "server_error", "cancelled", "internal_error"] {
      #expect(Failure.Code.provider(word).exitStatus == 1)
    }
    #expect(Failure.Code.provider("login_required").exitStatus == 8)
    #expect(Report(.refusal(code: "server_error")).json["retryable"] == true)
  }

  @Test("The contract's example is written exactly like this")
  func example() {
    let failure = Failure.refusal(
      code: "access_denied", description: "The user or authorization server denied the request.")
    #expect(
      Report(failure).json.text
        == #"{"error":"access_denied","#
        + #""error_description":"The user or authorization server denied the request.","#
        + #""origin":"provider","retryable":false}"#)
  }

  @Test("A provider's error is passed on as it came, with the page that showed it")
  func providersError() {
    let failure = Failure.refusal(
      code: "x\u{1B}", description: "a\nb.é", uri: "https://h.test/?a=/", page: "https://h.test/error")
    #expect(
      Report(failure).json.text
        == #"{"error":"x\u001b","error_description":"a\nb.é","error_uri":"https://h.test/?a=/","#
        + #""origin":"provider","retryable":false,"details":{"uri":"https://h.test/error"}}"#)
  }

  @Test("The hint about a certificate has its fingerprint, and names the variable for authorities")
  func certificate() {
    let hint = Report(.untrustedCertificate("as.test", [.unknownIssuer], fingerprint: "AB")).hint?.description
    #expect(hint?.hasPrefix("--trust as.test=sha256:AB trusts this certificate") == true)
    #expect(hint?.contains("SSL_CERT_FILE") == true)
  }

  @Test("The findings of doctor stand beside the details, and empty details are left out")
  func checks() {
    let findings = [
      Finding("tls", Answer(.failed, "GLib cannot encrypt connections", hint: "install glib-networking")),
      Finding("bus", Answer(.warning, "there is no session bus")),
    ]
    #expect(
      Report(Failure(.noUserAgent, "a", details: ["checks": findings.json])).json.text
        == #"{"error":"no_user_agent","error_description":"a","origin":"tokentry","retryable":false,"#
        + #""checks":[{"name":"tls","state":"failed","message":"GLib cannot encrypt connections","#
        + #""hint":"install glib-networking"},"#
        + #"{"name":"bus","state":"warning","message":"there is no session bus"}]}"#)
    let both = Report(Failure(.tls, "a", details: ["checks": findings.json, "host": "h"]))
    #expect(both.json.map(\.name).suffix(2) == ["details", "checks"])
    #expect(both.json["details"] == ["host": "h"])
  }

  @Test("Text from outside cannot write on a terminal, and is cut")
  func hostileText() {
    let text =
      "a\u{1B}[2J\r\n\u{202E}\u{9B}\u{2066}b\u{2028}" + String(repeating: "c", count: 10_000)
    let failures = [
      Failure(.badResponse, "\(text) and \(text)", hint: "see \(text)"),
      .refusal(code: text, description: text, page: text), .unknownAccount(text, nearest: text),
      .unreachable(text, Message(verbatim: text)), .defect(text),
    ]
    for report in failures.map(Report.init) {
      for message in [report.failure.message, report.hint].compactMap(\.?.description) {
        let scalars = message.unicodeScalars
        #expect(!scalars.contains { $0.isControl || $0.isBidirectionalControl || $0 == "\u{2028}" })
        #expect(scalars.count < 2_500)
      }
      #expect(!report.json.text.unicodeScalars.contains { $0.isControl })
    }
    let long = Message(stringLiteral: String(repeating: "c", count: 10_000))
    #expect(Report(Failure(.badResponse, long)).json["error_description"]?.string?.utf8.count == 2_003)
  }

  @Test("The answer on standard output is one line of JSON, or empty if the caller does not expect JSON")
  func output() {
    let report = Report(.windowClosed)
    #expect(Refusal.json.output(report) == report.json.text + "\n")
    #expect(!report.json.text.contains("\n"))
    #expect(Refusal.silent.output(report) == "")
  }
}
