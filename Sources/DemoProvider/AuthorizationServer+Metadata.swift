import LoginCore

extension AuthorizationServer {
  /// What this provider is (RFC 8414 section 2, OpenID Connect Discovery section 3).
  var metadata: JSONObject {
    var metadata: JSONObject = ["issuer": .string(issuer)]
    let endpoints: [(String, Route)] = [
      ("authorization_endpoint", .authorize), ("token_endpoint", .token), ("jwks_uri", .keys),
      ("userinfo_endpoint", .userinfo), ("device_authorization_endpoint", .deviceAuthorization),
    ]
    for (name, route) in endpoints { metadata[name] = .string(issuer + route.rawValue) }
    metadata["scopes_supported"] = .array(DemoScope.allCases.map { .string($0.rawValue) })
    metadata["response_types_supported"] = [
      "code", "token", "id_token", "id_token token", "code token", "code id_token", "code id_token token",
    ]
    metadata["response_modes_supported"] = ["query", "fragment"]
    metadata["grant_types_supported"] = [
      "authorization_code", "implicit", "urn:ietf:params:oauth:grant-type:device_code",
    ]
    metadata["code_challenge_methods_supported"] = ["S256"]
    metadata["token_endpoint_auth_methods_supported"] = ["none"]
    metadata["subject_types_supported"] = ["public"]
    metadata["id_token_signing_alg_values_supported"] = [.string(mint.signer.algorithm.rawValue)]
    metadata["claims_supported"] = [
      "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "c_hash", "name",
      "preferred_username",
    ]
    metadata["authorization_response_iss_parameter_supported"] = true  // RFC 9207 section 3
    metadata["request_parameter_supported"] = false
    metadata["request_uri_parameter_supported"] = false
    return metadata
  }
}
