import Testing

@testable import LoginCore

/// Where a server describes itself, and what of it is believed.
@Suite("Discovery")
struct DiscoveryTests {
  // RFC 8414 section 3.1 puts the segment between host and path, OpenID Connect Discovery section 4 behind it.
  @Test(
    "both places are asked",
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

  @Test("what is configured is not replaced by what is discovered")
  func precedence() throws {
    var provider = try Samples.code()
    try provider.complete(with: [
      "authorization_endpoint": "https://other.test/", "jwks_uri": "https://as.test/k",
    ])
    #expect(provider.endpoints[.authorization]?.description == "https://as.test/authorize")
    #expect(provider.endpoints[.keySet]?.description == "https://as.test/k")
  }

  @Test("an endpoint that is not https is refused")
  func plainEndpoint() throws {
    var provider = try Samples.code()
    expectBadResponse(.address("token_endpoint", .notHTTPS, from: .token)) {
      try provider.complete(with: ["token_endpoint": "http://as.test/token"])
    }
  }

  // RFC 9126 section 5.
  @Test("a provider that takes pushed requests only gets them, and one that merely could does not")
  func pushedOnly() throws {
    var provider = try Samples.code()
    let endpoint = "https://as.test/par"
    try provider.complete(with: ["pushed_authorization_request_endpoint": .string(endpoint)])
    #expect(!provider.pushesRequests)
    try provider.complete(with: ["require_pushed_authorization_requests": true])
    #expect(provider.pushesRequests)
    #expect(provider.endpoints[.pushedAuthorizationRequest]?.description == endpoint)
  }
}
