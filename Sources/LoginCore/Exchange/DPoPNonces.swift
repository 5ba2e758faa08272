/// The newest nonce of each server (RFC 9449 sections 8 and 9). Authorization servers and those that take tokens have
/// nonces of their own, so these are of servers of one of the two kinds.
struct DPoPNonces: Sendable {
  private var newest: [String: String] = [:]

  /// What the next proof for this server has to carry, if anything.
  subscript(endpoint: Endpoint) -> String? { newest[endpoint.origin] }

  /// Takes over what comes with an answer: a newer nonce takes the place of an older one.
  mutating func note(_ response: HTTPResponse, from endpoint: Endpoint) {
    if let nonce = response.nonce { newest[endpoint.origin] = nonce }
  }
}

extension HTTPResponse {
  /// What the server wants to find in the next proof, if that can be (RFC 9449 section 8.1).
  fileprivate var nonce: String? {
    self[header: "DPoP-Nonce"].flatMap { !$0.isEmpty && $0.utf8.allSatisfy(\.isVisible) ? $0 : nil }
  }

  /// Whether the server wants the request again with the nonce that it sends along: an authorization server says
  /// so in its body, a resource server in a challenge (RFC 9449 sections 8 and 9).
  package var asksForNonce: Bool {
    guard status == 400 || status == 401, nonce != nil else { return false }
    return isChallenged(with: "use_dpop_nonce")
      || (try? JSONReader.read(body))?.object?["error"] == "use_dpop_nonce"
  }

  /// Whether a server that takes tokens wants another one (RFC 6750 section 3.1): not where it has something against
  /// the proof alone (RFC 9449 section 7.1).
  package var refusesToken: Bool {
    status == 401 && !isChallenged(with: "use_dpop_nonce") && !isChallenged(with: "invalid_dpop_proof")
  }

  private func isChallenged(with code: String) -> Bool {
    challenges.contains { $0.isForToken && $0.parameters["error"]?.isIdentical(to: code) == true }
  }
}
