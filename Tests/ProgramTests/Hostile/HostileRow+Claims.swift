import LoginCore

/// The claims of the id_token: OpenID Connect Core section 3.1.3.7.
extension HostileRow {
  static let claims = identity + times + binding + authentication

  /// An id_token that is not believed.
  private static func refused(
    _ name: String, _ options: [String] = [], change: @escaping @Sendable (inout Conduct) -> Void
  ) -> HostileRow {
    HostileRow(name, 6, "invalid_id_token", .keys, options, change: change)
  }

  private static let identity: [HostileRow] = [
    refused("oidcc-client-test-invalid-iss") { $0.claims["iss"] = "https://evil.example" },
    refused("an iss with a slash at its end") { $0.claims["iss"] = .string($0.base + "/") },
    refused("fapi2-security-profile-final-client-test-invalid-missing-iss") { $0.claims["iss"] = nil },
    refused("oidcc-client-test-invalid-aud") { $0.claims["aud"] = "other" },
    refused("oidcc-client-test-missing-aud") { $0.claims["aud"] = nil },
    refused("an audience of nobody") { $0.claims["aud"] = [] },
    refused("an audience in capitals") { $0.claims["aud"] = "CLIENT" },
    HostileRow("fapi2-security-profile-final-client-test-valid-aud-as-array", 0, nil, .keys) {
      $0.claims["aud"] = ["client"]
    },
    refused("fapi2-security-profile-final-client-test-invalid-secondary-aud") {
      $0.claims["aud"] = ["client", "https://evil.example"]
    },
    refused("a second audience, and azp") {
      $0.claims["aud"] = ["https://evil.example", "client"]
      $0.claims["azp"] = "client"
    },
    refused("another audience, and azp") {
      $0.claims["aud"] = "https://evil.example"
      $0.claims["azp"] = "client"
    },
    refused("another azp") { $0.claims["azp"] = "other" },
    refused("oidcc-client-test-missing-sub") { $0.claims["sub"] = nil },
    refused("an empty sub") { $0.claims["sub"] = "" },
    refused("a sub of 256 characters") { $0.claims["sub"] = .string(String(repeating: "a", count: 256)) },
    refused("a sub that is a number") { $0.claims["sub"] = 7 },
    refused("sub twice") { $0.respelled = [#""sub":"ann""#: #""sub":"ann","sub":"eve""#] },
    refused("claims in a list") { $0.respelled = [$0.claims.text: "[\($0.claims.text)]"] },
  ]

  private static let times: [HostileRow] = [
    refused("fapi2-security-profile-final-client-test-invalid-missing-exp") { $0.claims["exp"] = nil },
    refused("fapi2-security-profile-final-client-test-invalid-expired-exp") { $0.setTime("exp", -301) },
    HostileRow("an exp that a slow clock explains", 0, nil, .keys) { $0.setTime("exp", -240) },
    refused("an exp in quotation marks") { $0.claims["exp"] = "4102444800" },
    refused("an exp beyond all numbers") { conduct in
      conduct.claims["exp"] = "E"
      conduct.respelled = [#""E""#: "1e400"]
    },
    HostileRow("an exp with a fraction", 0, nil, .keys) { conduct in
      conduct.claims["exp"] = "E"
      conduct.respelled = [#""E""#: "4.1024448005e9"]
    },
    refused("oidcc-client-test-missing-iat") { $0.claims["iat"] = nil },
    refused("an iat in the future") { $0.setTime("iat", 360) },
    refused("an nbf in the future") { $0.setTime("nbf", 360) },
  ]

  private static let binding: [HostileRow] = [
    HostileRow("oidcc-client-test-nonce-invalid", 6, "nonce_mismatch", .keys) {
      $0.claims["nonce"] = "other"
    },
    HostileRow("oidcc-client-test-nonce-unless-code-flow", 6, "nonce_mismatch", .keys) {
      $0.claims["nonce"] = nil
    },
    HostileRow("a nonce that is a list", 6, "nonce_mismatch", .keys) { conduct in
      conduct.claims["nonce"] = .array([conduct.claims["nonce"] ?? .null])
    },
    refused("oidcc-client-test-invalid-athash") { $0.claims["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA" },
    refused("an at_hash with padding") { $0.claims["at_hash"] = "5jK3CVsL8ywmD6TFOen9ew==" },
    HostileRow("no at_hash, which a code does not need", 0, nil, .keys) { $0.claims["at_hash"] = nil },
  ]

  private static let contexts = ["--param", "acr_values=phr phrh"]
  private static let essentialContext = [
    "--param", #"claims={"id_token":{"acr":{"essential":true,"value":"phr"}}}"#,
  ]

  private static let authentication: [HostileRow] = [
    HostileRow("a login that is recent enough", 0, nil, .keys, ["--max-age", "60"]) {
      $0.setTime("auth_time", -30)
    },
    refused("a login that is too old", ["--max-age", "60"]) { $0.setTime("auth_time", -361) },
    refused("a login of which nobody knows when", ["--max-age", "60"]) { $0.claims["auth_time"] = nil },
    refused("a login that is still to come", ["--max-age", "60"]) { $0.setTime("auth_time", 361) },
    HostileRow("one of the contexts that were asked for", 0, nil, .keys, contexts) {
      $0.claims["acr"] = "phrh"
    },
    refused("another context than was asked for", contexts) { $0.claims["acr"] = "0" },
    refused("a context that only begins like it", contexts) { $0.claims["acr"] = "phr phrh" },
    refused("no context although one was asked for", contexts) { _ in },
    HostileRow("the context that was demanded", 0, nil, .keys, essentialContext) { $0.claims["acr"] = "phr" },
    refused("another context than was demanded", essentialContext) { $0.claims["acr"] = "phrh" },
    HostileRow("a context that nobody asked for", 0, nil, .keys) { $0.claims["acr"] = "0" },
  ]
}
