/// A provider in the words of tokentry-provider(5), with every variable filled in.
extension Provider {
  /// What a preset would have to say to describe exactly this provider.
  var json: JSONObject {
    var object = JSONObject()
    object["name"] = name.map(JSONValue.string)
    object["issuer"] = issuer.map { .string($0.description) }
    if sendsIssuer { object["authorization_response_iss_parameter_supported"] = true }
    for name in EndpointName.allCases {
      object[name.rawValue] = endpoints[name].map { .string($0.description) }
    }
    // Without a word, an endpoint for them means that requests are pushed.
    if pushesRequests || endpoints[.pushedAuthorizationRequest] != nil {
      object["require_pushed_authorization_requests"] = .bool(pushesRequests)
    }
    if bindsTokens { object["dpop_bound_access_tokens"] = true }
    if grant != .code { object["grant"] = .string(grant.rawValue) }
    object["response_type"] = .string(responseType.description)
    object["response_mode"] = responseMode.map { .string($0.rawValue) }
    object["scope"] = scope.map(JSONValue.string)
    object["pkce"] = .string(pkce.rawValue)
    object["redirect_uri"] = redirectURI.map { .string($0.description) }
    object["redirect_aliases"] = Self.list(redirectAliases.map(\.description))
    object["error_pages"] = Self.list(errorPages.map(\.description))
    object["authorization_parameters"] = Self.texts(authorizationParameters)
    object["parameter_names"] = Self.texts(
      parameterNames.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) })
    object["client_authentication"] = clientAuthentication.map { .string($0.rawValue) }
    object["token_endpoint_auth_methods_supported"] = clientAuthentications.map { names in
      .array(names.map(JSONValue.string))
    }
    object["headers"] = Self.texts(headers)
    object["token_parameters"] = Self.texts(tokenParameters)
    if tokenRequestForm != .form { object["token_request"] = .string(tokenRequestForm.rawValue) }
    if echoesTokenState { object["token_state"] = "echoed" }
    object["callback_parameters"] = Self.list(callbackParameters)
    object["id_token_issuer"] = idTokenIssuer.map { .string($0.description) }
    object["authorization_scheme"] = authorizationScheme.map(JSONValue.string)
    object["device_grant"] = deviceGrant.map { .object($0.json) }
    if let revocationMembers {
      object["revocation_request"] = ["members": .array(revocationMembers.map(JSONValue.string))]
    }
    object["refresh_refusals"] = Self.list(refreshRefusals)
    if hasOpaqueIDToken { object["id_token"] = "opaque" }
    // An empty list says that nothing is allowed, none that the provider does not say.
    object["id_token_signing_alg_values_supported"] = idTokenAlgorithms.map { names in
      .array(names.map(JSONValue.string))
    }
    object["dpop_signing_alg_values_supported"] = proofAlgorithms.map { names in
      .array(names.map(JSONValue.string))
    }
    object["token_type"] = tokenType.map(JSONValue.string)
    object["required_token_members"] = Self.list(ownTokenMembers)
    if userinfoRequest != RequestForm() { object["userinfo_request"] = .object(userinfoRequest.json) }
    object["logout_request"] = logoutRequest.map { .object($0.json) }
    object["agents"] = Self.list(agents.map(\.rawValue))
    object["api_origins"] = Self.list(apiOrigins.map(\.description))
    object["git_hosts"] = Self.list(gitHosts)
    if gitUser != Provider().gitUser { object["git_user"] = .string(gitUser) }
    return object
  }

  /// Reads what ``json`` wrote, as strictly as a preset file; braces in it are text.
  init(json: JSONObject) throws(PresetFault) { self = try Preset.provider(verbatim: json) }

  private static func list(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
  }

  private static func texts(_ parameters: [Parameter]) -> JSONValue? {
    if parameters.isEmpty { return nil }
    return .object(parameters.reduce(into: JSONObject()) { $0[$1.name] = .string($1.value) })
  }
}
