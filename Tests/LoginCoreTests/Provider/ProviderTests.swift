import Testing

@testable import LoginCore

/// What an authorization server is without a preset, and what makes a token a token there.
@Suite("Provider")
struct ProviderTests {
  @Test("a provider of which nothing is said keeps to the standards")
  func defaults() {
    let provider = Provider()
    #expect(provider.responseType == .code)
    #expect(provider.responseMode == nil)
    #expect(provider.pkce == .s256)
    #expect(provider.issuer == nil)
    #expect(!provider.sendsIssuer)
    #expect(provider.endpoints.isEmpty)
    #expect(provider.tokenType == nil)
  }

  // RFC 6749 section 5.1.
  @Test(
    "a token has an access_token, a type unless it is assumed, and what the provider adds",
    arguments: [
      (nil, [], ["access_token", "token_type"]), ("Bearer", [], ["access_token"]),
      ("Bearer", ["access_token", "user_id", "expires_in"], ["access_token", "user_id", "expires_in"]),
      (nil, ["token_type", "user_id"], ["access_token", "token_type", "user_id"]),
    ] as [(String?, [String], [String])])
  func requiredTokenMembers(type: String?, own: [String], required: [String]) {
    var provider = Provider()
    provider.tokenType = type
    provider.ownTokenMembers = own
    #expect(provider.requiredTokenMembers == required)
  }

  // RFC 8414 section 2, OpenID Connect Discovery section 3, RP-Initiated Logout section 2.1,
  // RFC 8628 section 4, RFC 9126 section 5.
  @Test("endpoints have the names of the standards")
  func endpointNames() {
    #expect(
      EndpointName.allCases.map(\.rawValue) == [
        "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "revocation_endpoint",
        "introspection_endpoint", "registration_endpoint",
        "end_session_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
        "jwks_uri",
      ])
  }

  @Test("a git host is the whole name, in whatever letters", arguments: ["git.test", "GIT.Test"])
  func gitHosts(own: String) {
    var provider = Provider()
    provider.gitHosts = [own]
    #expect(provider.serves(gitHost: "git.test") && provider.serves(gitHost: "Git.TEST"))
    for host in ["evilgit.test", "a.git.test", "git.test.evil.test", "git.tes", ""] {
      #expect(!provider.serves(gitHost: host), "\(host)")
    }
  }
}
