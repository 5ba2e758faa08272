import Foundation
import LoginCore
import TestSupport

/// What comes back with the user: RFC 6749 sections 4.1.2 and 10.12, RFC 9207 section 2.4.
extension HostileRow {
  static let callback = issuer + state + content

  private static let issuer: [HostileRow] = [
    HostileRow(
      "fapi2-security-profile-final-client-test-remove-authorization-response-iss", 6, "issuer_mismatch",
      .callback
    ) { $0.callback["iss"] = nil },
    HostileRow(
      "fapi2-security-profile-final-client-test-invalid-authorization-response-iss", 6, "issuer_mismatch",
      .callback
    ) { $0.callback["iss"] = "https://evil.example" },
    HostileRow("an iss with a slash at its end", 6, "issuer_mismatch", .callback) {
      $0.callback["iss"] = $0.base + "/"
    },
    HostileRow("an iss in capitals", 6, "issuer_mismatch", .callback) {
      $0.callback["iss"] = $0.base.uppercased()
    },
    HostileRow("an iss that is encoded twice", 6, "issuer_mismatch", .callback) {
      $0.callback["iss"] = $0.base.replacingOccurrences(of: "127", with: "%3127")
    },
    HostileRow("an empty iss", 6, "issuer_mismatch", .callback) { $0.callback["iss"] = "" },
    HostileRow("iss twice", 6, "duplicate_parameter", .callback) {
      $0.callbackEnd = "&iss=https%3A%2F%2Fevil.example"
    },
    HostileRow("iss in the fragment as well", 6, "issuer_mismatch", .callback) {
      $0.callbackEnd = "#iss=https%3A%2F%2Fevil.example"
    },
    HostileRow("an iss that was not announced", 0, nil, .keys) {
      $0.metadata["authorization_response_iss_parameter_supported"] = nil
    },
    HostileRow("no iss, and none announced", 0, nil, .keys) {
      $0.metadata["authorization_response_iss_parameter_supported"] = nil
      $0.callback["iss"] = nil
    },
    HostileRow("another iss that was not announced", 6, "issuer_mismatch", .callback) {
      $0.metadata["authorization_response_iss_parameter_supported"] = nil
      $0.callback["iss"] = "https://evil.example"
    },
    HostileRow("an error from another iss", 6, "issuer_mismatch", .callback) {
      $0.callback = [
        "error": "access_denied", "state": $0.asked["state"] ?? "", "iss": "https://evil.example",
      ]
    },
    HostileRow("an error without iss", 6, "issuer_mismatch", .callback) {
      $0.callback = ["error": "access_denied", "state": $0.asked["state"] ?? ""]
    },
  ]

  private static let state: [HostileRow] = [
    HostileRow(
      "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails", 6,
      "state_mismatch", .callback
    ) { $0.callback["state"] = "other" },
    HostileRow(
      "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails",
      6, "state_missing", .callback
    ) { $0.callback["state"] = nil },
    HostileRow("an empty state", 6, "state_missing", .callback) { $0.callback["state"] = "" },
    HostileRow("the state and a zero byte", 6, "state_mismatch", .callback) { $0.callback["state"]? += "\0" },
    HostileRow("half of the state", 6, "state_mismatch", .callback) {
      $0.callback["state"] = $0.callback["state"].map { String($0.prefix($0.count / 2)) }
    },
    HostileRow("the state in the fragment", 6, "state_missing", .callback) {
      $0.callbackEnd = "#state=\($0.callback["state"] ?? "")"
      $0.callback["state"] = nil
    },
    HostileRow("the state twice", 6, "duplicate_parameter", .callback) {
      $0.callbackEnd = "&state=\($0.callback["state"] ?? "")"
    },
    HostileRow("an error with another state", 6, "state_mismatch", .callback) {
      $0.callback = ["error": "access_denied", "state": "other", "iss": $0.base]
    },
    HostileRow("an error without state", 1, "access_denied", .callback) {
      $0.callback = ["error": "access_denied", "iss": $0.base]
    },
  ]

