import Foundation
import LoginCore
import TestSupport

/// What the token endpoint answers: RFC 6749 sections 5.1, 5.2 and 7.1. A code is used once, whatever happens.
extension HostileRow {
  static let token = errors + noAnswers + members

  /// An answer to a login without OpenID.
  private init(_ name: String, _ status: Int32, _ error: String?, answer: StandInServer.Answer) {
    self.init(name, status, error, .token, isPlain: true) { $0.answers["/token"] = answer }
  }

  private static let errors: [HostileRow] = [
    HostileRow("an error", 1, "invalid_grant", answer: .json(#"{"error":"invalid_grant"}"#, status: 400)),
    HostileRow(
      "an error that is called a success", 1, "invalid_grant", answer: .json(#"{"error":"invalid_grant"}"#)),
    HostileRow(
      "an error and a token", 1, "slow",
      answer: .json(#"{"error":"slow","access_token":"T","token_type":"Bearer"}"#)),
    HostileRow(
      "a client that is unknown", 1, "invalid_client",
      answer: .json(#"{"error":"invalid_client"}"#, status: 401)),
    HostileRow(
      "an error that speaks to the terminal", 1, "server_error",
      answer: .json(
        #"{"error":"server_error","error_description":"\u001b[2J\r\ntokentry: error: forged\u0000"}"#)),
    HostileRow(
      "invalid_target (RFC 8707)", 1, "invalid_target", .token, ["--resource", "https://api.example/"]
    ) {
      if $0.request.body.contains("resource=https%3A%2F%2Fapi.example%2F") {
        $0.answers["/token"] = .json(#"{"error":"invalid_target"}"#, status: 400)
      }
    },
  ]

  private static let noAnswers: [HostileRow] = [
    HostileRow("status 400 and nothing", 5, "bad_provider_response", answer: .json("", status: 400)),
    HostileRow(
      "status 500 and an empty object", 5, "bad_provider_response", answer: .json("{}", status: 500)),
    HostileRow(
      "status 500 and a token", 5, "bad_provider_response",
      answer: .json(#"{"access_token":"T","token_type":"Bearer"}"#, status: 500)),
    HostileRow("a page", 5, "bad_provider_response", answer: .html("<h1>404")),
    HostileRow(
      "a token in a list", 5, "bad_provider_response",
      answer: .json(#"[{"access_token":"T","token_type":"Bearer"}]"#)),
    HostileRow(
      "two tokens", 5, "bad_provider_response",
      answer: .json(#"{"access_token":"A","access_token":"B","token_type":"Bearer"}"#)),
    HostileRow(
      "two tokens, one under another spelling", 5, "bad_provider_response",
      answer: .json(#"{"access_token":"A","access\u005ftoken":"B","token_type":"Bearer"}"#)),
    HostileRow(
      "two objects", 5, "bad_provider_response",
      answer: .json(#"{"access_token":"T","token_type":"Bearer"}{}"#)),
    HostileRow(
      "an object as deep as a well", 5, "bad_provider_response",
      answer: .json(String(repeating: #"{"a":"#, count: 150_000))),
    HostileRow("a redirect", 5, "bad_provider_response", answer: .redirect("/elsewhere")),
    HostileRow(
      "a redirect with 307", 5, "bad_provider_response", answer: .redirect("/elsewhere", status: 307)),
    HostileRow(
      "a redirect with 308", 5, "bad_provider_response", answer: .redirect("/elsewhere", status: 308)),
    HostileRow(
      "an answer that is broken off", 5, "network_error",
      answer: StandInServer.Answer.json(#"{"access_token":"T","token_type":"Bearer"}"#).cut),
    HostileRow("no answer", 5, "network_error", answer: .hangUp),
  ]

  private static let members: [HostileRow] =
    [
      HostileRow(
        "fapi2-security-profile-final-client-test-token-type-case-insensitivity", 0, nil, .keys
      ) { $0.token["token_type"] = "bEaReR" },
      HostileRow(
        "fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in", 0, nil, .keys
      ) { $0.token["expires_in"] = nil },
      HostileRow("oidcc-client-test-client-secret-basic", 0, nil, .keys, secret: "c+d%/é") {
        if $0.request.headers["authorization"] != "Basic Y2xpZW50OmMlMkJkJTI1JTJGJUMzJUE5" {
          $0.token = ["error": "invalid_client"]
        }
      },
      HostileRow("no token", 6, "missing_token", .token) { $0.token["access_token"] = nil },
      HostileRow("an empty token", 6, "missing_token", .token) { $0.token["access_token"] = "" },
      HostileRow("a token that is no text", 5, "bad_provider_response", .token) {
        $0.token["access_token"] = 1
      },
      HostileRow("a token with a header field in it", 5, "bad_provider_response", .token) {
        $0.token["access_token"] = "T\r\nX-Evil: 1"
      },
      HostileRow("a token of 64 KiB", 0, nil, .keys) {
        $0.token["access_token"] = .string(String(repeating: "T", count: 65_536))
        $0.claims["at_hash"] = nil
      },
      HostileRow("no type", 6, "missing_token", .token) { $0.token["token_type"] = nil },
      HostileRow("a type that nobody asked for", 6, "unsupported_token_type", .token) {
        $0.token["token_type"] = "mac"
      },
      HostileRow("a type that would need a key", 6, "unsupported_token_type", .token) {
        $0.token["token_type"] = "DPoP"
      },
      HostileRow("no id_token", 6, "missing_token", .token) { $0.sendsIDToken = false },
      HostileRow("an id_token that nobody asked for", 0, nil, .token, isPlain: true) { _ in },
    ]
    + ["\"3600\"", "\"soon\"", "-1", "0", "1.5", "1e400", "null", "{}", "99999999999999999999"].map {
      lifetime in
      HostileRow(
        "a lifetime of \(lifetime)", 0, nil,
        answer: .json(#"{"access_token":"T","token_type":"Bearer","expires_in":\#(lifetime)}"#))
    }
}
