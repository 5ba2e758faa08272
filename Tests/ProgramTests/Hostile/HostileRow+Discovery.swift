import Foundation
import LoginCore
import TestSupport

/// What a provider says of itself: OpenID Connect Discovery section 4.3, RFC 8414 section 3.3.
extension HostileRow {
  private static let path = "/.well-known/openid-configuration"

  static let discovery: [HostileRow] = [
    HostileRow("oidcc-client-test-discovery-openid-config", 0, nil, .keys) { _ in },
    HostileRow("oidcc-client-test-discovery-issuer-mismatch", 6, "issuer_mismatch", .none) {
      $0.metadata["issuer"] = .string($0.base + "/other")
    },
    HostileRow("an issuer with a slash at its end", 6, "issuer_mismatch", .none) {
      $0.metadata["issuer"] = .string($0.base + "/")
    },
    HostileRow("an issuer in capitals", 6, "issuer_mismatch", .none) {
      $0.metadata["issuer"] = .string($0.base.uppercased())
    },
    HostileRow("no issuer", 6, "issuer_mismatch", .none) { $0.metadata["issuer"] = nil },
    HostileRow("an issuer that is no text", 6, "issuer_mismatch", .none) { $0.metadata["issuer"] = 1 },
    HostileRow("the issuer twice", 5, "bad_provider_response", .none) {
      $0.answers[path] = .json(#"{"issuer":"\#($0.base)","issuer":"\#($0.base)"}"#)
    },
    HostileRow("a description in HTML", 5, "bad_provider_response", .none) {
      $0.answers[path] = .html("<h1>Welcome")
    },
    HostileRow("a description that is a list", 5, "bad_provider_response", .none) {
      $0.answers[path] = .json("[\($0.metadata.text)]")
    },
    HostileRow("a description as deep as a well", 5, "bad_provider_response", .none) {
      $0.answers[path] = .json(String(repeating: "[", count: 400_000))
    },
    HostileRow("a description that is elsewhere", 5, "bad_provider_response", .none) {
      $0.answers[path] = .redirect($0.base + "/elsewhere")
    },
    HostileRow("no description", 5, "bad_provider_response", .none) {
      $0.answers[path] = StandInServer.Answer(404)
    },
    HostileRow("a description that is broken off", 5, "network_error", .none) {
      $0.answers[path] = StandInServer.Answer.json($0.metadata.text).cut
    },
    HostileRow("a description whose sender hangs up", 5, "network_error", .none) {
      $0.answers[path] = .hangUp
    },
    HostileRow("a token endpoint on plain http", 5, "bad_provider_response", .none) {
      $0.metadata["token_endpoint"] = "http://as.example/token"
    },
    HostileRow("keys on plain http", 5, "bad_provider_response", .none) {
      $0.metadata["jwks_uri"] = "http://as.example/keys"
    },
    HostileRow("an authorization endpoint on plain http", 5, "bad_provider_response", .none) {
      $0.metadata["authorization_endpoint"] = "http://as.example/auth"
    },
    HostileRow("an authorization endpoint that is a script", 5, "bad_provider_response", .none) {
      $0.metadata["authorization_endpoint"] = "javascript:alert(1)"
    },
    HostileRow("a token endpoint with a fragment", 5, "bad_provider_response", .none) {
      $0.metadata["token_endpoint"] = .string($0.base + "/token#x")
    },
    HostileRow("a token endpoint with a user in it", 5, "bad_provider_response", .none) {
      $0.metadata["token_endpoint"] = "https://as.example@evil.example/token"
    },
    HostileRow("no authorization endpoint", 2, "invalid_configuration", .none) {
      $0.metadata["authorization_endpoint"] = nil
    },
    HostileRow("no token endpoint", 2, "invalid_configuration", .none) {
      $0.metadata["token_endpoint"] = nil
    },
    HostileRow("no keys", 2, "invalid_configuration", .none) { $0.metadata["jwks_uri"] = nil },
    HostileRow("pushed requests only", 2, "invalid_configuration", .none) {
      $0.metadata["require_pushed_authorization_requests"] = true
    },
    HostileRow("oidcc-client-test-discovery-jwks-uri-keys", 0, nil, .token) {
      $0.metadata["jwks_uri"] = .string($0.base + "/other/keys")
      $0.answers["/other/keys"] = .json(Conduct.keySet([.rsa]))
    },
    HostileRow("an authorization endpoint with a query of its own, which is kept", 0, nil, .keys) {
      $0.metadata["authorization_endpoint"] = .string($0.base + "/auth?tenant=7")
      if $0.request.path == "/auth", $0.request.target.components(separatedBy: "tenant=7").count != 2 {
        $0.callback = ["error": "invalid_request"]
      }
    },
  ]
}
