import Testing

@testable import LoginCore

@Suite("RevocationRequest")
struct RevocationRequestTests {
  private func login() throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.revocation] = try Endpoint("https://as.test/revoke")
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
    let busy = ProviderError(code: "temporarily_unavailable", remark: .tokenNotRevoked)
    expectFailure(.provider(busy)) { _ = try RevocationRequest.isDone(HTTPResponse(status: 503)) }
    expectProviderError("invalid_client") {
      _ = try RevocationRequest.isDone(.json(#"{"error":"invalid_client"}"#, status: 401))
    }
    expectBadResponse(.status(404, from: .revocation)) {
      _ = try RevocationRequest.isDone(HTTPResponse(status: 404))
    }
    expectBadResponse(.status(302, from: .revocation)) {
      _ = try RevocationRequest.isDone(HTTPResponse(status: 302))
    }
  }

  @Test("without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.caller(.noEndpoint(.revocation))) {
      _ = try RevocationRequest(.refresh(RefreshToken("R")), for: login)
    }
  }
}
