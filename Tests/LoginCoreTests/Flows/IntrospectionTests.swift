import Testing

@testable import LoginCore

@Suite("Introspection")
struct IntrospectionTests {
  @Test("The request names the token and the client")
  func request() throws {
    var provider = try Samples.code()
    provider.endpoints[.introspection] = try Endpoint("https://as.test/introspect")
    let request = try IntrospectionRequest(AccessToken("A"), for: Samples.login(provider)).httpRequest
    #expect(request.endpoint.description == "https://as.test/introspect")
    #expect(request.form.contains(Parameter("token", "A")))
    #expect(request.form.contains(Parameter("client_id", "client")))
  }

  @Test("Without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.noEndpoint(.introspection)) {
      _ = try IntrospectionRequest(AccessToken("A"), for: login)
    }
  }

  // RFC 7662 section 2.2.
  @Test("The answer must say in active, as a boolean, if the token is good")
  func answer() throws {
    #expect(try Introspection(.json(#"{"active":true}"#)).isActive)
    #expect(try !Introspection(.json(#"{"active":false,"sub":"ann"}"#)).isActive)
    expectFailure(.missing("active", from: .introspection)) { _ = try Introspection(.json("{}")) }
    for body in [#"{"active":"true"}"#, #"{"active":1}"#] {
      expectFailure(.unusable("active", from: .introspection)) { _ = try Introspection(.json(body)) }
    }
  }
  @Test(
    "An API accepts a token that is active, and is refused one of another provider, for another API, or with a key",
    arguments: [
      (#""active":true"#, nil, nil), (#""active":true,"aud":["b","a"],"iss":"https://as.test""#, "a", nil),
      (#""active":false,"sub":"ann""#, nil, "it is not active"),
      (#""active":true"#, "a", "it is not meant for this API"),
      (#""active":true,"aud":"b""#, "a", "it is not meant for this API"),
      (#""active":true,"iss":"https://evil.test""#, nil, "it comes from another provider"),
      (#""active":true,"exp":1"#, nil, "it has expired"),
      (#""active":true,"cnf":{"jkt":"x"}"#, nil, "it is bound to a key, whose proof is not checked"),
    ] as [(String, String?, Message?)])
  func claims(members: String, audience: String?, reason: Message?) async throws {
    var provider = try Samples.code()
    provider.issuer = try Issuer("https://as.test")
    provider.endpoints[.introspection] = try Endpoint("https://as.test/introspect")
    let login = try Samples.login(provider)
    let transport = FakeTransport(["https://as.test/introspect": .json("{\(members)}")])
    let session = IntrospectionSession(try Samples.dependencies(transport))
    do throws(Failure) {
      _ = try await session.claims(of: AccessToken("A"), for: login, audience: audience)
      #expect(reason == nil)
    } catch {
      #expect(error == reason.map { .invalidAccessToken($0) })
    }
  }
}
