/// The metadata of an API (RFC 9728 section 2).
struct ResourceMetadata: Sendable, Equatable {
  /// The address of the document.
  let address: Endpoint
  /// The API's own name, for which tokens are requested.
  let resource: String
  /// The servers that issue its tokens, in the order of the document. Servers that no request may go to are left out.
  let authorizationServers: [Issuer]
  /// The scopes that its tokens may have.
  let scopes: [String]
  /// True if the API takes only tokens that are bound to a key (RFC 9449).
  let bindsTokens: Bool

  /// Returns nil if there is no document. Refuses a document about another API, unless the API that was `asked` is part of
  /// that one (section 3.3). `isNamed` is true if the API itself named the address, so that the document must be there.
  init?(
    _ response: HTTPResponse, at address: Endpoint, about asked: ProtectedResource, isNamed: Bool
  ) throws(Failure) {
    let place = address.description
    guard response.status == 200 else {
      if isNamed || response.status >= 500 {
        throw .notOAuth(
          "\(place, upTo: 200) answered with HTTP \(response.status)",
          isRetryable: response.status.isPassingStatus)
      }
      return nil
    }
    let members = try JSONReader.members(of: response.body) { error -> Failure in
      .notOAuth("\(place, upTo: 200): \(error.message)")
    }
    guard let resource = members["resource"]?.string else { throw .uselessMember("resource", at: place) }
    guard let named = try? ProtectedResource(resource), named.contains(asked) else {
      throw Failure(
        .untrustedMetadata,
        "the API at \(asked.description, upTo: 200) describes itself under another address: \(resource, upTo: 200)",
        details: [
          "resource": .string(asked.description.forDisplay(limit: 200)),
          "named": .string(resource.forDisplay(limit: 200)),
        ])
    }
    (self.address, self.resource) = (address, resource)
    authorizationServers = try Self.texts("authorization_servers", in: members, at: place).compactMap {
      text in
      // A server from elsewhere may not name an address that is nearer to this machine than its own.
      (try? Endpoint(text, namedBy: asked.description)).flatMap { _ in try? Issuer(text) }
    }
    scopes = try Self.texts("scopes_supported", in: members, at: place)
    bindsTokens = members["dpop_bound_access_tokens_required"]?.bool ?? false
  }

  private static func texts(
    _ name: String, in members: JSONObject, at place: String
  ) throws(Failure) -> [String] {
    guard let value = members[name], value != .null else { return [] }
    guard let values = value.array?.map(\.string), !values.contains(nil) else {
      throw .uselessMember(name, at: place)
    }
    return values.compactMap(\.self)
  }
}

extension Failure {
  /// The API, or its metadata at this address, has a member or a parameter that is of no use.
  static func uselessMember(_ name: String, at address: String) -> Failure {
    .notOAuth("\(address, upTo: 200): \(name) cannot be used")
  }
}
