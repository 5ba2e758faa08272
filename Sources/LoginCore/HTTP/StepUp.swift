/// A demand of an API for another login, made in its refusal of a valid token.
package enum StepUp: Sendable, Equatable {
  /// The token needs this scope (RFC 6750 section 3.1).
  case scope(String)
  /// The user must have signed in in one of these ways, and at most `maxAge` seconds ago (RFC 9470 section 3).
  case authentication(contexts: String?, maxAge: String?)

  /// Reads the head of a refusal. Returns nil if it does not say which login would help.
  package init?(_ head: HTTPResponse) {
    for challenge in head.challenges where challenge.isForToken {
      let parameters = challenge.parameters
      switch (head.status, parameters["error"]) {
      case (403, "insufficient_scope"?):
        guard let scope = parameters["scope"], !scope.isEmpty else { continue }
        self = .scope(scope)
        return
      case (401, "insufficient_user_authentication"?):
        let maxAge = parameters["max_age"].flatMap { UInt32($0) == nil ? nil : $0 }
        guard parameters["acr_values"] != nil || maxAge != nil else { continue }
        self = .authentication(contexts: parameters["acr_values"], maxAge: maxAge)
        return
      default: continue
      }
    }
    return nil
  }

  /// The parameters that an authorization request needs in place of its own.
  var parameters: [Parameter] {
    guard case .authentication(let contexts, let maxAge) = self else { return [] }
    return [contexts.map { Parameter("acr_values", $0) }, maxAge.map { Parameter("max_age", $0) }]
      .compactMap(\.self)
  }
}
