/// Names that a request sets itself, so that neither a preset nor a caller can. They are sooner looked through than a set of
/// them is made.
package enum ReservedNames {
  /// Parameters of requests to an authorization server.
  package static let parameters = [
    "assertion", "client_assertion", "client_assertion_type", "client_id", "client_secret", "code",
    "code_challenge", "code_challenge_method", "code_verifier", "device_code", "dpop_jkt", "grant_type",
    "nonce", "password", "redirect_uri", "refresh_token", "request", "request_uri", "response_mode",
    "response_type", "scope", "state", "username",
  ]

  private static let headers = [
    "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
    "cookie", "dpop",
    "expect", "host", "keep-alive", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Why a header field cannot be added to a request, if it cannot.
  package static func fault(ofHeader header: Parameter) -> HeaderFault? {
    if headers.contains(header.name.lowercased()) { return .reserved }
    let isToken =
      !header.name.isEmpty
      && header.name.utf8.allSatisfy { $0.isVisible && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    if !isToken { return .name }
    if header.value.unicodeScalars.contains(where: \.isControl) { return .controlCharacters }
    return nil
  }
}
