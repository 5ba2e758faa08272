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
