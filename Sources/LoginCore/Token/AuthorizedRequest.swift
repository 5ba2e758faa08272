// Requests that carry a token, to a provider's endpoint or to a resource server.

extension Dependencies {
  /// Returns the transport to servers that take the token. If the token is bound to a key, every request gets a proof
  /// that names the token (RFC 9449 section 7). Use one transport for all requests of a login, since it remembers the
  /// servers' nonces.
  func resourceTransport(for token: Token) throws(Failure) -> any HTTPTransport {
    guard let key = try token.boundKey(cryptography), let accessToken = token.accessToken else {
      return transport
    }
    return DPoPTransport(self, key: key, accessToken: accessToken)
  }
}

extension Token {
  /// Returns the key that the token is bound to, or nil if it is not bound. Throws if the key was not kept with the
  /// token.
  func boundKey(_ cryptography: any Cryptography) throws(Failure) -> (any SigningKey)? {
    guard isBound else { return nil }
    guard let proofKey else { throw .noProofKey }
    return try cryptography.keptProofKey(proofKey)
  }
}

extension Provider.RequestForm {
  /// Returns the request. The token goes only into the header field (RFC 6750 section 2.1, RFC 9700 section 4.3.2).
  /// If a posted form carries the id_token, the access token is not sent at all.
  func request(
    to endpoint: Endpoint, with token: Token, clientID: String, headers: ParameterList
  ) throws(Failure) -> HTTPRequest {
    let isProven = method == .post && members.contains("id_token")
    let headers = (isProven ? [] : ParameterList([try Self.authorization(with: token)])) + headers
    let form = try Self.parameters(members, of: token, clientID)
    let query = try Self.parameters(query, of: token, clientID)
    return switch method {
    case .post: HTTPRequest(post: form, to: endpoint.adding(query), headers: headers)
    case .delete: HTTPRequest(delete: endpoint.adding(query + form), headers: headers)
    default: HTTPRequest(get: endpoint.adding(query + form), headers: headers)
    }
  }

  private static func authorization(with token: Token) throws(Failure) -> Parameter {
    guard token.accessToken != nil else { throw .noAccessToken }
    return try AuthorizationHeader(token).field
  }

  /// Returns the parameters that the provider wants beside the token: the client, or members of the token.
  private static func parameters(
    _ names: [String], of token: Token, _ clientID: String
  ) throws(Failure) -> [Parameter] {
    try names.map { name throws(Failure) in
      let value = name == "client_id" ? clientID : token.allMembers[name]?.string ?? ""
      guard !value.isEmpty else {
        throw Failure(
          .invalidConfiguration, "\(name, upTo: 60) is missing, and this provider requires it")
      }
      return Parameter(name, value)
    }
  }
}

extension Failure {
  package static let noProofKey = Failure(
    .invalidConfiguration, "the key that the token is bound to is missing", hint: .keepProofKey)
  static let noAccessToken = Failure(.invalidConfiguration, "there is no access token for this request")
}

extension AuthorizationHeader {
  /// Creates the header field for a token, which may come from a file or an agent. Refuses a token of an unknown type
  /// (RFC 6749 section 7.1), such as one that is not an access token (RFC 8693 section 2.2.1).
  package init(_ token: Token) throws(Failure) {
    guard let accessToken = token.accessToken else { throw .missingToken(["access_token"]) }
    if let type = token.type, !["bearer", "dpop"].contains(type.lowercased()) {
      throw .unsupportedTokenType(type)
    }
    try self.init(accessToken, scheme: token.scheme)
  }
}
