import Testing

@testable import LoginCore

@Suite("Provider")
struct ProviderTests {
  @Test("A provider follows the standards by default")
  func defaults() {
    let provider = Provider()
    #expect(provider.responseType == .code)
    #expect(provider.responseMode == nil)
    #expect(provider.pkce == .s256)
    #expect(provider.issuer == nil)
    #expect(!provider.sendsIssuer)
    #expect(provider.endpoints.isEmpty)
    #expect(provider.tokenType == nil)
  }

  // RFC 6749 section 5.1.
  @Test(
    "A token needs an access_token, a type unless it is assumed, and the provider's own members",
    arguments: [
      (nil, [], ["access_token", "token_type"]), ("Bearer", [], ["access_token"]),
      ("Bearer", ["access_token", "user_id", "expires_in"], ["access_token", "user_id", "expires_in"]),
      (nil, ["token_type", "user_id"], ["access_token", "token_type", "user_id"]),
    ] as [(String?, [String], [String])])
  func requiredTokenMembers(type: String?, own: [String], required: [String]) {
    var provider = Provider()
    provider.tokenType = type
    provider.ownTokenMembers = own
    #expect(provider.requiredTokenMembers == required)
  }

  // RFC 8414 section 2, OpenID Connect Discovery section 3, RP-Initiated Logout section 2.1,
  // RFC 8628 section 4, RFC 9126 section 5.
  @Test("Endpoints have the names of the standards")
  func endpointNames() {
    #expect(
      EndpointName.allCases.map(\.rawValue) == [
        "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "revocation_endpoint",
        "introspection_endpoint", "registration_endpoint",
        "end_session_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
        "jwks_uri",
      ])
  }
}

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
    "grant": "device", "response_type": "code id_token", "response_mode": "fragment", "scope": "a b",
    "pkce": "plain",
    "redirect_uri": "https://app.test/cb", "redirect_aliases": ["https://app.test/cb2"],
    "error_pages": ["https://as.test/error"], "authorization_parameters": ["z": "1", "b": "{brace}"],
    "parameter_names": ["client_id": "client"], "client_authentication": "post",
    "token_endpoint_auth_methods_supported": ["client_secret_post"],
    "headers": ["X-A": "1"], "token_parameters": ["audience": "{client_id}"],
    "token_request": "code-in-body", "token_state": "echoed", "callback_parameters": ["device_id"],
    "id_token_issuer": "https://as.test/{tid}/v2", "authorization_scheme": "OAuth",
    "device_grant": ["grant_type": "device_code", "parameter": "code"],
    "revocation_parameters": ["access_token"], "refresh_refusals": ["invalid_request"],
    "id_token": "opaque", "id_token_hint": true,
    "id_token_signing_alg_values_supported": ["ES256"], "dpop_signing_alg_values_supported": ["ES256"],
    "token_type": "Bearer", "bearer_token_types": ["user"],
    "required_token_members": ["user_id"],
    "userinfo_request": ["method": "POST", "members": ["client_id"]],
    "logout_request": ["method": "POST", "members": ["device_id"], "query": ["client_id"]],
    "api_origins": ["https://api.test:8443"],
  ]

  @Test("A provider that is written can be read back in the same words")
  func roundTrip() throws {
    #expect(try Provider(strict: Self.preset).json == Self.preset)
    #expect(try Provider(strict: Provider().json).json == Provider().json)
  }

  @Test("Members of the application or of a later version are kept as they are")
  func extra() throws {
    let provider = try Provider(strict: ["own": ["{braces}", 1], "name": "P"])
    #expect(provider.extra == ["own": ["{braces}", 1]])
    #expect(provider.json["own"] == ["{braces}", 1])
  }

  /// Members without an effect on a login: some are for people, some for other programs.
  private static let withoutEffect: Set<String> = [
    "$schema", "notes", "source", "tested", "variables", "variable_defaults",
  ]

  @Test("Every member with an effect on a login is kept with an account")
  func complete() {
    let written = Set(Self.preset.map(\.name))
    #expect(written.isDisjoint(with: Self.withoutEffect))
    #expect(written.union(Self.withoutEffect) == Set(Provider.members.map(\.name)))
  }

  @Test("Known members are read as strictly as those of a preset file")
  func strict() {
    #expect(throws: MemberRefusal.self) { _ = try Provider(strict: ["token_endpoint": "http://as.test/t"]) }
    #expect(throws: MemberRefusal.self) { _ = try Provider(strict: ["pkce": "S512"]) }
    #expect(throws: MemberRefusal.self) {
      _ = try Provider(strict: ["authorization_scheme": "OAuth\r\nX: y"])
    }
    #expect(throws: MemberRefusal.self) { _ = try Provider(strict: ["id_token_issuer": "https://as.test"]) }
    #expect(throws: MemberRefusal.self) {
      _ = try Provider(strict: ["revocation_parameters": ["password"]])
    }
  }
}
