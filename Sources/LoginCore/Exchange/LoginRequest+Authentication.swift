/// What the request says about how the user has to sign in (OpenID Connect Core sections 3.1.2.1 and 5.5.1.1).
extension LoginRequest {
  /// The authentication contexts of which one has to be met: those of `acr_values`, and those that the
  /// `claims` parameter asks of the id_token.
  var authenticationContexts: [String] {
    (parameter("acr_values") ?? "").parts(at: " ").filter { !$0.isEmpty } + claimedContexts
  }

  private var claimedContexts: [String] {
    guard let text = parameter("claims"), let claims = try? JSONReader.read(Array(text.utf8)),
      let asked = claims.object?["id_token"]?.object?["acr"]?.object
    else { return [] }
    return ([asked["value"]] + (asked["values"]?.array ?? [])).compactMap { $0?.string }
  }

  /// A parameter of the request: the caller's, else the preset's.
  package func parameter(_ name: String) -> String? {
    let all = parameters + provider.authorizationParameters
    return all.first { $0.name.isIdentical(to: name) }?.value
  }
}
