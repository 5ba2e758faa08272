import LoginCore

extension ProviderError {
  /// Whether it may be better the next time.
  var isPassing: Bool { ["server_error", "temporarily_unavailable"].contains(code) }

  var words: String {
    var text = "the provider refused: \(code.forDisplay(limit: 100))"
    if let description = (description ?? explanation)?.forDisplay(), !description.isEmpty {
      text += ": " + (description.hasSuffix(".") ? String(description.dropLast()) : description)
    }
    return text
  }

  /// What may help.
  var hint: String? {
    remark == .noSecret
      ? "if the provider gave your application a secret, add --client-secret-file FILE or TOKENTRY_CLIENT_SECRET"
      : nil
  }

  /// What we know where the provider does not say it.
  var explanation: String? {
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

  var words: String {
    var text = "the server answered with HTTP \(status)"
    if (300..<400).contains(status) { text += ", and redirects are not followed with a token" }
    if isUntried {
      text += ", and a body from standard input cannot be sent twice"
      if challenge?.code != "use_dpop_nonce" { text += "; the next request will use a new token" }
    }
    if let challenge {
      text += ": " + challenge.code.forDisplay(limit: 100)
      if let words = challenge.description?.forDisplay(limit: 300), !words.isEmpty { text += ": " + words }
    }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