  private static let content: [HostileRow] = [
    HostileRow("the user says no", 1, "access_denied", .callback) {
      $0.callback["code"] = nil
      $0.callback["error"] = "access_denied"
    },
    HostileRow(
      "nobody is signed in, and nobody may be asked", 1, "login_required", .callback, ["--prompt", "none"]
    ) {
      $0.callback["code"] = nil
      $0.callback["error"] = "login_required"
    },
    HostileRow(
      "a server that says it does not know S256, which is not asked without it", 1, "invalid_request",
      .callback
    ) {
      $0.callback["code"] = nil
      $0.callback["error"] = $0.asked["code_challenge_method"] == "S256" ? "invalid_request" : "plain"
    },
    HostileRow("an error and a code", 1, "server_error", .callback) { $0.callback["error"] = "server_error" },
    HostileRow("an error that is not text", 6, "malformed_callback", .callback) {
      $0.callback["error"] = "x\u{1B}[2J"
    },
    HostileRow("a description that speaks to the terminal", 1, "server_error", .callback) {
      $0.callback["error"] = "server_error"
      $0.callback["error_description"] = "\u{1B}[2J\r\ntokentry: error: forged\u{0}\u{9B}31m\u{202E}"
    },
    HostileRow("the code twice", 6, "duplicate_parameter", .callback) { $0.callbackEnd = "&code=EVIL" },
    HostileRow("the code twice, under another spelling", 6, "duplicate_parameter", .callback) {
      $0.callbackEnd = "&c%6Fde=EVIL"
    },
    HostileRow("something unknown twice", 6, "duplicate_parameter", .callback) {
      $0.callbackEnd = "&x=1&x=1"
    },
    HostileRow("something unknown", 0, nil, .keys) { $0.callback["foo"] = "1" },
    HostileRow("no code", 6, "malformed_callback", .callback) { $0.callback["code"] = nil },
    HostileRow("an empty code", 6, "malformed_callback", .callback) { $0.callback["code"] = "" },
    HostileRow("a code with a line feed", 6, "malformed_callback", .callback) {
      $0.callback["code"] = "C\nX: y"
    },
    HostileRow("a code that is not UTF-8", 6, "malformed_callback", .callback) {
      $0.callback["code"] = nil
      $0.callbackEnd = "&code=%FF"
    },
    HostileRow("all of it in the fragment", 6, "issuer_mismatch", .callback) {
      $0.callbackMark = "#"
      $0.callback["iss"] = "https://evil.example"
    },
    HostileRow("a code in the fragment", 6, "state_missing", .callback) { $0.callbackMark = "#" },
    HostileRow("a token in the place of a code", 6, "state_missing", .callback) {
      $0.callbackMark = "#"
      $0.callback = ["access_token": "EVIL", "state": $0.asked["state"] ?? "", "iss": $0.base]
    },
    HostileRow("257 parameters", 6, "malformed_callback", .callback) {
      $0.callbackEnd = (0..<254).map { "&p\($0)=" }.joined()
    },
    HostileRow("a code of 8 KiB", 0, nil, .keys) {
      $0.callback["code"] = String(repeating: "C", count: 8_192)
    },
    HostileRow("a code that needs encoding", 0, nil, .keys) {
      $0.callback["code"] = "a b+c%2F&d=é"
      if $0.request.path == "/token", !$0.request.body.contains("code=a%20b%2Bc%252F%26d%3D%C3%A9&") {
        $0.answers["/token"] = .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
    },
    HostileRow("a file in the place of the callback", 8, "login_required", .callback) {
      $0.answers["/auth"] = .redirect("file:///etc/passwd")
    },
    HostileRow("a page on plain http", 5, "bad_provider_response", .callback) {
      $0.answers["/auth"] = .redirect("http://as.example/")
    },
    HostileRow("a page that nobody can leave", 8, "login_required", .callback) {
      $0.answers["/auth"] = .html("<h1>Welcome")
    },
    HostileRow("a page that is broken off", 5, "network_error", .callback) {
      $0.answers["/auth"] = StandInServer.Answer.html("<form>").cut
    },
    HostileRow("redirects without an end", 5, "bad_provider_response", Hits(pages: 21, token: 0, keys: 0)) {
      $0.answers["/auth"] = .redirect("/auth")
    },
  ]
}
