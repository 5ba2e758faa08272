/// Options that belong together in the help.
enum OptionGroup: String, CaseIterable {
  case provider = "Provider and client"
  case request = "Request"
  case api = "Request of an API"
  case registration = "Registration"
  case account = "Accounts"
  case user = "User"
  case result = "Result"
  case testing = "Testing"
  case general = "General"

  /// Those of a command that asks the user to sign in only if it has to.
  static let asking: [Option] = [
    .silent, .agent, .browser, .timeout, .session, .parent, .title, .application, .windowSize, .noClose,
    .rendering, .trust,
    .headlessTest, .navigations, .form,
  ]

  /// Those that few logins need: the help of a command has no room to explain them.
  static let rare: Set<Option> = Set(
    Option.allCases.filter { $0.endpoint != nil } + [
      .clientAuthentication, .keySet, .responseType, .responseMode, .header, .passwordFile, .maxAge,
      .withoutState, .dpop, .loginHint, .prompt, .tokenFile, .parameter, .tokenParameter,
      .authorizationDetails, .silent, .session,
      .clientName, .initialAccessTokenFile,
      .noWait, .browser,
      .registerScheme, .title, .windowSize, .noClose, .rendering, .trust, .trace, .navigations, .form, .state,
      .nonce,
      .codeVerifier,
    ])

  var options: [Option] {
    switch self {
    case .provider:
      [.provider, .clientID, .clientSecretFile, .clientAuthentication, .redirectURI, .variable, .issuer]
        + Option.allCases.filter { $0.endpoint != nil }
    case .request:
      [
        .grant, .responseType, .responseMode, .scope, .parameter, .tokenParameter, .header, .resource,
        .authorizationDetails, .loginHint, .passwordFile, .prompt, .maxAge, .withoutState, .dpop, .request,
        .tokenFile,
      ]
    case .api: [.method, .data, .allowOrigin]
    case .registration: [.clientName, .initialAccessTokenFile]
    case .account:
      [.account, .origins, .store, .minValid, .noWait, .accessToken, .introspect, .check, .forget, .force]
    case .user:
      [
        .url, .agent, .browser, .registerScheme, .timeout, .session, .silent, .parent, .title, .application,
        .windowSize,
        .noClose,
        .rendering, .trust,
      ]
    case .result: [.output, .lines, .verbose, .trace]
    case .testing: [.headlessTest, .navigations, .form, .state, .nonce, .codeVerifier]
    case .general: [.help, .version, .json]
    }
  }
}
