import Testing

@testable import LoginCore

@Suite("Revocation and introspection")
struct RevocationTests {
  private func login() throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.revocation] = try Endpoint("https://as.test/revoke")
    provider.endpoints[.introspection] = try Endpoint("https://as.test/introspect")
    return try Samples.login(provider)
  }

  // RFC 7009 section 2.1.
  @Test("a revocation names the token, its kind and the client")
  func revocation() throws {
    let refresh = try RevocationRequest(.refresh(RefreshToken("R")), for: login()).httpRequest
    #expect(
      refresh.form == [
        Parameter("token", "R"), Parameter("token_type_hint", "refresh_token"),
        Parameter("client_id", "client"),
      ])
    let access = try RevocationRequest(.access(AccessToken("A")), for: login()).httpRequest
    #expect(access.form.prefix(2) == [Parameter("token", "A"), Parameter("token_type_hint", "access_token")])
  }

  // https://yandex.ru/dev/id/doc/en/tokens/token-invalidate
  @Test("where the provider knows no token parameter, a token goes under its own name")
  func ownNames() throws {
    var login = try login()
    login.provider.revocationMembers = ["access_token"]
    let request = try RevocationRequest(.access(AccessToken("A")), for: login).httpRequest
    #expect(request.form == [Parameter("access_token", "A"), Parameter("client_id", "client")])
  }

  // RFC 7009 section 2.2.
  @Test("only a success revokes: a server that is busy leaves the token good")
  func answers() throws {
    #expect(try RevocationRequest.isDone(HTTPResponse(status: 200)))
    #expect(try RevocationRequest.isDone(.json(#"{"error":"invalid_token"}"#, status: 400)))
    #expect(try !RevocationRequest.isDone(.json(#"{"error":"unsupported_token_type"}"#, status: 400)))
    let busy = #expect(throws: Failure.self) { try RevocationRequest.isDone(HTTPResponse(status: 503)) }
    #expect(busy?.isRetryable == true)
    expectProviderError("invalid_client") {
      _ = try RevocationRequest.isDone(.json(#"{"error":"invalid_client"}"#, status: 401))
    }
    expectFailure("bad_provider_response") { _ = try RevocationRequest.isDone(HTTPResponse(status: 404)) }
    expectFailure("bad_provider_response") { _ = try RevocationRequest.isDone(HTTPResponse(status: 302)) }
  }

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
    let request = try IntrospectionRequest(AccessToken("A"), for: login()).httpRequest
    #expect(request.endpoint.description == "https://as.test/introspect")
    #expect(request.form.contains(Parameter("token", "A")))
    #expect(request.form.contains(Parameter("client_id", "client")))
  }

  @Test("without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure("invalid_configuration") {
      _ = try RevocationRequest(.refresh(RefreshToken("R")), for: login)
    }
    expectFailure("invalid_configuration") { _ = try IntrospectionRequest(AccessToken("A"), for: login) }
  }
}
