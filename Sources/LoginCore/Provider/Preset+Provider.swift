/// The provider that a preset describes.
extension Preset {
  func provider(filledIn template: Template) throws(PresetFault) -> Provider {
    var provider = Provider()
    provider.name = name
    provider.issuer = try address("issuer", template) { text throws(AddressFault) in try Issuer(text) }
    provider.sendsIssuer = json["authorization_response_iss_parameter_supported"]?.bool ?? false
    for name in EndpointName.allCases {
      provider.endpoints[name] = try address(name.rawValue, template) { text throws(AddressFault) in
        try Endpoint(text)
      }
    }
    provider.grant = json["grant"]?.string.flatMap(GrantType.init) ?? .code
    provider.responseType =
      json["response_type"]?.string.flatMap(ResponseType.init)
      ?? (provider.grant == .implicit ? .token : .code)
    provider.responseMode = json["response_mode"]?.string.flatMap(ResponseMode.init)
    provider.scope = try json["scope"]?.string.map { text throws(PresetFault) in
      try filledIn(text, "scope", template)
    }
    provider.pkce = json["pkce"]?.string.flatMap(CodeChallengeMethod.init) ?? .s256
    provider.redirectURI = try address("redirect_uri", template) { text throws(AddressFault) in
      try RedirectURI(text)
    }
    provider.redirectAliases = try addresses("redirect_aliases", template) { text throws(AddressFault) in
      try RedirectURI(text)
    }
    provider.errorPages = try addresses("error_pages", template) { text throws(AddressFault) in
      try ErrorPage(text)
    }
    provider.authorizationParameters = try parameters("authorization_parameters", template)
    provider.parameterNames = Dictionary(
      texts("parameter_names").map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    provider.clientAuthentication = json["client_authentication"]?.string.flatMap(ClientAuthentication.init)
    provider.clientAuthentications =
      json["token_endpoint_auth_methods_supported"] == nil
      ? nil : strings("token_endpoint_auth_methods_supported")
    provider.headers = try headers(template)
    provider.tokenParameters = try parameters("token_parameters", template)
    provider.pushesRequests =
      json["require_pushed_authorization_requests"]?.bool
      ?? (provider.endpoints[.pushedAuthorizationRequest] != nil)
    provider.bindsTokens = json["dpop_bound_access_tokens"]?.bool ?? false
    provider.tokenRequestForm = json["token_request"]?.string.flatMap(TokenRequestForm.init) ?? .form
    provider.echoesTokenState = json["token_state"]?.string == "echoed"
    provider.callbackParameters = strings("callback_parameters")
    provider.hasOpaqueIDToken = json["id_token"]?.string == "opaque"
    provider.idTokenIssuer = try idTokenIssuer()
    provider.authorizationScheme = try authorizationScheme()
    provider.deviceGrant = Provider.DeviceGrant(json["device_grant"])
    provider.revocationMembers = json["revocation_request"]?.object?["members"]?.array?.compactMap(\.string)
    provider.refreshRefusals = strings("refresh_refusals")
    provider.idTokenAlgorithms = json["id_token_signing_alg_values_supported"]?.array?.compactMap(\.string)
    provider.proofAlgorithms = json["dpop_signing_alg_values_supported"]?.array?.compactMap(\.string)
    provider.userinfoRequest = Provider.RequestForm(json["userinfo_request"]) ?? Provider.RequestForm()
    provider.logoutRequest = Provider.RequestForm(json["logout_request"])
    provider.tokenType = json["token_type"]?.string
    provider.ownTokenMembers = strings("required_token_members")
    provider.agents = strings("agents").compactMap(Way.init)
    provider.apiOrigins = try strings("api_origins").map { pattern throws(PresetFault) in
      try filledIn(pattern, "api_origins", template) { text throws(AddressFault) in
        try Origin(Self.hasPath(pattern) ? text : Self.withoutPath(text))
      }
    }
    provider.gitHosts = try strings("git_hosts").map { text throws(PresetFault) in
      try filledIn(text, "git_hosts", template).splitOnce(at: "/").0
    }
    if let user = json["git_user"]?.string { provider.gitUser = user }
    return provider
  }

  private func strings(_ key: String) -> [String] {
    (json[key]?.array ?? []).compactMap(\.string)
  }

  func texts(_ key: String) -> [(name: String, value: String)] {
    (json[key]?.object ?? [:]).compactMap { member in member.value.string.map { (member.name, $0) } }
  }

  private func parameters(_ key: String, _ template: Template) throws(PresetFault) -> [Parameter] {
    try texts(key).map { text throws(PresetFault) in
      Parameter(text.name, try filledIn(text.value, key, template))
    }
  }

  /// Braces in it name a claim, and no variable.
  private func idTokenIssuer() throws(PresetFault) -> IssuerPattern? {
    guard let text = json["id_token_issuer"]?.string else { return nil }
    guard let pattern = IssuerPattern(text) else {
      throw fault(["id_token_issuer"], .issuerPattern)
    }
    return pattern
  }

  /// It becomes part of a header field (RFC 9110 section 11.1).
  private func authorizationScheme() throws(PresetFault) -> String? {
    guard let text = json["authorization_scheme"]?.string else { return nil }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else {
      throw fault(["authorization_scheme"], .authorizationScheme)
    }
    return text
  }

  private func headers(_ template: Template) throws(PresetFault) -> [Parameter] {
    let headers = try parameters("headers", template)
    for header in headers {
      if let reason = ReservedNames.fault(ofHeader: header) {
        throw fault(["headers", header.name], .header(header.name, reason))
      }
    }
    return headers
  }

  private func filledIn(_ text: String, _ key: String, _ template: Template) throws(PresetFault) -> String {
    do throws(TemplateFault) {
      return try template.text(text)
    } catch {
      throw fault([key], .template(member: key, error))
    }
  }

  /// A server that is given with its path has an origin all the same; one that the file itself has is a mistake.
  private static func withoutPath(_ text: String) -> String {
    let start = text.startOfAuthority ?? text.startIndex
    return String(text[..<start]) + String(text[start...]).splitOnce(at: "/").0
  }

  private static func hasPath(_ pattern: String) -> Bool { !withoutPath(pattern).isIdentical(to: pattern) }

  private func address<Address>(
    _ key: String, _ template: Template, _ parse: (String) throws(AddressFault) -> Address
  ) throws(PresetFault) -> Address? {
    guard let text = json[key]?.string else { return nil }
    return try filledIn(text, key, template, parse)
  }

  private func addresses<Address>(
    _ key: String, _ template: Template, _ parse: (String) throws(AddressFault) -> Address
  ) throws(PresetFault) -> [Address] {
    try strings(key).map { text throws(PresetFault) in try filledIn(text, key, template, parse) }
  }

  private func filledIn<Address>(
    _ text: String, _ key: String, _ template: Template, _ parse: (String) throws(AddressFault) -> Address
  ) throws(PresetFault) -> Address {
    do throws(TemplateFault) {
      let address = try template.address(text)
      do throws(AddressFault) { return try parse(address) } catch { throw .address(address, error) }
    } catch {
      throw fault([key], .template(member: key, error))
    }
  }
}
