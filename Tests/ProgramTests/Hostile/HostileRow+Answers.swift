import Foundation
import LoginCore
import TestSupport

/// Metadata: OpenID Connect Discovery section 4.3, RFC 8414 section 3.3.
extension HostileRow {
  private static let path = "/.well-known/openid-configuration"

  static let discovery: [HostileRow] = [
    HostileRow("oidcc-client-test-discovery-openid-config", 0, nil, .keys) { _ in },
    HostileRow("oidcc-client-test-discovery-issuer-mismatch", 6, "issuer_mismatch", .none) {
      $0.metadata["issuer"] = .string($0.base + "/other")
    },
    HostileRow("the issuer twice", 5, "bad_provider_response", .none) {
      $0.answers[path] = .json(#"{"issuer":"\#($0.base)","issuer":"\#($0.base)"}"#)
    },
    HostileRow("metadata in HTML", 5, "bad_provider_response", .none) {
      $0.answers[path] = .html("<h1>Welcome")
    },
    HostileRow("metadata nested too deep", 5, "bad_provider_response", .none) {
      $0.answers[path] = .json(String(repeating: "[", count: 400_000))
    },
    HostileRow("no metadata", 5, "bad_provider_response", .none) {
      $0.answers[path] = StandInServer.Answer(404)
    },
    HostileRow("metadata that break off", 5, "network_error", .none) {
      $0.answers[path] = StandInServer.Answer.json($0.metadata.text).cut
    },
    HostileRow("a token endpoint over plain http", 5, "bad_provider_response", .none) {
      $0.metadata["token_endpoint"] = "http://as.example/token"
    },
    HostileRow("no token endpoint", 2, "invalid_configuration", .none) {
      $0.metadata["token_endpoint"] = nil
    },
    HostileRow(
      "pushed requests only, without an endpoint for them", 2, "invalid_configuration", .none
    ) {
      $0.metadata["require_pushed_authorization_requests"] = true
    },
    HostileRow("oidcc-client-test-discovery-jwks-uri-keys", 0, nil, .token) {
      $0.metadata["jwks_uri"] = .string($0.base + "/other/keys")
      $0.answers["/other/keys"] = .json(ProviderBehavior.keySet([.rsa]))
    },
  ]
}

/// The callback and the pages before it: RFC 6749 sections 4.1.2 and 10.12, RFC 9207 section 2.4.
extension HostileRow {
  static let callback: [HostileRow] = [
    HostileRow(
      "fapi2-security-profile-final-client-test-remove-authorization-response-iss", 6, "issuer_mismatch",
      .callback
    ) { $0.callback["iss"] = nil },
    HostileRow(
      "fapi2-security-profile-final-client-test-invalid-authorization-response-iss", 6, "issuer_mismatch",
      .callback
    ) { $0.callback["iss"] = "https://evil.example" },
    HostileRow("no iss, and metadata that do not announce it", 0, nil, .keys) {
      $0.metadata["authorization_response_iss_parameter_supported"] = nil
      $0.callback["iss"] = nil
    },
    HostileRow(
      "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails", 6,
      "state_mismatch", .callback
    ) { $0.callback["state"] = "other" },
    HostileRow(
      "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails",
      6, "state_missing", .callback
    ) { $0.callback["state"] = nil },
    HostileRow("the code twice", 6, "duplicate_parameter", .callback) {
      $0.callbackEnd = "&code=EVIL"
    },
    HostileRow("a code that has to be encoded", 0, nil, .keys) {
      $0.callback["code"] = "a b+c%2F&d=é"
      if $0.request.path == "/token", !$0.request.body.contains("code=a%20b%2Bc%252F%26d%3D%C3%A9&") {
        $0.answers["/token"] = .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
    },
    HostileRow(
      "login_required after prompt=none", 8, "login_required", .callback, optionsFile(["prompt": "none"])
    ) {
      $0.callback["code"] = nil
      $0.callback["error"] = "login_required"
    },
    HostileRow("a server without S256, which is not asked again without it", 1, "invalid_request", .callback)
    {
      $0.callback["code"] = nil
      $0.callback["error"] = $0.asked["code_challenge_method"] == "S256" ? "invalid_request" : "plain"
    },
    HostileRow("a description with control characters", 1, "server_error", .callback) {
      $0.callback["error"] = "server_error"
      $0.callback["error_description"] = "\u{1B}[2J\r\ntokentry: error: forged\u{0}\u{9B}31m\u{202E}"
    },
    HostileRow("a redirect to a file", 8, "login_required", .callback) {
      $0.answers["/auth"] = .redirect("file:///etc/passwd")
    },
    HostileRow("a redirect to a page over plain http", 5, "bad_provider_response", .callback) {
      $0.answers["/auth"] = .redirect("http://as.example/")
    },
    HostileRow("a page without a form or a link", 8, "login_required", .callback) {
      $0.answers["/auth"] = .html("<h1>Welcome")
    },
    HostileRow("a page that breaks off", 5, "network_error", .callback) {
      $0.answers["/auth"] = StandInServer.Answer.html("<form>").cut
    },
  ]
}

/// The token endpoint: RFC 6749 sections 5.1, 5.2 and 7.1. A code is exchanged once, even after a failure.
extension HostileRow {
  static let token = errors + noAnswers + members

