/// What the server of an API wants of another login, before it takes a token that it has understood.
package enum StepUp: Sendable, Equatable {
  /// A token that is good for more (RFC 6750 section 3.1).
  case scope(String)
  /// A user who has signed in in such a way, or not longer ago than so many seconds (RFC 9470 section 3).
  case authentication(contexts: String?, maxAge: String?)

  /// Nothing where the server does not say what would help.
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

  /// The parameters of the request that change.
  var parameters: [Parameter] {
    guard case .authentication(let contexts, let maxAge) = self else { return [] }
    return [contexts.map { Parameter("acr_values", $0) }, maxAge.map { Parameter("max_age", $0) }]
      .compactMap(\.self)
  }
}
