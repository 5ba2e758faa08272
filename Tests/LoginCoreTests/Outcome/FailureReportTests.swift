import Testing

@testable import LoginCore

/// What every failure is to a program and to a person.
@Suite("FailureReport")
struct FailureReportTests {
  /// One failure and what the contract promises for it.
  struct Row: Sendable, CustomTestStringConvertible {
    let failure: Failure
    let code: String
    let status: Int32
    let origin: String

    init(_ failure: Failure, _ code: String, _ status: Int32, _ origin: String) {
      self.failure = failure
      self.code = code
      self.status = status
      self.origin = origin
    }

    var testDescription: String { "\(code) \(failure)" }
  }

  /// Every case, with the code, the exit status and the origin that the contract gives it.
  static let rows: [Row] = [
    Row(.caller(.invalidOption("a")), "invalid_option", 2, "caller"),
    Row(.caller(.invalidConfiguration("a", hint: "b")), "invalid_configuration", 2, "caller"),
    Row(.caller(.unknownProvider("vkk", nearest: "vk")), "unknown_provider", 2, "caller"),
    Row(.user(.cancelled("the window was closed")), "cancelled", 3, "user"),
    Row(.user(.timeout(seconds: 300)), "timeout", 4, "user"),
    Row(.user(.loginRequired(page: "https://as.test/login")), "login_required", 8, "user"),
    Row(.user(.alreadyInProgress("it is in use")), "already_in_progress", 8, "user"),
    Row(.provider(ProviderError(code: "access_denied")), "access_denied", 1, "provider"),
    Row(.provider(ProviderError(code: "invalid_scope")), "invalid_scope", 1, "provider"),
    Row(.provider(ProviderError(code: "server_error")), "server_error", 1, "provider"),
    Row(.provider(ProviderError(code: "temporarily_unavailable")), "temporarily_unavailable", 1, "provider"),
    Row(.provider(ProviderError(code: "cancelled")), "cancelled", 1, "provider"),
    Row(.network(.offline("no route")), "network_error", 5, "network"),
    Row(.network(.unknownHost("as.test")), "network_error", 5, "network"),
    Row(.network(.connection(host: "as.test", reason: "refused")), "network_error", 5, "network"),
    Row(.network(.timeout(host: "as.test", seconds: 30)), "network_error", 5, "network"),
    Row(.network(.tls(host: "as.test", reason: "expired", fingerprint: "AA")), "tls_error", 5, "network"),
    Row(.network(.tooLarge(host: "as.test", limit: 1)), "bad_provider_response", 5, "provider"),
    Row(.network(.badResponse("html")), "bad_provider_response", 5, "provider"),
    Row(.untrusted(.metadataIssuerMismatch), "issuer_mismatch", 6, "provider"),
    Row(.untrusted(.stateMismatch), "state_mismatch", 6, "provider"),
    Row(.untrusted(.stateMissing), "state_missing", 6, "provider"),
    Row(.untrusted(.issuerMismatch), "issuer_mismatch", 6, "provider"),
    Row(.untrusted(.issuerMissing), "issuer_mismatch", 6, "provider"),
    Row(.untrusted(.duplicateParameter("code")), "duplicate_parameter", 6, "provider"),
    Row(.untrusted(.malformedCallback(reason: "it is long")), "malformed_callback", 6, "provider"),
    Row(.untrusted(.missingToken(["access_token"])), "missing_token", 6, "provider"),
    Row(.untrusted(.unsupportedTokenType("mac")), "unsupported_token_type", 6, "provider"),
    Row(.untrusted(.unboundToken), "unsupported_token_type", 6, "provider"),
    Row(.untrusted(.invalidIDToken(.expired)), "invalid_id_token", 6, "provider"),
    Row(.untrusted(.nonceMismatch), "nonce_mismatch", 6, "provider"),
    Row(.untrusted(.subjectMismatch), "subject_mismatch", 6, "provider"),
    Row(.display(.noUserAgent("a", hint: "b")), "no_user_agent", 7, "tokentry"),
    Row(.display(.noDisplay), "no_display", 7, "tokentry"),
    Row(.display(.windowFailed("a")), "window_failed", 7, "tokentry"),
    Row(.display(.noSandbox("a")), "window_failed", 7, "tokentry"),
    Row(.display(.unfit("a", [Finding("tls", .ok, "it works")])), "no_user_agent", 7, "tokentry"),
    Row(.output(.outputFailed("no space left")), "output_failed", 9, "caller"),
    Row(.user(.signInForbidden(account: "work")), "login_required", 8, "user"),
    Row(.store(.unavailable("no keyring", hint: "b")), "store_unavailable", 9, "tokentry"),
    Row(.store(.unreadable(account: "work", .unknownVersion)), "store_unavailable", 9, "tokentry"),
    Row(.store(.locked), "store_locked", 9, "user"),
    Row(.store(.unknownAccount("wrk", nearest: "work")), "unknown_account", 9, "caller"),
    Row(.installation(.missingLibrary(reason: "a.so")), "internal_error", 70, "tokentry"),
    Row(.defect("a"), "internal_error", 70, "tokentry"),
  ]

