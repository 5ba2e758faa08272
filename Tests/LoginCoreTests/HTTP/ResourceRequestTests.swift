import Testing

@testable import LoginCore

@Suite("Requests of an API")
struct ResourceRequestTests {
  private func request(_ method: String = "GET", headers: [Parameter] = []) throws -> ResourceRequest {
    try ResourceRequest(method, try Endpoint("https://api.test/me?a=1"), headers: headers)
  }

  @Test("Without its body it changes nothing, and says nothing of one")
  func withoutBody() throws {
    let headers = [Parameter("X-A", "1"), Parameter("content-type", "a/b")]
    let request = try request("PUT", headers: headers).withoutBody
    #expect(request.method == "HEAD" && request.headers == [Parameter("X-A", "1")])
    #expect(request.endpoint.description == "https://api.test/me?a=1")
  }

  @Test(
    "Methods are those of a resource",
    arguments: [
      ("GET", true), ("PATCH", true), ("VERSION-CONTROL", true), ("", false), ("CONNECT", false),
      ("trace", false), ("A B", false), ("G\u{CB}T", false),
    ])
  func methods(method: String, isFit: Bool) throws {
    #expect(((try? request(method)) != nil) == isFit)
  }

  @Test(
    "The type of the body is the caller's to say, and nothing else that a request sets itself",
    arguments: [
      ("Content-Type", "a/b", true), ("content-type", "a\nb", false), ("X-A", "1", true),
      ("Host", "x", false),
      ("authorization", "Bearer x", false), ("DPoP", "x", false), ("Cookie", "x", false), ("A B", "x", false),
      ("Content-Length", "1", false),
    ])
  func headers(name: String, value: String, isFit: Bool) {
    #expect(((try? request(headers: [Parameter(name, value)])) != nil) == isFit)
  }

  @Test(
    "A token goes to the origins that are named for it, scheme and port included",
    arguments: [
      ("https://api.test/", true), ("https://API.test:443/x?y", true), ("https://other.test/", true),
      ("https://api.test:8443/", false), ("https://api.test.evil.test/", false),
      ("https://evil.test/", false),
      ("http://localhost/", false), ("https://api.test@evil.test/", false),
    ])
  func origins(address: String, isAllowed: Bool) throws {
    var provider = Provider()
    provider.apiOrigins = [try Origin("https://api.test")]
    let others = [try Origin("https://other.test")]
    let result = Result { try provider.checkOrigin(of: try Endpoint(address), orAmong: others) }
    #expect(((try? result.get()) != nil) == isAllowed)
  }
}
