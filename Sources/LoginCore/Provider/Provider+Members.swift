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
    .init("$schema", .idle(.text())),
    .init("name", .some(.text(), \.name)),
    .init("notes", .idle(.text())),
    .init("source", .idle(.text())),
    .init("verified", .idle(.flag())),
    .init("variables", .idle(.texts())),
    .init("variable_defaults", .idle(.texts())),
    .init("issuer", .some(.address(Issuer.init), \.issuer)),
    .init("authorization_response_iss_parameter_supported", .unusual(.flag(), \.sendsIssuer)),
  ]

  private static let endpointMembers = EndpointName.allCases.map { name in
    PresetMember<Provider>(
      name.rawValue,
      PresetContent(.address(Endpoint.init)) { provider, endpoint in
        provider.endpoints[name] = endpoint
        // Unless something else is said, it is there to be used.
        if name == .pushedAuthorizationRequest { provider.pushesRequests = true }
      } write: {
        $0.endpoints[name]
      })
  }

  private static let requests: [PresetMember<Provider>] = [
    .init(
      "require_pushed_authorization_requests",
      PresetContent(.flag()) {
        $0.pushesRequests = $1
      } write: {
        $0.pushesRequests || $0.endpoints[.pushedAuthorizationRequest] != nil ? $0.pushesRequests : nil
      }),
    .init("dpop_bound_access_tokens", .unusual(.flag(), \.bindsTokens)),
    .init(
      "grant",
      PresetContent(.choice()) { provider, grant in
        provider.grant = grant
        if grant == .implicit { provider.responseType = .token }
      } write: {
        $0.grant == .code ? nil : $0.grant
      }),
    .init("response_type", .always(.responseType(), \.responseType)),
    .init("response_mode", .some(.choice(), \.responseMode)),
    .init("scope", .some(.pattern(), \.scope)),
    .init("pkce", .always(.choice(), \.pkce)),
    .init("redirect_uri", .some(.address(RedirectURI.init), \.redirectURI)),
    .init("redirect_aliases", .unusual(.list(.address(RedirectURI.init)), \.redirectAliases)),
    .init("error_pages", .unusual(.list(.address(ErrorPage.init)), \.errorPages)),
    .init("authorization_parameters", .unusual(.parameters(), \.authorizationParameters)),
    .init("parameter_names", .unusual(.texts(), \.parameterNames)),
  ]

  private static let answers: [PresetMember<Provider>] = [
    .init("client_authentication", .some(.choice(), \.clientAuthentication)),
    // An empty list says that nothing is allowed, none that the provider does not say.
    .init("token_endpoint_auth_methods_supported", .some(.list(.text()), \.clientAuthentications)),
    .init(
      "headers",
      .unusual(
        .parameters { header in ReservedNames.fault(ofHeader: header).map { .header(header.name, $0) } },
        \.headers)),
    .init("token_parameters", .unusual(.parameters(), \.tokenParameters)),
    .init("token_request", .unusual(.choice(), \.tokenRequestForm)),
    .init("token_state", .unusual(.word("echoed", of: ["echoed"]), \.echoesTokenState)),
    .init("callback_parameters", .unusual(.list(.text()), \.callbackParameters)),
    .init("id_token_issuer", .some(.parsed(IssuerPattern.init, else: .issuerPattern), \.idTokenIssuer)),
    .init("authorization_scheme", .some(.parsed(scheme, else: .authorizationScheme), \.authorizationScheme)),
    .init("device_grant", .some(.object(), \.deviceGrant)),
    .init(
      "revocation_request",
      .some(
        .member("members", .list(.text(.oneOf(["access_token", "refresh_token"])))),
        \.revocationMembers)),
    .init("refresh_refusals", .unusual(.list(.text()), \.refreshRefusals)),
    .init("id_token", .unusual(.word("opaque", of: ["verify", "opaque"]), \.hasOpaqueIDToken)),
    .init("id_token_signing_alg_values_supported", .some(.list(.text()), \.idTokenAlgorithms)),
    .init("dpop_signing_alg_values_supported", .some(.list(.text()), \.proofAlgorithms)),
    .init("token_type", .some(.text(), \.tokenType)),
    .init("required_token_members", .unusual(.list(.text()), \.ownTokenMembers)),
    .init("userinfo_request", .unusual(.object(), \.userinfoRequest)),
    .init("logout_request", .some(.object(), \.logoutRequest)),
    .init("agents", .unusual(.list(.choice()), \.agents)),
    .init("window_size", .some(.parsed(WindowSize.init, else: .windowSize), \.windowSize)),
    .init("api_origins", .unusual(.list(.origin()), \.apiOrigins)),
    .init("git_hosts", .unusual(.list(.host()), \.gitHosts)),
    .init("git_user", .unusual(.text(), \.gitUser)),
    .init("registry_user", .some(.text(), \.registryUser)),
    .init("scopes_supported", .idle(.list(.text()))),
    .init("response_types_supported", .idle(.list(.text()))),
    .init("response_modes_supported", .idle(.list(.text()))),
    .init("grant_types_supported", .idle(.list(.text()))),
    .init("code_challenge_methods_supported", .idle(.list(.text()))),
  ]

  /// It becomes part of a header field (RFC 9110 section 11.1).
  @Sendable private static func scheme(_ text: String) -> String? {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      ? text : nil
  }
}
