/// The server that issues the tokens of an API, as it describes itself (RFC 8414 section 2).
struct AuthorizationServer: Sendable {
  /// The server as a login knows it.
  let provider: Provider
  /// Where it was read.
  let address: Endpoint
  /// What its tokens may be good for.
  let scopes: [String]
  /// Whether a client may be an address at which it describes itself.
  let takesClientDocuments: Bool

  /// Refuses a server at which a login could not be bound to its request, or could not begin.
  init(_ metadata: JSONObject, of issuer: Issuer, at address: Endpoint) throws(Failure) {
    // RFC 7636 is as good as demanded by OAuth 2.1 section 7.5.1; a server that does not say it may do without.
    let methods = metadata["code_challenge_methods_supported"]?.array?.compactMap(\.string) ?? []
    guard methods.contains(where: CodeChallengeMethod.s256.rawValue.isIdentical) else {
      throw .untrusted(.metadata(.noS256(issuer: issuer.description)))
    }
    var provider = Provider()
    provider.issuer = issuer
    let needed: [EndpointName] = [.authorization, .token]
    try provider.complete(with: metadata, needing: needed)
    for name in needed where provider.endpoints[name] == nil {
      throw .network(.badResponse(.metadataMember(issuer, name.rawValue)))
    }
    // There is nothing else to be found out by asking again.
    provider.isDescribed = true
    (self.provider, self.address) = (provider, address)
    scopes = metadata["scopes_supported"]?.array?.compactMap(\.string) ?? []
    takesClientDocuments = metadata["client_id_metadata_document_supported"]?.bool ?? false
  }
}