  @Test("code, exit status and origin are those of the contract", arguments: rows)
  func contract(row: Row) {
    #expect(row.failure.code == row.code)
    #expect(row.failure.exitStatus == row.status)
    #expect(row.failure.origin == row.origin)
    #expect(row.failure.json["error"] == .string(row.code))
    #expect(row.failure.json["origin"] == .string(row.origin))
  }

  @Test("only what may be different the next time is worth a second try", arguments: rows)
  func retryable(row: Row) {
    let isRetryable = [
      "timeout", "already_in_progress", "server_error", "temporarily_unavailable", "network_error",
    ].contains(
      row.code)
    #expect(row.failure.isRetryable == isRetryable)
    #expect(row.failure.json["retryable"] == .bool(isRetryable))
  }

  @Test("the object has its members in one order", arguments: rows)
  func order(row: Row) {
    let names = ["error", "error_description", "error_uri", "origin", "retryable", "details", "checks"]
    let present = row.failure.json.map(\.name)
    #expect(present == names.filter(present.contains))
    #expect(present.count >= 4)
    #expect(row.failure.json["error_description"]?.string?.isEmpty == false)
  }

  @Test("the contract's example is written as it stands there")
  func example() {
    let error = ProviderError(
      code: "access_denied", description: "The user or authorization server denied the request.")
    #expect(
      Failure.provider(error).json.text
        == "{\"error\":\"access_denied\","
        + "\"error_description\":\"The user or authorization server denied the request.\","
        + "\"origin\":\"provider\",\"retryable\":false}")
  }

  @Test("a provider's error is passed on as it came, with its page")
  func providerError() {
    let error = ProviderError(
      code: "x\u{1B}", description: "a\nb.é", uri: "https://h.test/?a=/", page: "https://h.test/error")
    #expect(
      Failure.provider(error).json.text
        == #"{"error":"x\u001b","error_description":"a\nb.é","error_uri":"https://h.test/?a=/","#
        + #""origin":"provider","retryable":false,"details":{"uri":"https://h.test/error"}}"#)
  }

  @Test("details name what is missing, or what is there twice")
  func details() {
    let missing: JSONValue = ["missing": ["access_token", "user_id"]]
    #expect(Failure.untrusted(.missingToken(["access_token", "user_id"])).json["details"] == missing)
    let malformed = UntrustedAnswer.malformedCallback(reason: "a", missing: ["access_token", "user_id"])
    #expect(Failure.untrusted(malformed).json["details"] == missing)
    #expect(Failure.untrusted(.malformedCallback(reason: "a")).json["details"] == nil)
    #expect(Failure.untrusted(.missingToken([])).json["details"] == nil)
    #expect(Failure.untrusted(.duplicateParameter("co\u{1B}de")).json["details"]?.object?.count == 1)
    #expect(Failure.untrusted(.stateMissing).json["details"] == nil)
    #expect(Failure.caller(.invalidOption("a", hint: "b")).json["details"] == nil)
  }

  @Test("a text for a person is one line without a full stop", arguments: rows)
  func messages(row: Row) {
    let message = row.failure.message
    #expect(!message.isEmpty)
    #expect(!message.hasSuffix("."))
    #expect(!message.hasControlCharacter)
    #expect(message.first?.isUppercase == false)
  }

  @Test(
    "what came from outside cannot write on a terminal",
    arguments: [
      .provider(ProviderError(code: foreign, description: foreign)), .untrusted(.duplicateParameter(foreign)),
      .untrusted(.unsupportedTokenType(foreign)), .caller(.unknownProvider(foreign, nearest: nil)),
    ] as [Failure])
  func foreignText(failure: Failure) {
    #expect(!failure.message.hasControlCharacter)
    #expect(!failure.message.unicodeScalars.contains { $0.isBidirectionalControl })
    #expect(failure.message.utf8.count < 3_000)
  }

  private static let foreign = "a\u{1B}[2J\r\n\u{202E}\u{9B}b" + String(repeating: "c", count: 100_000)

  @Test("a hint is given where there is one")
  func hints() {
    #expect(Failure.caller(.invalidOption("a", hint: "b")).hint == "b")
    #expect(Failure.caller(.invalidOption("a")).hint == nil)
    #expect(Failure.caller(.invalidConfiguration("a", hint: "b")).hint == "b")
    #expect(Failure.display(.noUserAgent("a", hint: "b")).hint == "b")
    #expect(Failure.caller(.unknownProvider("vkk", nearest: "vk")).hint?.contains("vk") == true)
    #expect(Failure.caller(.unknownProvider("vkk", nearest: nil)).hint != nil)
    #expect(Failure.untrusted(.stateMissing).hint == nil)
  }
}
