import Testing

@testable import LoginCore

@Suite("IntrospectionRequest")
struct IntrospectionRequestTests {
  // RFC 7662 section 2.2.
  @Test("a token is good or not, and an answer that says neither is none")
  func introspection() throws {
    #expect(try Introspection(.json(#"{"active":true}"#)).isActive)
    #expect(try !Introspection(.json(#"{"active":false,"sub":"ann"}"#)).isActive)
    expectBadResponse(.missing("active", from: .introspection)) { _ = try Introspection(.json("{}")) }
    for body in [#"{"active":"true"}"#, #"{"active":1}"#] {
      expectBadResponse(.unusable("active", from: .introspection)) { _ = try Introspection(.json(body)) }
    }
  }

  @Test("an introspection names the token and the client")
  func introspectionRequest() throws {
    var provider = try Samples.code()
    provider.endpoints[.introspection] = try Endpoint("https://as.test/introspect")
    let request = try IntrospectionRequest(AccessToken("A"), for: Samples.login(provider)).httpRequest
    #expect(request.endpoint.description == "https://as.test/introspect")
    #expect(request.form.contains(Parameter("token", "A")))
    #expect(request.form.contains(Parameter("client_id", "client")))
  }

  @Test("without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.caller(.noEndpoint(.introspection))) {
      _ = try IntrospectionRequest(AccessToken("A"), for: login)
    }
  }
}
