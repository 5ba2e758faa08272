/// What an API says of itself (RFC 9728 section 2).
struct ResourceMetadata: Sendable, Equatable {
  /// Where it was read.
  let address: Endpoint
  /// The API as it calls itself: what tokens are asked for.
  let resource: String
  /// Who issues its tokens, in its own order; those that no request may go to are left out.
  let authorizationServers: [Issuer]
  /// What its tokens may be good for.
  let scopes: [String]
  /// Whether it takes only tokens that are bound to a key (RFC 9449).
  let bindsTokens: Bool

  /// Nothing where there is no document. One that is about another API than the one that was asked, or than an API that
  /// this one is a part of, is refused (section 3.3).
  init?(
    _ response: HTTPResponse, at address: Endpoint, about asked: ProtectedResource, isNamed: Bool
  ) throws(Failure) {
    guard response.status == 200 else {
      if isNamed || response.status >= 500 {
        throw .network(.badResponse(.resourceStatus(response.status, at: address.description)))
      }
      return nil
    }
    let members = try JSONReader.members(of: response.body) { fault -> Failure in
      .network(.badResponse(.resourceJSON(fault.reason, at: address.description)))
    }
    func unusable(_ name: String) -> Failure {
      .network(.badResponse(.resourceMember(name, at: address.description)))
    }
    guard let resource = members["resource"]?.string else { throw unusable("resource") }
    guard let named = try? ProtectedResource(resource), named.contains(asked) else {
      throw .untrusted(.metadata(.otherResource(asked: asked.description, named: resource)))
    }
    (self.address, self.resource) = (address, resource)
    authorizationServers = try Self.texts("authorization_servers", in: members, else: unusable).compactMap {
      text in
      // A server from elsewhere names no address nearer to this machine than its own.
      (try? Endpoint(text, namedBy: asked.description)).flatMap { _ in try? Issuer(text) }
    }
    scopes = try Self.texts("scopes_supported", in: members, else: unusable)
    bindsTokens = members["dpop_bound_access_tokens_required"]?.bool ?? false
  }

  private static func texts(
    _ name: String, in members: JSONObject, else fault: (String) -> Failure
  ) throws(Failure) -> [String] {
    guard let value = members[name], value != .null else { return [] }
    guard let values = value.array?.map(\.string), !values.contains(nil) else { throw fault(name) }
    return values.compactMap(\.self)
  }
}
