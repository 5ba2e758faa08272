/// An answer of an API that is no success: the request was refused, or nobody carried it out.
public struct ResourceFault: Sendable, Equatable {
  /// The status code (RFC 9110 section 15).
  public let status: Int
  /// What the server says in its challenge (RFC 6750 section 3).
  let challenge: ProviderError?
  /// Whether nothing was tried that might have helped, because the body of the request could not be sent again.
  public let isUntried: Bool

  /// Nothing for a success.
  public init?(_ head: HTTPResponse, isUntried: Bool = false) {
    if (200..<300).contains(head.status) { return nil }
    status = head.status
    challenge = ProviderError(head.challenges)
    self.isUntried = isUntried
  }

  /// Whether the server understood the request and did not want it. A redirect is none, and no answer either.
  var isRefusal: Bool { (400..<500).contains(status) }

  /// Whether it may be better the next time.
  var isPassing: Bool { status >= 500 || status == 408 || status == 429 || isUntried }

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

  /// What happened, for a person.
  var message: String {
    var text = "the server answered with HTTP \(status)"
    if (300..<400).contains(status) { text += ", and no redirect is followed with a token" }
    if isUntried {
      text += ", and a body from standard input cannot be sent twice"
      if challenge?.code != "use_dpop_nonce" { text += "; the next request has a new token" }
    }
    if let challenge {
      text += ": " + challenge.code.forDisplay(limit: 100)
      if let words = challenge.description?.forDisplay(limit: 300), !words.isEmpty { text += ": " + words }
    }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
