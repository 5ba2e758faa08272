/// A provider in the words of tokentry-provider(5): the one list of what a preset may say.
extension Provider: PresetObject {
  static let members = introduction + endpointMembers + requests + answers

  /// Reads what ``json`` wrote, as strictly as a preset file; braces in it are text.
  init(json: JSONObject) throws(PresetFault) {
    let preset = Preset(verbatim: json)
    try preset.checkNames()
    self = try preset.provider(filledIn: .verbatim)
  }

  private static let introduction: [PresetMember<Provider>] = [
    .init("$schema", .idle(.text())),
    .init("name", .some(.text(), \.name) { $0.name = $1 }),
    .init("notes", .idle(.text())),
    .init("source", .idle(.text())),
    .init("verified", .idle(.flag())),
    .init("variables", .idle(.texts())),
    .init("variable_defaults", .idle(.texts())),
    .init("issuer", .some(.address(Issuer.init), \.issuer) { $0.issuer = $1 }),
    .init(
      "authorization_response_iss_parameter_supported",
      .unusual(.flag(), \.sendsIssuer) { $0.sendsIssuer = $1 }),
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
    .init("dpop_bound_access_tokens", .unusual(.flag(), \.bindsTokens) { $0.bindsTokens = $1 }),
    .init(
      "grant",
      PresetContent(.choice()) { provider, grant in
        provider.grant = grant
        if grant == .implicit { provider.responseType = .token }
      } write: {
        $0.grant == .code ? nil : $0.grant
      }),
    .init("response_type", .always(.responseType(), \.responseType) { $0.responseType = $1 }),
    .init("response_mode", .some(.choice(), \.responseMode) { $0.responseMode = $1 }),
    .init("scope", .some(.pattern(), \.scope) { $0.scope = $1 }),
    .init("pkce", .always(.choice(), \.pkce) { $0.pkce = $1 }),
    .init("redirect_uri", .some(.address(RedirectURI.init), \.redirectURI) { $0.redirectURI = $1 }),
    .init(
      "redirect_aliases",
      .unusual(.list(.address(RedirectURI.init)), \.redirectAliases) { $0.redirectAliases = $1 }),
    .init("error_pages", .unusual(.list(.address(ErrorPage.init)), \.errorPages) { $0.errorPages = $1 }),
    .init(
      "authorization_parameters",
      .unusual(.parameters(), \.authorizationParameters) { $0.authorizationParameters = $1 }),
    .init("parameter_names", .unusual(.texts(), \.parameterNames) { $0.parameterNames = $1 }),
  ]

  private static let answers: [PresetMember<Provider>] = [
    .init("client_authentication", .some(.choice(), \.clientAuthentication) { $0.clientAuthentication = $1 }),
    // An empty list says that nothing is allowed, none that the provider does not say.
    .init(
      "token_endpoint_auth_methods_supported",
      .some(.list(.text()), \.clientAuthentications) { $0.clientAuthentications = $1 }),
    .init(
      "headers",
      .unusual(
        .parameters { header in ReservedNames.fault(ofHeader: header).map { .header(header.name, $0) } },
        \.headers
      ) { $0.headers = $1 }),
    .init("token_parameters", .unusual(.parameters(), \.tokenParameters) { $0.tokenParameters = $1 }),
    .init("token_request", .unusual(.choice(), \.tokenRequestForm) { $0.tokenRequestForm = $1 }),
    .init(
      "token_state",
      .unusual(.word("echoed", of: ["echoed"]), \.echoesTokenState) { $0.echoesTokenState = $1 }),
    .init(
      "callback_parameters", .unusual(.list(.text()), \.callbackParameters) { $0.callbackParameters = $1 }),
    .init(
      "id_token_issuer",
      .some(.parsed(IssuerPattern.init, else: .issuerPattern), \.idTokenIssuer) { $0.idTokenIssuer = $1 }),
    .init(
      "authorization_scheme",
      .some(.parsed(scheme, else: .authorizationScheme), \.authorizationScheme) {
        $0.authorizationScheme = $1
      }),
    .init("device_grant", .some(.object(), \.deviceGrant) { $0.deviceGrant = $1 }),
    .init(
      "revocation_request",
      .some(
        .member("members", .list(.text(.oneOf(["access_token", "refresh_token"])))),
        \.revocationMembers
      ) { $0.revocationMembers = $1 }),
    .init("refresh_refusals", .unusual(.list(.text()), \.refreshRefusals) { $0.refreshRefusals = $1 }),
    .init(
      "id_token",
      .unusual(.word("opaque", of: ["verify", "opaque"]), \.hasOpaqueIDToken) { $0.hasOpaqueIDToken = $1 }),
    .init(
      "id_token_signing_alg_values_supported",
      .some(.list(.text()), \.idTokenAlgorithms) { $0.idTokenAlgorithms = $1 }),
    .init(
      "dpop_signing_alg_values_supported",
      .some(.list(.text()), \.proofAlgorithms) { $0.proofAlgorithms = $1 }),
    .init("token_type", .some(.text(), \.tokenType) { $0.tokenType = $1 }),
    .init("required_token_members", .unusual(.list(.text()), \.ownTokenMembers) { $0.ownTokenMembers = $1 }),
    .init("userinfo_request", .unusual(.object(), \.userinfoRequest) { $0.userinfoRequest = $1 }),
    .init("logout_request", .some(.object(), \.logoutRequest) { $0.logoutRequest = $1 }),
    .init("agents", .unusual(.list(.choice()), \.agents) { $0.agents = $1 }),
    .init(
      "window_size", .some(.parsed(WindowSize.init, else: .windowSize), \.windowSize) { $0.windowSize = $1 }),
    .init("api_origins", .unusual(.list(.origin()), \.apiOrigins) { $0.apiOrigins = $1 }),
    .init("git_hosts", .unusual(.list(.host()), \.gitHosts) { $0.gitHosts = $1 }),
    .init("git_user", .unusual(.text(), \.gitUser) { $0.gitUser = $1 }),
    .init("registry_user", .some(.text(), \.registryUser) { $0.registryUser = $1 }),
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
