import Testing

@testable import LoginCore

@Suite("Discovery")
struct DiscoveryTests {
  // RFC 8414 section 3.1 puts the segment between host and path, OpenID Connect Discovery section 4 after the path.
  @Test(
    "A login asks OpenID Connect's address first, then OAuth's",
    arguments: [
      (
        "https://h.test",
        [
          "https://h.test/.well-known/openid-configuration",
          "https://h.test/.well-known/oauth-authorization-server",
        ]
      ),
      (
        "https://h.test/t1",
        [
          "https://h.test/t1/.well-known/openid-configuration",
          "https://h.test/.well-known/oauth-authorization-server/t1",
        ]
      ),
      (
        "https://h.test:8443/a/b/",
        [
          "https://h.test:8443/a/b/.well-known/openid-configuration",
          "https://h.test:8443/.well-known/oauth-authorization-server/a/b",
        ]
      ),
    ])
  func places(issuer: String, places: [String]) throws {
    #expect(try Discovery(of: Issuer(issuer)).endpoints.map(\.description) == places)
  }

  // RFC 8414 sections 3.1 and 5.
  @Test(
    "The server of an API is asked at OAuth's address first",
    arguments: [
      (
        "https://h.test",
        [
          "https://h.test/.well-known/oauth-authorization-server",
          "https://h.test/.well-known/openid-configuration",
        ]
      ),
      (
        "https://h.test/t1",
        [
          "https://h.test/.well-known/oauth-authorization-server/t1",
          "https://h.test/.well-known/openid-configuration/t1",
          "https://h.test/t1/.well-known/openid-configuration",
        ]
      ),
    ])
  func resourcePlaces(issuer: String, places: [String]) throws {
    #expect(try Discovery(of: Issuer(issuer), .resource).endpoints.map(\.description) == places)
  }

  @Test("A server that cannot answer now is told from one that publishes no metadata")
  func noMetadata() async throws {
    func busy(_ status: Int) -> Failure {
      .notOAuth("the metadata of https://h.test could not be fetched: HTTP \(status)", isRetryable: true)
    }
    let discovery = try Discovery(of: Issuer("https://h.test"))
    for (statuses, failure) in [
      ([404, 404], .noMetadata(of: try Issuer("https://h.test"))),
      ([503, 404], busy(503)), ([404, 429], busy(429)),
    ] as [([Int], Failure)] {
      let answers = zip(discovery.endpoints, statuses).map { ($0.0.description, HTTPResponse(status: $0.1)) }
      let transport = FakeTransport(Dictionary(uniqueKeysWithValues: answers))
      await #expect(throws: failure) {
        try await discovery.metadata { endpoint async throws(Failure) in
          try await transport.send(HTTPRequest(get: endpoint))
        }
      }
    }
  }

  @Test("Discovery does not replace configured endpoints")
  func precedence() throws {
    var provider = try Samples.code()
    try provider.complete(
      with: ["authorization_endpoint": "https://other.test/", "jwks_uri": "https://as.test/k"], needing: [])
    #expect(provider.endpoints[.authorization]?.description == "https://as.test/authorize")
    #expect(provider.endpoints[.keySet]?.description == "https://as.test/k")
  }

  @Test("An endpoint that is not https is refused")
  func plainEndpoint() throws {
    var provider = try Samples.code()
    expectFailure(.notOAuth("the provider's token_endpoint is \(Message.notHTTPS)")) {
      try provider.complete(with: ["token_endpoint": "http://as.test/token"], needing: [.token])
    }
  }

  @Test(
    "An unusable endpoint is left out unless it is needed", arguments: EndpointName.allCases,
    [
      "http://as.test/x", "http://127.0.0.1/x", "https://10.0.0.1/x", "https://ip6-localhost/x",
      "https://[::ffff:7f00:1]/x", "x", "",
    ])
  func unusable(name: EndpointName, address: String) throws {
    var provider = Provider()
    provider.issuer = try Issuer("https://as.test")
    let metadata: JSONObject = [name.rawValue: .string(address)]
    try provider.complete(with: metadata, needing: EndpointName.allCases.filter { $0 != name })
    #expect(provider.endpoints.isEmpty)
    #expect(throws: Failure.self) { try provider.complete(with: metadata, needing: [name]) }
  }

  @Test("An issuer on this machine may name endpoints there", arguments: EndpointName.allCases)
  func onThisMachine(name: EndpointName) throws {
    for (issuer, endpoint) in [
      ("http://127.0.0.1:8080", "http://127.0.0.1:9090/x"), ("https://localhost", "https://127.0.0.1:9090/x"),
    ] {
      var provider = Provider()
      provider.issuer = try Issuer(issuer)
      try provider.complete(with: [name.rawValue: .string(endpoint)], needing: [name])
      #expect(provider.endpoints[name]?.description == endpoint)
    }
  }

  // RFC 9126 section 5.
  @Test("Requests are pushed only if the provider requires it")
  func pushedOnly() throws {
    var provider = try Samples.code()
    let endpoint = "https://as.test/par"
    try provider.complete(with: ["pushed_authorization_request_endpoint": .string(endpoint)], needing: [])
    #expect(!provider.pushesRequests)
    try provider.complete(with: ["require_pushed_authorization_requests": true], needing: [])
    #expect(provider.pushesRequests)
    #expect(provider.endpoints[.pushedAuthorizationRequest]?.description == endpoint)
    var other = try Samples.code()
    expectFailure(.notOAuth("the provider's pushed_authorization_request_endpoint is \(Message.notHTTPS)")) {
      try other.complete(
        with: [
          "require_pushed_authorization_requests": true,
          "pushed_authorization_request_endpoint": "http://as.test/par",
        ], needing: [])
    }
  }

  @Test("The preset's algorithms and authentication methods take precedence over the metadata")
  func preset() throws {
    var provider = Provider()
    (provider.idTokenAlgorithms, provider.proofAlgorithms) = (["ES256"], ["ES384"])
    provider.clientAuthentications = ["none"]
    try provider.complete(
      with: [
        "id_token_signing_alg_values_supported": ["RS256"], "dpop_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
      ], needing: [])
    #expect(provider.idTokenAlgorithms == ["ES256"] && provider.proofAlgorithms == ["ES384"])
    #expect(provider.clientAuthentications == ["none"])
  }
}
