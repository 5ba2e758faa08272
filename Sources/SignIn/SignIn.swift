import GLibSupport
import LoginCore
import Platform
import WindowProtocol

/// Gets new tokens. It finds or registers a client if a request names none, chooses the way to the user, and runs the grant.
@GLibActor
package final class SignIn {
  package nonisolated let host: Host
  package nonisolated let options: SignInOptions

  package nonisolated init(_ host: Host, _ options: SignInOptions) {
    (self.host, self.options) = (host, options)
  }

  /// Returns a new token, and the request that brought it: in the name of its own client, or of the kept one, or of one
  /// that is registered now. If the provider no longer knows the kept client, another one is registered, once.
  package func login(
    _ wanted: LoginRequest
  ) async throws(Failure) -> (login: LoginRequest, token: Token) {
    if options.needsUser(for: wanted) { host.tell(.begun) }
    guard wanted.mayRegister else { return (wanted, try await token(for: wanted)) }
    let port = ReservedPort(
      for: wanted.redirectURI, requester: options.replacesWays ? nil : host.requester, host.cryptography)
    return try await wanted.signedIn { () async throws(Failure) in
      let found = try await ClientRegistration(host, options.registration).client(for: wanted, at: port)
      if found.isNew { host.tell(.registered(isKept: options.registration.isKept)) }
      return found
    } forget: { login async throws(Failure) in
      host.tell(.clientForgotten)
      try await host.store.forgetClient(of: login)
    } _: { request async throws(Failure) in
      try await token(for: request, at: port)
    }
  }

  /// Returns the account with a new token.
  package func account(_ account: Account) async throws(Failure) -> Account {
    if options.needsUser(for: account.login) { host.tell(.accountNeedsLogin) }
    try await host.store.prepare()
    let wanted = try await newLogin(of: account)
    // Another login does not exchange the caller's token again.
    var options = options.with(account)
    options.exchanged = nil
    let (login, token) = try await SignIn(host, options).login(wanted)
    var renewed = account.loggedIn(by: login, with: token, receivedAt: host.clock.now())
    renewed.session = options.cookies?.text ?? account.session
    if account.resource != nil {
      renewed.provider = login.provider.issuer?.description
      renewed.hasRegisteredClient = wanted.clientID.isEmpty
    }
    return renewed
  }

  /// The request of a new login. If the account is for an API, this first asks the API which server issues its tokens now.
  private func newLogin(of account: Account) async throws(Failure) -> LoginRequest {
    guard let resource = account.resource else { return account.newLogin }
    let bringsSecret = options.client?.bringsSecret(to: account) ?? false
    if bringsSecret, options.issuer == nil { throw .secretForUnknownServer }
    let found = try await host.found(resource)
    if bringsSecret, found.provider.issuer != options.issuer {
      throw .otherServers(of: resource.description, [found.provider.issuer].compactMap(\.self))
    }
    return account.newLogin(
      at: found, redirectURI: try .onThisMachine(for: found.provider), naming: options.client)
  }

  private func token(for request: LoginRequest, at port: ReservedPort? = nil) async throws(Failure) -> Token {
    try options.check(request)
    let token = try await newToken(for: request, at: port)
    if request.lacksConsent(for: token) { host.tell(.refreshTokenMissing) }
    return token
  }

  private func newToken(for request: LoginRequest, at port: ReservedPort?) async throws(Failure) -> Token {
    switch request.grant {
    case .clientCredentials, .password, .tokenExchange: return try await directToken(for: request)
    case .device:
      let ways: [LoginWay] =
        request.provider.usesLoginFlow ? [.device, .window, .browser] : [.device, .window]
      if let asked = options.way, !ways.contains(asked) {
        throw Failure(
          .invalidConfiguration,
          asked == .paste
            ? "the device grant does not use pasting" : "the device grant does not use the \(asked.rawValue)",
          hint: .useCodeGrant)
      }
      return try await deviceToken(for: request)
    case .code, .implicit:
      do throws(Failure) {
        return try await pageToken(for: request, port)
      } catch {
        // A caller that does not want a page needs to know only that the user has to sign in.
        guard options.isSilent, [.noDisplay, .noUserAgent].contains(error.code) else { throw error }
        throw Failure(.loginRequired, "the user may not be asked, and \(error.message)")
      }
    }
  }

  /// A token for which the user signs in on a page of the provider, or on another device if no page can be shown.
  private func pageToken(
    for wanted: LoginRequest, _ port: ReservedPort?
  ) async throws(Failure) -> Token {
    if options.way == .device, !options.replacesWays { return try await deviceToken(for: wanted) }
    try wanted.validate(for: .page)
    if wanted.responseType.includesToken, !wanted.provider.responseType.includesToken {
      // RFC 9700 section 2.1.2. A preset with this response type has no better one.
      host.tell(.implicitGrant)
    }
    let router = Router(host, options, for: wanted)
    var request = options.replacesWays ? wanted : try await described(wanted)
    request = request.asked(in: host.environment.languages)
    if let kept = options.kept { request = request.hinting(atUserOf: kept) }
    let question = router.question(for: request)
    if !options.replacesWays, router.choice(question).ways.first == .device {
      return try await deviceToken(for: request)
    }
    let route = try await router.route(question, of: request.provider, at: port)
    request.redirectURI = route.redirectURI
    // The user takes longer to sign in than this takes, and waits for the token afterwards.
    if request.responseType.includesCode, let endpoint = request.provider.endpoints[.token] {
      host.network.prepare(for: endpoint)
    }
    return try await LoginSession(agent: route.agent, host.dependencies).token(for: request)
  }

  /// The request with the issuer's metadata, if that decides the way: without a display, a code for another device may be
  /// the only one.
  private func described(_ request: LoginRequest) async throws(Failure) -> LoginRequest {
    if host.environment.hasDisplay || options.way != nil || request.responseType != .code { return request }
    return try await request.completed(needing: [.deviceAuthorization], through: host.transport)
  }
}

extension LoginRequest {
  /// True if the request wants a refresh token that has not come. A provider may ignore this scope unless it is told to ask the
  /// user (OpenID Connect Core section 11). Others would then ask at every sign-in, or demand an administrator, so this is for
  /// the caller to decide.
  fileprivate func lacksConsent(for token: Token) -> Bool {
    token.refreshToken == nil && parameter("prompt") == nil
      && (scope ?? "").split(separator: " ").contains("offline_access")
  }

  /// Returns the request with the languages for the provider's pages (OpenID Connect Core section 3.1.2.1), unless it has
  /// some. Without OpenID Connect, the parameter is unknown and is left out.
  func asked(in languages: UserLanguages) -> LoginRequest {
    guard isForOpenID, !languages.names.isEmpty, parameter("ui_locales") == nil else { return self }
    var request = self
    request.parameters.append(Parameter("ui_locales", languages.names.joined(separator: " ")))
    return request
  }
}
