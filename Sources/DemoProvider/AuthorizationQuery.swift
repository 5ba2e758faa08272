import LoginCore

/// Where an answer goes. It is known before anything else of a request, and without it nothing is sent
/// anywhere.
struct AnswerAddress: Sendable {
  let redirectURI: String
  var usesFragment: Bool
  let state: String?
  let issuer: String

  /// The callback, which always names its issuer (RFC 9207 section 2).
  func callback(_ parameters: [Parameter]) -> String {
    var all = parameters
    if let state { all.append(Parameter("state", state)) }
    all.append(Parameter("iss", issuer))
    return redirectURI + (usesFragment ? "#" : "?") + FormEncoding.encode(all)
  }

  /// The callback of a refusal (RFC 6749 sections 4.1.2.1 and 4.2.2.1).
  func callback(_ error: OAuthError) -> String {
    callback([
      Parameter("error", error.code.rawValue), Parameter("error_description", error.description),
    ])
  }
}

/// An authorization request that can be answered (RFC 6749 sections 4.1.1 and 4.2.1, OpenID Connect Core sections
/// 3.2.2.1 and 3.3.2.1).
struct AuthorizationQuery: Sendable {
  let type: ResponseType
  /// What the code is bound to, if one was asked for.
  let challenge: String?
  let address: AnswerAddress
  let scope: [DemoScope]
  let nonce: String?
  let loginHint: String?

  init(_ parameters: ParameterList, address: AnswerAddress) throws(OAuthError) {
    try OAuthError.refuseRepeated(in: parameters)
    if parameters["request"] != nil { throw OAuthError(.requestNotSupported, "Not supported here.") }
    if parameters["request_uri"] != nil { throw OAuthError(.requestURINotSupported, "Not supported here.") }
    let mode = parameters["response_mode"]
    guard let type = parameters["response_type"].flatMap(ResponseType.init) else {
      throw OAuthError(.unsupportedResponseType, "There is code, token, id_token, and any of them together.")
    }
    self.type = type
    challenge = type.includesCode ? try Self.challenge(parameters) : nil
    if let mode, !(mode == "fragment" || mode == "query" && !address.usesFragment) {
      throw OAuthError(.invalidRequest, "This response_mode is not possible here.")
    }
    self.address = address
    scope = try DemoScope.list(parameters["scope"])
    nonce = parameters["nonce"]
    if type.includesIDToken, nonce == nil || !scope.contains(.openid) {
      throw OAuthError(.invalidRequest, "An id_token needs a nonce and the scope openid.")
    }
    // Everybody is asked at every login, and nobody is signed in before it.
    if parameters["prompt"]?.parts(at: " ").contains("none") == true {
      throw OAuthError(.loginRequired, "Nobody is signed in.")
    }
    loginHint = parameters["login_hint"]
  }

  /// Every code is bound to a verifier (RFC 9700 section 2.1.1).
  private static func challenge(_ parameters: ParameterList) throws(OAuthError) -> String {
    guard let challenge = parameters["code_challenge"], parameters["code_challenge_method"] == "S256",
      challenge.utf8.count == 43, CodeVerifier(challenge).isWellFormed
    else { throw OAuthError(.invalidRequest, "A code_challenge with the method S256 is required.") }
    return challenge
  }
}