  /// An answer to a plain login.
  private init(_ name: String, _ status: Int32, _ error: String?, answer: StandInServer.Answer) {
    self.init(name, status, error, .token, isPlain: true) { $0.answers["/token"] = answer }
  }

  private static let errors: [HostileRow] = [
    HostileRow(
      "an error with control characters", 1, "server_error",
      answer: .json(
        #"{"error":"server_error","error_description":"\u001b[2J\r\ntokentry: error: forged\u0000"}"#)),
    HostileRow(
      "invalid_target (RFC 8707)", 1, "invalid_target", .token,
      ["--resource", "https://api.example/"]
    ) {
      if $0.request.body.contains("resource=https%3A%2F%2Fapi.example%2F") {
        $0.answers["/token"] = .json(#"{"error":"invalid_target"}"#, status: 400)
      }
    },
  ]

  private static let noAnswers: [HostileRow] = [
    HostileRow(
      "an object nested too deep", 5, "bad_provider_response",
      answer: .json(String(repeating: #"{"a":"#, count: 150_000))),
    HostileRow("a redirect", 5, "bad_provider_response", answer: .redirect("/elsewhere")),
    HostileRow(
      "an answer that breaks off", 5, "network_error",
      answer: StandInServer.Answer.json(#"{"access_token":"T","token_type":"Bearer"}"#).cut),
  ]

  private static let members: [HostileRow] = [
    HostileRow(
      "fapi2-security-profile-final-client-test-token-type-case-insensitivity", 0, nil, .keys
    ) { $0.token["token_type"] = "bEaReR" },
    HostileRow(
      "fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in", 0, nil,
      .keys
    ) { $0.token["expires_in"] = nil },
    HostileRow("oidcc-client-test-client-secret-basic", 0, nil, .keys, secret: "c+d%/é") {
      if $0.request.headers["authorization"] != "Basic Y2xpZW50OmMlMkJkJTI1JTJGJUMzJUE5" {
        $0.token = ["error": "invalid_client"]
      }
    },
    HostileRow("a token with a header field in it", 5, "bad_provider_response", .token) {
      $0.token["access_token"] = "T\r\nX-Evil: 1"
    },
    HostileRow("a type that needs a key", 6, "unsupported_token_type", .token) {
      $0.token["token_type"] = "DPoP"
    },
    HostileRow("no id_token", 6, "missing_token", .token) { $0.sendsIDToken = false },
    HostileRow("an id_token that was not requested", 0, nil, .token, isPlain: true) { _ in },
  ]
}
