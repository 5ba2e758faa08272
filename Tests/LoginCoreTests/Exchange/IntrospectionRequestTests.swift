import Testing

@testable import LoginCore

@Suite("IntrospectionRequest")
struct IntrospectionRequestTests {
  // RFC 7662 section 2.2.
  @Test(
    "a token is good only if the answer says true",
    arguments: [
      (#"{"active":true}"#, true), (#"{"active":"true"}"#, false), (#"{"active":1}"#, false), ("{}", false),
    ])
  func introspection(_ body: String, _ isActive: Bool) throws {
    #expect(try Introspection(.json(body)).isActive == isActive)
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
