import Testing

@testable import LoginCore

/// A provider written in the words of a preset.
@Suite("Provider, as JSON")
struct ProviderJSONTests {
  /// Every member of a preset that has an effect on a login.
  static let preset: JSONObject = [
    "name": "P", "issuer": "https://as.test", "authorization_response_iss_parameter_supported": true,
    "authorization_endpoint": "https://as.test/a", "token_endpoint": "https://as.test/t",
    "userinfo_endpoint": "https://as.test/u", "revocation_endpoint": "https://as.test/r",
    "introspection_endpoint": "https://as.test/i", "registration_endpoint": "https://as.test/c",
    "end_session_endpoint": "https://as.test/e", "device_authorization_endpoint": "https://as.test/d",
    "pushed_authorization_request_endpoint": "https://as.test/p", "jwks_uri": "https://as.test/j",
    "require_pushed_authorization_requests": false, "dpop_bound_access_tokens": true,
    "grant": "device", "response_type": "code", "response_mode": "fragment", "scope": "a b", "pkce": "plain",
    "redirect_uri": "https://app.test/cb", "redirect_aliases": ["https://app.test/cb2"],
    "error_pages": ["https://as.test/error"], "authorization_parameters": ["z": "1", "b": "{brace}"],
    "parameter_names": ["client_id": "client"], "client_authentication": "post",
    "token_endpoint_auth_methods_supported": ["client_secret_post"],
    "headers": ["X-A": "1"], "token_parameters": ["audience": "{client_id}"],
    "token_request": "code-in-body", "token_state": "echoed", "callback_parameters": ["device_id"],
    "id_token_issuer": "https://as.test/{tid}/v2", "authorization_scheme": "OAuth",
    "device_grant": ["grant_type": "device_code", "parameter": "code"],
    "revocation_request": ["members": ["access_token"]], "refresh_refusals": ["invalid_request"],
    "id_token": "opaque",
    "id_token_signing_alg_values_supported": ["ES256"], "dpop_signing_alg_values_supported": ["ES256"],
    "token_type": "Bearer",
    "required_token_members": ["user_id"],
    "userinfo_request": ["method": "POST", "members": ["client_id"]],
    "logout_request": ["method": "POST", "members": ["device_id"], "query": ["client_id"]],
    "agents": ["browser", "window"], "window_size": "960x720",
    "api_origins": ["https://api.test:8443"], "git_hosts": ["git.test"],
    "git_user": "x-token", "registry_user": "x-registry",
  ]

  @Test("all of it comes back, in the same words")
  func roundTrip() throws {
    #expect(try Provider(json: Self.preset).json == Self.preset)
    #expect(try Provider(json: Provider().json).json == Provider().json)
  }

  /// Members without an effect: for people, for programs, or not yet.
  private static let withoutEffect: Set<String> = [
    "$schema", "notes", "source", "verified", "variables", "variable_defaults", "scopes_supported",
    "response_types_supported", "response_modes_supported", "grant_types_supported",
    "code_challenge_methods_supported",
  ]

  @Test("no member of a preset that has an effect is left out of an account")
  func complete() {
    let written = Set(Self.preset.map(\.name))
    #expect(written.isDisjoint(with: Self.withoutEffect))
    #expect(written.union(Self.withoutEffect) == Set(Provider.members.map(\.name)))
  }

  @Test("it is read as strictly as a preset file")
  func strict() {
    #expect(throws: PresetFault.self) { _ = try Provider(json: ["tokn_endpoint": "https://as.test/t"]) }
    #expect(throws: PresetFault.self) { _ = try Provider(json: ["token_endpoint": "http://as.test/t"]) }
    #expect(throws: PresetFault.self) { _ = try Provider(json: ["pkce": "S512"]) }
    #expect(throws: PresetFault.self) { _ = try Provider(json: ["authorization_scheme": "OAuth\r\nX: y"]) }
    #expect(throws: PresetFault.self) { _ = try Provider(json: ["id_token_issuer": "https://as.test"]) }
    #expect(throws: PresetFault.self) {
      _ = try Provider(json: ["revocation_request": ["members": ["password"]]])
    }
  }
}
