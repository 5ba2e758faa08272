/// Finds out from the address of an API where its tokens come from (RFC 9728 section 3 and 5, RFC 8414 section 3).
/// Nothing that is sent holds a credential.
package struct ResourceSession: Sendable {
  private let dependencies: Dependencies
  private let tell: @Sendable (Step) -> Void

  /// What was found out, one thing after the other.
  package enum Step: Sendable, Equatable {
    /// The API answered to a request without a token, with this status.
    case asked(HTTPRequest.Method, status: Int)
    /// The API says itself where it is described, and what a token should be good for.
    case challenge(metadata: String?, scope: String?)
    /// Here is no description of the API, or there is one.
    case noDocument(at: String), document(at: String, resource: String)
    /// A server that issues its tokens cannot be used, or is used.
    case unusable(issuer: String, Failure), server(issuer: String, at: String)
  }

  /// How long it may take, in seconds: a caller that waits is not kept for longer than one exchange usually may take.
  private static let patience: Int64 = 30
  /// Enough for a slash at the end and a name in another case.
  private static let maximumRedirects = 5

  /// A search by these means, which tells what it finds.
  package init(_ dependencies: Dependencies, tell: @escaping @Sendable (Step) -> Void = { _ in }) {
    (self.dependencies, self.tell) = (dependencies, tell)
  }

  /// What there is to know of an API before somebody signs in for it.
  package func found(_ resource: ProtectedResource) async throws(Failure) -> FoundResource {
    let result = await withTaskGroup(of: Result<FoundResource, Failure>.self) { group in
      group.addTask {
        do throws(Failure) { return .success(try await search(resource)) } catch { return .failure(error) }
      }
      group.addTask {
        do throws(Failure) { try await dependencies.clock.wait(seconds: Self.patience) } catch {
          return .failure(error)
        }
        let host = (try? resource.endpoint.origin) ?? resource.description
        return .failure(.network(.timeout(host: host, seconds: Int(Self.patience))))
      }
      defer { group.cancelAll() }
      return await group.next() ?? .failure(.defect(.here()))
    }
    return try result.get()
  }

  private func search(_ resource: ProtectedResource) async throws(Failure) -> FoundResource {
    let challenge = try await challenge(of: resource)
    let metadata = try await metadata(of: resource, challenge?.parameters["resource_metadata"])
    var first: Failure?
    for issuer in metadata.authorizationServers {
      do throws(Failure) {
        let server = try await server(issuer)
        tell(.server(issuer: issuer.description, at: server.address.description))
        return FoundResource(
          asked: resource, metadata: metadata, challengedScope: challenge?.parameters["scope"],
          server: server)
      } catch {
        guard error.isOfServer else { throw error }
        tell(.unusable(issuer: issuer.description, error))
        first = first ?? error
      }
    }
    throw first ?? .caller(.noAuthorizationServer(resource: resource.description))
  }

  /// What the API answers to whoever has no token. Where nothing can be got something harmless is posted: MCP knows a
  /// `ping`.
  private func challenge(of resource: ProtectedResource) async throws(Failure) -> Challenge? {
    let endpoint = try address(resource.description) { () throws(AddressFault) in try resource.endpoint }
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

  /// The description that the API names, else the first of those at the usual addresses.
  private func metadata(
    of resource: ProtectedResource, _ named: String?
  ) async throws(Failure) -> ResourceMetadata {
    for text in named.map({ [$0] }) ?? resource.metadataAddresses {
      let endpoint = try address(text) { () throws(AddressFault) in
        try Endpoint(text, namedBy: resource.description)
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
    throw .caller(.noAuthorizationServer(resource: resource.description))
  }

  private func server(_ issuer: Issuer) async throws(Failure) -> AuthorizationServer {
    let (metadata, endpoint) = try await Discovery(of: issuer, .resource).metadata {
      endpoint async throws(Failure) in
      try await answer(to: endpoint) { HTTPRequest(get: $0) }
    }
    return try AuthorizationServer(metadata, of: issuer, at: endpoint)
  }

  /// The answer to a request, after the redirects that stay at the server, such as to a slash at the end. One that leads
  /// elsewhere is the answer: another server does not speak for this one.
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

  private func address(
    _ text: String, _ endpoint: () throws(AddressFault) -> Endpoint
  ) throws(Failure) -> Endpoint {
    do throws(AddressFault) { return try endpoint() } catch {
      throw .network(.badResponse(.resourceMember("resource_metadata", at: text)))
    }
  }
}

extension Failure {
  /// Whether it is one of the server that was asked, so that another one may do better.
  fileprivate var isOfServer: Bool {
    switch self {
    case .network, .untrusted, .caller(.issuer): true
    default: false
    }
  }
}
