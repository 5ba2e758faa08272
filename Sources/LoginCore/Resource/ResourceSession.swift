/// Finds the server that issues the tokens of an API, from the address of the API alone (RFC 9728 sections 3 and 5, RFC 8414
/// section 3). Its requests carry no credentials.
package struct ResourceSession: Sendable {
  private let dependencies: Dependencies
  private let tell: @Sendable (Step) -> Void

  /// A step of the search, with its result.
  package enum Step: Sendable, Equatable {
    /// The API answered a request without a token with this status.
    case asked(HTTPRequest.Method, status: Int)
    /// The API named the address of its metadata, and a scope.
    case challenge(metadata: String?, scope: String?)
    /// The address has no metadata of the API, or has them.
    case noDocument(at: String), document(at: String, resource: String)
    /// A server that issues its tokens cannot be used, or is used.
    case unusable(issuer: String, Failure), server(issuer: String, at: String)
  }

  /// The limit for the whole search, in seconds: no longer than for one ordinary exchange.
  private static let patience: Int64 = 30
  /// Enough for a slash at the end of the address and another case of its letters.
  private static let maximumRedirects = 5

  /// Creates a session that reports its steps to `tell`.
  package init(_ dependencies: Dependencies, tell: @escaping @Sendable (Step) -> Void = { _ in }) {
    (self.dependencies, self.tell) = (dependencies, tell)
  }

  /// Returns the facts about an API that a login needs.
  package func found(_ resource: ProtectedResource) async throws(Failure) -> FoundResource {
    try await inTime(for: resource) { () async throws(Failure) in try await search(resource) }
  }

  /// Refuses an API whose description says that servers other than `issuer` issue its tokens. An API without a description
  /// is accepted, because then only the caller can know its server.
  package func check(_ resource: ProtectedResource, names issuer: Issuer) async throws(Failure) {
    let named: [Issuer]
    do throws(Failure) {
      named = try await inTime(for: resource) { () async throws(Failure) in
        try await metadata(of: resource, challenge(of: resource)?.parameters["resource_metadata"])
          .authorizationServers
      }
    } catch {
      if error.code == .untrustedMetadata { throw error }
      return
    }
    if !named.isEmpty, !named.contains(issuer) { throw .otherServers(of: resource.description, named) }
  }

  private func inTime<Value: Sendable>(
    for resource: ProtectedResource, _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withTaskGroup(of: Result<Value, Failure>.self) { group in
      group.addTask {
        do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
      }
      group.addTask {
        do throws(Failure) { try await dependencies.clock.wait(seconds: Self.patience) } catch {
          return .failure(error)
        }
        let host = (try? resource.endpoint.origin) ?? resource.description
        return .failure(.noAnswer(host, seconds: Int(Self.patience)))
      }
      defer { group.cancelAll() }
      return await group.next() ?? .failure(.defect())
    }
    return try result.get()
  }

  private func search(_ resource: ProtectedResource) async throws(Failure) -> FoundResource {
    let challenge = try await challenge(of: resource)
    let metadata = try await metadata(of: resource, challenge?.parameters["resource_metadata"])
    var first: Failure?
    for issuer in metadata.authorizationServers {
      do throws(Failure) {
        let server = try await server(issuer, namedBy: resource)
        tell(.server(issuer: issuer.description, at: server.address.description))
        return FoundResource(
          asked: resource, metadata: metadata, challengedScope: challenge?.parameters["scope"],
          server: server)
      } catch {
        guard Self.serverFaults.contains(error.code) else { throw error }
        tell(.unusable(issuer: issuer.description, error))
        first = first ?? error
      }
    }
    throw first ?? .noAuthorizationServer(resource.description)
  }

  /// The codes of failures that lie with one server, after which the next server is tried. `invalid_configuration` means
  /// that the address of the issuer cannot be used.
  private static let serverFaults: [Failure.Code] = [
    .network, .tls, .badResponse, .untrustedMetadata, .invalidConfiguration,
  ]

  /// Returns the challenge with which the API answers a request without a token. If it does not support GET, it gets the
  /// harmless POST of MCP's `ping`.
  private func challenge(of resource: ProtectedResource) async throws(Failure) -> Challenge? {
    let endpoint = try failing(resource.endpoint) { (_: Message) in
      .uselessMember("resource_metadata", at: resource.description)
    }
    var response = try await answer(to: endpoint) { HTTPRequest(get: $0) }
    tell(.asked(.get, status: response.status))
    if response.status == 404 || response.status == 405 {
      response = try await answer(to: endpoint) { endpoint in
        HTTPRequest(
          postJSON: ["jsonrpc": "2.0", "id": 1, "method": "ping"], to: endpoint,
          headers: [Parameter("Accept", "application/json,text/event-stream")])
      }
      tell(.asked(.post, status: response.status))
    }
    guard response.status == 401, let challenge = response.challengeForToken else { return nil }
    tell(
      .challenge(
        metadata: challenge.parameters["resource_metadata"], scope: challenge.parameters["scope"]))
    return challenge
  }

  /// Returns the metadata at the address that the API names, or else at the first of the usual addresses that has them.
  private func metadata(
    of resource: ProtectedResource, _ named: String?
  ) async throws(Failure) -> ResourceMetadata {
    for text in named.map({ [$0] }) ?? resource.metadataAddresses {
      let endpoint = try failing(Endpoint(text, namedBy: resource.description)) { (_: Message) in
        .uselessMember("resource_metadata", at: text)
      }
      let response = try await answer(to: endpoint) { HTTPRequest(get: $0) }
      let metadata = try ResourceMetadata(response, at: endpoint, about: resource, isNamed: named != nil)
      guard let metadata else {
        tell(.noDocument(at: endpoint.description))
        continue
      }
      tell(.document(at: endpoint.description, resource: metadata.resource))
      return metadata
    }
    throw .noAuthorizationServer(resource.description)
  }

  private func server(
    _ issuer: Issuer, namedBy resource: ProtectedResource
  ) async throws(Failure) -> AuthorizationServer {
    let discovery = try Discovery(of: issuer, .resource, namedBy: resource.description)
    let (metadata, endpoint) = try await discovery.metadata { endpoint async throws(Failure) in
      try await answer(to: endpoint) { HTTPRequest(get: $0) }
    }
    return try AuthorizationServer(metadata, of: issuer, at: endpoint)
  }

  /// Returns the answer to a request after all redirects within the server, such as to a slash at the end. A redirect to
  /// another server is not followed but returned, because that server does not speak for this one.
  private func answer(
    to endpoint: Endpoint, _ request: (Endpoint) -> HTTPRequest
  ) async throws(Failure) -> HTTPResponse {
    var place = endpoint
    var response = try await dependencies.transport.send(request(place))
    for _ in 0..<Self.maximumRedirects {
      guard [301, 302, 307, 308].contains(response.status), let location = response[header: "Location"],
        let next = place.redirected(to: location), next.origin.isIdentical(to: place.origin)
      else { break }
      place = next
      response = try await dependencies.transport.send(request(place))
    }
    return response
  }
}

extension Failure {
  /// The API says that other servers issue its tokens than the one that the caller has named.
  package static func otherServers(of resource: String, _ issuers: [Issuer]) -> Failure {
    let list = issuers.map { $0.description.forDisplay(limit: 200) }
    return Failure(
      .untrustedMetadata,
      "\(resource, upTo: 200) says that another server issues its tokens: \(list.verbatim.list)",
      hint: .nameServerIfTrusted,
      details: [
        "resource": .string(resource.forDisplay(limit: 200)), "named": .array(list.map(JSONValue.string)),
      ])
  }

  /// The API does not say which server issues its tokens (RFC 9728).
  package static func noAuthorizationServer(_ resource: String) -> Failure {
    Failure(
      .invalidConfiguration, "\(resource, upTo: 200) does not say which server issues its tokens",
      hint: .nameServer)
  }
}
