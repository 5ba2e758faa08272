import LoginCore

/// How well a kept account fits a request, from not at all to completely.
package enum AccountFit: Comparable, Sendable {
  /// The account is of another provider or client.
  case none
  /// The account is of the same client at the same server, which may have new addresses: a login with the request may take
  /// the account's place.
  case server
  /// The account is of the same provider and client.
  case client
  /// The account's token could have come from the request: the account has the whole scope, too.
  case token
}

extension Account {
  /// Returns how well the account fits a request. A request without a client fits each.
  package func fit(_ request: LoginRequest) -> AccountFit {
    let (own, other) = (login.provider, request.provider)
    guard request.clientID.isEmpty || request.clientID.isIdentical(to: login.clientID) else { return .none }
    let isSameProvider =
      own.issuer == nil && other.issuer == nil
      ? [EndpointName.authorization, .token, .deviceAuthorization].allSatisfy { name in
        other.endpoints[name].map { $0 == own.endpoints[name] } ?? true
      } : own.issuer == other.issuer
    if isSameProvider {
      let scope = LoginRequest.union(login.scope, "")
      let isWhole = LoginRequest.union(login.scope, request.scope ?? "").isIdentical(to: scope)
      return isWhole ? .token : .client
    }
    // The addresses of a provider without an issuer may change with a new version of its API.
    guard own.issuer == nil || other.issuer == nil else { return .none }
    let isSameServer = [EndpointName.authorization, .token].contains { name in
      other.endpoints[name].map { $0.origin == own.endpoints[name]?.origin } ?? false
    }
    return isSameServer ? .server : .none
  }
}

extension Account {
  /// The user who signed in: as a verified id_token says, or else as the caller of the login did.
  package var user: String? { token.userName ?? login.loginHint }

  /// The name, with the user in parentheses if that is known.
  var label: String {
    let name = name.description.forDisplay(limit: 60)
    return user.map { "\(name) (\($0.forDisplay(limit: 60)))" } ?? name
  }
}

/// The members of an account's document that are ours and not the core's.
extension Account {
  /// The name under which the cookies of the login are kept.
  package var session: String? {
    get { extra["session"]?.string }
    set { extra["session"] = newValue.map(JSONValue.string) }
  }

  /// True if a token without an expiry date is good for ever: p2/OAuth2's `token_assume_unexpired`.
  package var assumesUnexpired: Bool {
    get { (extra["token_assume_unexpired"] ?? true) == true }
    set { extra["token_assume_unexpired"] = newValue ? nil : false }
  }
}

extension LoginRequest {
  /// The request with the user of a kept account, so that the provider's page offers that user. The caller's own hint wins.
  /// An id_token in the address of a page would be seen by all who see that address, so only a preset can ask for it.
  func hinting(atUserOf account: Account) -> LoginRequest {
    var request = self
    func add(_ name: String, _ value: String?) {
      if let value, parameter(name) == nil { request.parameters.append(Parameter(name, value)) }
    }
    let claims = account.token.claims
    add("login_hint", ["preferred_username", "email"].lazy.compactMap { claims?[$0]?.string }.first)
    if provider.takesIDTokenHint { add("id_token_hint", account.token.idToken) }
    return request
  }
}
