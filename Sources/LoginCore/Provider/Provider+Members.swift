/// A provider in the words of tokentry-provider(5): the one list of what a preset may say.
extension Provider: PresetObject {
  static let members = introduction + endpointMembers + requests + answers

  /// Reads what ``json`` wrote, as strictly as a preset file; braces in it are text.
  init(json: JSONObject) throws(PresetFault) {
    let preset = Preset(verbatim: json)
    try preset.checkMembers()
    try preset.checkNames()
    self = try preset.provider(filledIn: .verbatim)
  }

  private static let introduction: [PresetMember<Provider>] = [
    .idle("$schema", .text()),
    .some("name", .text(), \.name),
    .idle("notes", .text()),
    .idle("source", .text()),
    .idle("verified", .flag()),
    .idle("variables", .texts()),
    .idle("variable_defaults", .texts()),
    .some("issuer", .address(Issuer.init), \.issuer),
    .unusual("authorization_response_iss_parameter_supported", .flag(), \.sendsIssuer),
  ]

  private static let endpointMembers = EndpointName.allCases.map { name in
    PresetMember<Provider>(name.rawValue, .address(Endpoint.init)) { provider, endpoint in
      provider.endpoints[name] = endpoint
      // Unless something else is said, it is there to be used.
      if name == .pushedAuthorizationRequest { provider.pushesRequests = true }
    } write: {
      $0.endpoints[name]
    }
  }

  private static let requests: [PresetMember<Provider>] = [
    PresetMember("require_pushed_authorization_requests", .flag()) {
      $0.pushesRequests = $1
    } write: {
      $0.pushesRequests || $0.endpoints[.pushedAuthorizationRequest] != nil ? $0.pushesRequests : nil
    },
    .unusual("dpop_bound_access_tokens", .flag(), \.bindsTokens),
    PresetMember("grant", .choice()) { provider, grant in
      provider.grant = grant
      if grant == .implicit { provider.responseType = .token }
    } write: {
      $0.grant == .code ? nil : $0.grant
    },
    .always("response_type", .responseType(), \.responseType),
    .some("response_mode", .choice(), \.responseMode),
    .some("scope", .pattern(), \.scope),
    .always("pkce", .choice(), \.pkce),
    .some("redirect_uri", .address(RedirectURI.init), \.redirectURI),
    .unusual("redirect_aliases", .list(.address(RedirectURI.init)), \.redirectAliases),
    .unusual("error_pages", .list(.address(ErrorPage.init)), \.errorPages),
    .unusual("authorization_parameters", .parameters(), \.authorizationParameters),
    .unusual("parameter_names", .texts(), \.parameterNames),
  ]

  private static let answers: [PresetMember<Provider>] = [
    .some("client_authentication", .choice(), \.clientAuthentication),
    // An empty list says that nothing is allowed, none that the provider does not say.
    .some("token_endpoint_auth_methods_supported", .list(.text()), \.clientAuthentications),
    .unusual(
      "headers",
      .parameters { header in ReservedNames.fault(ofHeader: header).map { .header(header.name, $0) } },
      \.headers),
    .unusual("token_parameters", .parameters(), \.tokenParameters),
    .unusual("token_request", .choice(), \.tokenRequestForm),
    .unusual("token_state", .word("echoed", of: ["echoed"]), \.echoesTokenState),
    .unusual("callback_parameters", .list(.text()), \.callbackParameters),
    .some("id_token_issuer", .parsed(IssuerPattern.init, else: .issuerPattern), \.idTokenIssuer),
    .some("authorization_scheme", .parsed(scheme, else: .authorizationScheme), \.authorizationScheme),
    .some("device_grant", .object(), \.deviceGrant),
    .some(
      "revocation_request", .member("members", .list(.text(.oneOf(["access_token", "refresh_token"])))),
      \.revocationMembers),
    .unusual("refresh_refusals", .list(.text()), \.refreshRefusals),
    .unusual("id_token", .word("opaque", of: ["verify", "opaque"]), \.hasOpaqueIDToken),
    .some("id_token_signing_alg_values_supported", .list(.text()), \.idTokenAlgorithms),
    .some("dpop_signing_alg_values_supported", .list(.text()), \.proofAlgorithms),
    .some("token_type", .text(), \.tokenType),
    .unusual("required_token_members", .list(.text()), \.ownTokenMembers),
    .unusual("userinfo_request", .object(), \.userinfoRequest),
    .some("logout_request", .object(), \.logoutRequest),
    .unusual("agents", .list(.choice()), \.agents),
    .some("window_size", .parsed(WindowSize.init, else: .windowSize), \.windowSize),
    .unusual("api_origins", .list(.origin()), \.apiOrigins),
    .unusual("git_hosts", .list(.host()), \.gitHosts),
    .unusual("git_user", .text(), \.gitUser),
    .some("registry_user", .text(), \.registryUser),
    .idle("scopes_supported", .list(.text())),
    .idle("response_types_supported", .list(.text())),
    .idle("response_modes_supported", .list(.text())),
    .idle("grant_types_supported", .list(.text())),
    .idle("code_challenge_methods_supported", .list(.text())),
  ]

  /// It becomes part of a header field (RFC 9110 section 11.1).
  @Sendable private static func scheme(_ text: String) -> String? {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      ? text : nil
  }
}
