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
}
