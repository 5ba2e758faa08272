import LoginCore

extension ProviderError {
  var words: Sentence {
    let refusal: Sentence = "the provider refused: \(code.forDisplay(limit: 100))"
    guard let description = description?.forDisplay() else {
      return explanation.map { "\(refusal): \($0)" } ?? refusal
    }
    return description.isEmpty ? refusal : "\(refusal): \(description.withoutFullStop)"
  }

  /// What may help.
  var hint: Sentence? {
    switch remark {
    case .noSecret:
      """
      if the provider gave your application a secret, sign in with --client-secret-file FILE or \
      TOKENTRY_CLIENT_SECRET
      """
    case .sessionNotEnded, .tokenNotRevoked, .clientNotDeleted: "--force forgets it here all the same"
    case .codeExpired, nil: nil
    }
  }

  /// What we know where the provider does not say it.
  var explanation: Sentence? {
    switch remark {
    case .codeExpired: "nobody signed in while the code was valid"
    case .sessionNotEnded: "the session has not been ended"
    case .tokenNotRevoked: "the token has not been revoked and is still valid"
    case .clientNotDeleted: "the client has not been deleted"
    case .noSecret: "no client secret was sent"
    case nil: page == nil ? nil : "the provider showed an error page"
    }
  }
}

extension ResourceFault {
  /// The server's own word, else the one of RFC 6750 section 3.1 for such an answer.
  var code: String {
    if let challenge { return challenge.code }
    return switch status {
    case 401: "invalid_token"
    case 403: "insufficient_scope"
    case 400..<500: "invalid_request"
    case 500...: "server_error"
    default: "bad_provider_response"
    }
  }

  var words: Sentence {
    guard let challenge else { return answer }
    let code = challenge.code.forDisplay(limit: 100).withoutFullStop
    let description = challenge.description?.forDisplay(limit: 300).withoutFullStop ?? ""
    return description.isEmpty ? "\(answer): \(code)" : "\(answer): \(code): \(description)"
  }
  private var answer: Sentence {
    if isUntried, challenge?.code == "use_dpop_nonce" {
      return "the server answered with HTTP \(status), and a body from standard input cannot be sent twice"
    }
    if isUntried {
      return """
        the server answered with HTTP \(status), and a body from standard input cannot be sent twice; \
        the next request will use a new token
        """
    }
    // What the caller has already (304) is at no other place.
    return (300..<400).contains(status) && status != 304
      ? "the server answered with HTTP \(status), and redirects are not followed with a token"
      : "the server answered with HTTP \(status)"
  }
}

extension String {
  /// For words that go on in a sentence of ours.
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
