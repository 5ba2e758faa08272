/// What a server answers to a request that lacks the right credentials (RFC 9110 section 11.6.1).
package struct Challenge: Sendable, Equatable {
  /// The scheme, in lower case.
  let scheme: String
  /// What stands in place of parameters in schemes that are older than those.
  let token68: String?
  /// The parameters by their names in lower case; of several with one name the first.
  let parameters: [String: String]

  /// Whether a token is asked for (RFC 6750 section 3, RFC 9449 section 7.1).
  package var isForToken: Bool { ["bearer", "dpop"].contains(scheme) }

  /// All challenges in a field. What cannot be read ends the list.
  package static func list(_ field: String) -> [Challenge] {
    var reader = ChallengeReader(rest: Array(field.utf8)[...])
    var challenges: [Challenge] = []
    while let challenge = reader.next() { challenges.append(challenge) }
    return challenges
  }
}

extension HTTPResponse {
  /// The challenges of all fields.
  var challenges: [Challenge] {
    headers.filter { $0.name.lowercased() == "www-authenticate" }.flatMap { Challenge.list($0.value) }
  }
}

extension HTTPResponse {
  /// What a server that takes tokens says of the one it wants: the challenge that leads to it, if one does (RFC 9728
  /// section 5.1).
  package var challengeForToken: Challenge? {
    let challenges = challenges.filter(\.isForToken)
    return challenges.first { $0.parameters["resource_metadata"] != nil } ?? challenges.first
  }
}

extension ProviderError {
  /// The error that a server which takes tokens names in a challenge, if it does.
  init?(_ challenges: [Challenge]) {
    for challenge in challenges where challenge.isForToken {
      guard let code = challenge.parameters["error"], !code.isEmpty else { continue }
      let parameters = challenge.parameters
      self.init(code: code, description: parameters["error_description"], uri: parameters["error_uri"])
      return
    }
    return nil
  }
}

extension ResourceFault {
  /// Nothing for a success.
  package init?(_ head: HTTPResponse, isUntried: Bool = false) {
    self.init(status: head.status, challenge: ProviderError(head.challenges), isUntried: isUntried)
  }
}
